import { X } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { styled } from 'styled-components';
import { Icon } from './Icon.js';

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
  ${({ theme }) => theme.media.phone} {
    inline-size: 44px;
    block-size: 44px;
  }

  &:hover {
    background: color-mix(in srgb, var(--ink) 6%, transparent);
    color: var(--ink);
  }
  &:disabled {
    opacity: 0.45;
    cursor: not-allowed;
  }
`;

interface Props extends Omit<ComponentProps<'button'>, 'aria-label'> {
  label: string;
  size?: 'sm' | 'md';
  children: ReactNode;
}

export function IconButton({ label, size = 'md', type = 'button', ...rest }: Props) {
  return <IconButtonBase {...rest} type={type} aria-label={label} $size={size} />;
}

interface RemoveButtonProps {
  label: string;
  disabled?: boolean;
  onClick: () => void;
}

/** On the corner of an attachment. Its parent must be positioned. */
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
