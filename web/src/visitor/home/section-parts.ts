import { css, styled } from 'styled-components';
import { Container } from '../../ui/index.js';
import { headline, textSize } from '../../theme/index.js';

/** A hash can focus it. */
export const Section = styled(Container).attrs({ as: 'section', tabIndex: -1 })`
  padding-block-start: 112px;
  &:focus {
    outline: 0;
  }
  ${({ theme }) => theme.media.phone} {
    padding-block-start: 72px;
  }
`;

export const sectionTitle = css`
  ${headline('42px', '40px', 1.35, 1.14)}
  ${({ theme }) => theme.media.phone} {
    ${textSize('32px', '30px')}
  }
`;

export const SectionHeader = styled.header`
  display: grid;
  gap: 10px;
  margin-block-end: 36px;
  max-inline-size: 640px;
  h2 {
    ${sectionTitle}
  }
  p {
    color: var(--ink-2);
  }
  ${({ theme }) => theme.media.phone} {
    margin-block-end: 24px;
  }
`;

export const darkSurface = css`
  background: var(--night);
  color: var(--on-night);
  position: relative;
  overflow: hidden;
  isolation: isolate;
  &::before {
    content: '';
    position: absolute;
    inset: 0;
    z-index: -1;
    background: var(--pattern-light);
    opacity: 0.055;
  }
`;
