import { DropdownMenu as Radix } from 'radix-ui';
import { css, keyframes, styled } from 'styled-components';

export const Menu = Radix.Root;
export const MenuTrigger = Radix.Trigger;
export const MenuRadioGroup = Radix.RadioGroup;
export const MenuGroup = Radix.Group;
export const MenuLabel = Radix.Label;

const fadeDown = keyframes`
  from { opacity: 0; translate: 0 -4px; }
`;

export const menuRow = css<{ $danger?: boolean }>`
  display: flex;
  inline-size: 100%;
  gap: 12px;
  align-items: center;
  padding: 9px 12px;
  ${({ theme }) => theme.bubble.chip}
  font-weight: 500;
  line-height: 1.6;
  cursor: pointer;
  color: ${({ $danger }) => ($danger ? 'var(--danger-text)' : 'var(--ink)')};
  svg {
    color: ${({ $danger }) => ($danger ? 'inherit' : 'var(--ink-3)')};
  }
  &:hover,
  &[data-highlighted] {
    background: var(--sunken);
  }
  &[data-disabled] {
    background: none;
    color: var(--ink-3);
    cursor: not-allowed;
    svg {
      opacity: 0.6;
    }
  }
`;

/* The tail points to the trigger. No portal: the panel stays in the trigger's landmark. */
export const MenuPanel = styled(Radix.Content)`
  z-index: ${({ theme }) => theme.zIndex.menu};
  background: var(--raised);
  border: 1px solid var(--line);
  border-radius: 20px;
  border-start-end-radius: 6px;
  padding: 8px;
  min-inline-size: 248px;
  box-shadow: var(--shadow-3);
  animation: ${fadeDown} var(--base) var(--ease);
  &:focus {
    outline: 0;
  }
`;

export const MenuItem = styled(Radix.Item)<{ $danger?: boolean }>`
  ${menuRow}
`;

export const MenuRadioItem = styled(Radix.RadioItem)<{ $danger?: boolean }>`
  ${menuRow}
  justify-content: space-between;
`;

export const MenuItemIndicator = Radix.ItemIndicator;

export const MenuSeparator = styled(Radix.Separator)`
  border-block-start: 1px solid var(--line);
  margin: 8px 4px;
`;
