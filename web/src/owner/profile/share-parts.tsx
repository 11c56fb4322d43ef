import { styled } from 'styled-components';
import { IconButton } from '../../ui/index.js';

export const whatsappLink = (url: string): string => `https://wa.me/?text=${encodeURIComponent(url)}`;

export const CopyBar = styled.div`
  display: flex;
  align-items: center;
  justify-content: space-between;
  gap: 8px;
  background: var(--sunken);
  border-radius: 15px;
  border-end-start-radius: 5px;
  padding-block: 6px;
  padding-inline: 16px 6px;
  margin-block: 14px;
  font-family: ${({ theme }) => theme.font.latin};
  font-size: 0.9375rem;
  > span {
    min-inline-size: 0;
    overflow-wrap: anywhere;
    line-height: 1.5;
    color: var(--ink-3);
  }
  b {
    color: var(--ink);
  }
`;

export const CopyButton = styled(IconButton)`
  flex: none;
  background: var(--violet);
  color: var(--on-violet);
  &:hover {
    background: var(--violet-hover);
    color: var(--on-violet);
  }
`;
