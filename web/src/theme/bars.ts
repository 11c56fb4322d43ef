import { css } from 'styled-components';

/** Heights come in steps of this many percent. */
const STEP = 2;

/**
 * Height of a bar in percent, as an attribute for `barHeights`. Pages come rendered, and their policy refuses styles in
 * attributes.
 */
export const barHeight = (percent: number) => ({ 'data-height': Math.ceil(percent / STEP) });

/** For a row of bars, which are `i` elements. */
export const barHeights = css`
  ${Array.from({ length: 100 / STEP }, (_, index) => `i[data-height='${index + 1}']{block-size:${(index + 1) * STEP}%}`)}
`;
