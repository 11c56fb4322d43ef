import { css, styled } from 'styled-components';
import { textSize } from '../theme/index.js';

/** Between two facts of a line: about 12 px, no break before it. */
export const FACTS_GAP = '\u00a0\u00a0 ';

/** Wraps. The gap is in pixels; between lines at most 8. */
export const Row = styled.div<{ $gap?: number; $between?: boolean }>`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: ${({ $gap = 12 }) => `${Math.min($gap, 8)}px ${$gap}px`};
  justify-content: ${({ $between = false }) => ($between ? 'space-between' : 'normal')};
`;

export const ListHeader = styled(Row).attrs({ as: 'header' })`
  padding-block-start: 8px;
  h2 {
    ${textSize('24px', '21px')}
  }
  > button {
    margin-inline-start: auto;
  }
  ${({ theme }) => theme.media.phone} {
    gap: 8px;
  }
`;

/** A bar at the start of the row that the pane shows. */
export const currentRow = css`
  background: var(--violet-tint);
  &::before {
    content: '';
    position: absolute;
    inset-block: 12px;
    inset-inline-start: 0;
    inline-size: 4px;
    background: var(--violet);
    border-start-end-radius: 4px;
    border-end-end-radius: 4px;
  }
`;
