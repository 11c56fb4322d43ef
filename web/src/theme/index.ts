export { barHeight, barHeights } from './bars.js';
export { visuallyHidden, isolatedLtr, lineUntilOpen, semibold, small, textSize, tiny } from './mixins.js';
export { PHONE, theme } from './theme.js';
export { lightTokens } from './tokens.js';
