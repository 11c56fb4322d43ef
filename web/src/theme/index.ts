export { barHeight, barHeights } from './bars.js';
export { headline, visuallyHidden, isolatedLtr, lineUntilOpen, semibold, small, textSize, tiny } from './mixins.js';
export { DESK, PHONE, STACKED, theme } from './theme.js';
export { lightTokens } from './tokens.js';
