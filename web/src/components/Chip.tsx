import { ToggleGroup } from 'radix-ui';
import { styled } from 'styled-components';
import { textSize } from '../theme/index.js';

export const ChipGroup = styled(ToggleGroup.Root)`
  display: flex;
  gap: 8px;
  flex-wrap: wrap;
  margin-block-end: 6px;
  ${({ theme }) => theme.media.phone} {
    flex-wrap: nowrap;
    overflow-x: auto;
    margin-inline: -16px;
    padding: 4px 16px;
    margin-block: -4px 2px;
    scrollbar-width: none;
  }
`;

/** A filter that can be on or off, with its number of items. */
export const Chip = styled(ToggleGroup.Item)`
  min-block-size: 40px;
  padding: 4px 16px;
  ${({ theme }) => theme.bubble.chip}
  border: 1px solid var(--line-strong);
  background: var(--surface);
  font-weight: 500;
  ${textSize('15px', '14px')}
  line-height: 1.6;
  display: inline-flex;
  gap: 8px;
  align-items: center;
  white-space: nowrap;
  ${({ theme }) => theme.media.phone} {
    min-block-size: 44px;
  }
  > span {
    color: var(--ink-3);
    font-size: 0.92em;
    font-variant-numeric: tabular-nums;
  }
  &:hover {
    background: var(--sunken);
  }
  &:disabled {
    opacity: 0.45;
  }
  &[data-state='on'] {
    background: var(--ink);
    color: var(--paper);
    border-color: var(--ink);
    > span {
      color: inherit;
      opacity: 0.72;
    }
  }
`;
