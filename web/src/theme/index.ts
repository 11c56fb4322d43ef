export { barHeight, barHeights } from './bars.js';
export {
  dottedLine,
  headline,
  visuallyHidden,
  isolatedLtr,
  lineUntilOpen,
  restsUntilHydrated,
  semibold,
  SEPARATED,
  small,
  textSize,
  tiny,
} from './mixins.js';
export { PHONE, STACKED, theme } from './theme.js';
export { lightTokens } from './tokens.js';
