import { css } from 'styled-components';

const STEP = 2;

/** An attribute for `barHeights`: the policy of rendered pages refuses style attributes. */
export const barHeight = (percent: number) => ({ 'data-height': Math.ceil(percent / STEP) });

export const barHeights = css`
  ${Array.from({ length: 100 / STEP }, (_, index) => `i[data-height='${index + 1}']{block-size:${(index + 1) * STEP}%}`)}
`;
