import type { ComponentProps, ReactNode } from 'react';
import { styled } from 'styled-components';
import { Tooltip } from './Tooltip.js';

interface Props extends Omit<ComponentProps<'button'>, 'aria-label'> {
  label: string;
  size?: 'sm' | 'md';
  /** Shows the label as a tooltip. */
  tip?: boolean;
  children: ReactNode;
}

export function IconButton({ label, size = 'md', tip = false, type = 'button', ...rest }: Props) {
  const button = <IconButtonShape {...rest} type={type} aria-label={label} $size={size} />;
  return tip ? <Tooltip text={label}>{button}</Tooltip> : button;
}

export const IconButtonShape = styled.button<{ $size?: 'sm' | 'md' }>`
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
