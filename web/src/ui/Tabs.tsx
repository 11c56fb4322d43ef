import { Tabs as Radix } from 'radix-ui';
import { styled } from 'styled-components';
import { semibold, textSize } from '../theme/index.js';

export const Tabs = Radix.Root;
export const TabPanel = Radix.Content;

export const TabList = styled(Radix.List)`
  display: flex;
  flex-wrap: wrap;
  gap: 4px;
  padding: 4px;
  background: var(--sunken);
  border-radius: 16px;
  border-end-start-radius: 6px;
  outline: none;
`;

export const Tab = styled(Radix.Trigger)`
  flex: 1;
  padding: 8px 18px;
  ${({ theme }) => theme.bubble.chip}
  ${semibold}
  ${textSize('16px', '15px')}
  line-height: 1.5;
  color: var(--ink-2);
  white-space: nowrap;
  display: flex;
  gap: 8px;
  align-items: center;
  justify-content: center;
  ${({ theme }) => theme.media.phone} {
    min-block-size: 44px;
  }
  &:hover {
    color: var(--ink);
  }
  &:disabled {
    color: var(--ink-3);
  }
  &[data-state='active'] {
    background: var(--tab-selected);
    color: var(--ink);
    box-shadow: var(--shadow-1);
  }
`;
