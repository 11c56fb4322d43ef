import type { LucideIcon } from 'lucide-react';
import { styled } from 'styled-components';

const SIZES = { sm: 16, md: 20, lg: 24 } as const;

interface Props {
  of: LucideIcon;
  size?: keyof typeof SIZES;
  /** Mirrors in right-to-left layouts: arrows, reply, send, log in and log out. */
  flip?: boolean;
}

export function Icon({ of, size = 'md', flip = false }: Props) {
  return <IconElement as={of} size={SIZES[size]} strokeWidth={1.75} $flip={flip} aria-hidden="true" />;
}

const IconElement = styled.svg<{ $flip: boolean; size: number }>`
  flex: none;
  [dir='rtl'] & {
    transform: ${({ $flip }) => ($flip ? 'scaleX(-1)' : 'none')};
  }
`;
