import { styled } from 'styled-components';

/** A person's ground: their own tint, with the pattern drawn in its ink. */
export const PatternBanner = styled.div<{ $tint: number }>`
  background: ${({ $tint }) => `var(--avatar-${String($tint)})`};
  position: relative;
  overflow: hidden;
  &::before {
    content: '';
    position: absolute;
    inset: 0;
    background: ${({ $tint }) => MARKS[$tint] ?? 'var(--violet)'};
    opacity: 0.2;
    mask: url('/art/pattern.svg') 0 -20px;
  }
`;

const MARKS = ['var(--violet)', 'var(--rose-strong)', 'var(--gold-text)', 'var(--mint)', 'var(--on-violet)', 'var(--on-night)'];
