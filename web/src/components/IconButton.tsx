import { Tooltip as Radix } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';
import { styled } from 'styled-components';
import { X } from 'lucide-react';
import { Icon } from './Icon.js';

/** There is no portal, so the tooltip stays in the landmark of its trigger. */
export function Tooltip({ text, children }: { text: string; children: ReactNode }) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Tip sideOffset={6}>{text}</Tip>
    </Radix.Root>
  );
}

const Tip = styled(Radix.Content)`
  z-index: ${({ theme }) => theme.zIndex.menu};
  background: var(--inverse);
  color: var(--on-inverse);
  padding: 5px 12px;
  border-radius: 10px;
  border-end-start-radius: 3px;
  font-size: 0.875rem;
  line-height: 1.6;
`;

interface Props extends Omit<ComponentProps<'button'>, 'aria-label'> {
  label: string;
  size?: 'sm' | 'md';
  /** Shows the label as a tooltip. */
  tip?: boolean;
  children: ReactNode;
}

export function IconButton({ label, size = 'md', tip = false, type = 'button', ...rest }: Props) {
  const button = <IconButtonBase {...rest} type={type} aria-label={label} $size={size} />;
  return tip ? <Tooltip text={label}>{button}</Tooltip> : button;
}

export const IconButtonBase = styled.button<{ $size?: 'sm' | 'md' }>`
  inline-size: ${({ $size }) => ($size === 'sm' ? '36px' : '44px')};
  block-size: ${({ $size }) => ($size === 'sm' ? '36px' : '44px')};
  ${({ theme, $size }) => ($size === 'sm' ? theme.bubble.small : theme.bubble.control)}
  display: inline-grid;
  place-items: center;
  color: var(--ink-2);
  position: relative;
  flex: none;
  transition: background var(--fast);

  &:hover {
    background: color-mix(in srgb, var(--ink) 6%, transparent);
    color: var(--ink);
  }
  &:disabled {
    opacity: 0.45;
    cursor: not-allowed;
  }
`;

interface RemoveButtonProps {
  label: string;
  disabled?: boolean;
  onClick: () => void;
}

/** A remove button on the corner of an attachment. Its parent must be positioned. */
export function RemoveButton({ label, disabled, onClick }: RemoveButtonProps) {
  return (
    <CornerButton type="button" aria-label={label} disabled={disabled} onClick={onClick}>
      <Icon of={X} size="sm" />
    </CornerButton>
  );
}

const CornerButton = styled.button`
  position: absolute;
  inset-block-start: -8px;
  inset-inline-end: -8px;
  inline-size: 30px;
  block-size: 30px;
  border-radius: 50%;
  background: var(--inverse);
  color: var(--on-inverse);
  display: grid;
  place-items: center;
  box-shadow: 0 0 0 3px var(--surface);
  /* Enlarges the touch target. */
  &::after {
    content: '';
    position: absolute;
    inset: -7px;
  }
`;
