import { css } from 'styled-components';
import { semibold, textSize } from '../theme/index.js';

export type ButtonVariant = 'primary' | 'secondary' | 'soft' | 'ghost' | 'danger' | 'dangerGhost' | 'gold' | 'onDark';
export type ButtonSize = 'sm' | 'md' | 'lg';

export interface ButtonLook {
  $variant: ButtonVariant;
  $size: ButtonSize;
  $block: boolean;
}

interface Colours {
  background: string;
  hover: string;
  active?: string;
  text: string;
  border: string;
}

const colours: Record<ButtonVariant, Colours> = {
  primary: {
    background: 'var(--violet)',
    hover: 'var(--violet-hover)',
    active: 'var(--violet-press)',
    text: 'var(--on-violet)',
    border: 'transparent',
  },
  secondary: { background: 'var(--surface)', hover: 'var(--sunken)', text: 'var(--ink)', border: 'var(--line-strong)' },
  soft: {
    background: 'var(--violet-tint)',
    hover: 'color-mix(in srgb, var(--violet) 22%, var(--surface))',
    text: 'var(--on-violet-tint)',
    border: 'transparent',
  },
  ghost: {
    background: 'transparent',
    hover: 'color-mix(in srgb, var(--ink) 6%, transparent)',
    text: 'var(--ink)',
    border: 'transparent',
  },
  danger: {
    background: 'var(--danger)',
    hover: 'var(--danger-hover)',
    text: 'var(--on-violet)',
    border: 'transparent',
  },
  dangerGhost: {
    background: 'transparent',
    hover: 'var(--danger-tint)',
    text: 'var(--danger-text)',
    border: 'transparent',
  },
  gold: {
    background: 'var(--gold)',
    hover: 'color-mix(in srgb, var(--gold) 88%, var(--ink))',
    text: 'var(--on-gold)',
    border: 'transparent',
  },
  onDark: {
    background: 'transparent',
    hover: 'color-mix(in srgb, var(--on-night) 8%, transparent)',
    text: 'var(--on-night)',
    border: 'color-mix(in srgb, var(--on-night) 24%, transparent)',
  },
};

const sizes = {
  sm: css`
    min-block-size: 36px;
    padding: 4px 14px;
    ${textSize('15px', '14px')}
    ${({ theme }) => theme.bubble.small}
    gap: 6px;
    svg {
      inline-size: 17px;
      block-size: 17px;
    }
    ${({ theme }) => theme.media.phone} {
      min-block-size: 44px;
    }
  `,
  md: css`
    min-block-size: 44px;
    padding: 8px 20px;
    ${textSize('17px', '15px')}
    ${({ theme }) => theme.bubble.control}
  `,
  lg: css`
    min-block-size: 56px;
    padding: 12px 28px;
    ${textSize('19px', '16.5px')}
    ${({ theme }) => theme.bubble.large}
    ${({ theme }) => theme.media.phone} {
      padding-inline: 22px;
    }
  `,
};

export const buttonStyle = css<ButtonLook>`
  display: inline-flex;
  align-items: center;
  justify-content: center;
  gap: 8px;
  position: relative;
  background: ${({ $variant }) => colours[$variant].background};
  color: ${({ $variant }) => colours[$variant].text};
  border: 1px solid ${({ $variant }) => colours[$variant].border};
  ${semibold}
  line-height: 1.5;
  white-space: nowrap;
  ${({ $block }) => $block && 'inline-size: 100%;'}
  transition:
    background var(--fast),
    border-color var(--fast),
    transform var(--fast) var(--ease);
  ${({ $size }) => sizes[$size]}

  &:hover {
    background: ${({ $variant }) => colours[$variant].hover};
  }
  &:active {
    background: ${({ $variant }) => colours[$variant].active ?? colours[$variant].hover};
    transform: translateY(1px) scale(0.985);
  }
  &[aria-busy='true'] {
    cursor: progress;
    transform: none;
  }
  &:disabled {
    background: var(--sunken);
    color: var(--ink-3);
    border-color: var(--line);
    cursor: not-allowed;
    transform: none;
  }
`;
