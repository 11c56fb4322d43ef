import { styled } from 'styled-components';

const BACKGROUNDS = [
  'var(--violet-tint)',
  'var(--rose-tint)',
  'var(--gold-tint)',
  'var(--mint-tint)',
  'var(--violet)',
  'var(--night)',
];
const PATTERN_COLOURS = [
  'var(--violet)',
  'var(--rose-strong)',
  'var(--gold-text)',
  'var(--mint)',
  'var(--on-violet)',
  'var(--on-night)',
];

export const PatternBanner = styled.div<{ $tint: number }>`
  background: ${({ $tint }) => BACKGROUNDS[$tint] ?? 'var(--violet-tint)'};
  position: relative;
  overflow: hidden;
  &::before {
    content: '';
    position: absolute;
    inset: 0;
    background: ${({ $tint }) => PATTERN_COLOURS[$tint] ?? 'var(--violet)'};
    opacity: 0.2;
    mask: var(--pattern) 0 -20px;
  }
`;
