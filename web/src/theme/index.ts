export { GlobalStyle } from './GlobalStyle.js';
export { hiddenText, isolatedLtr, semibold, small, textSize, tiny } from './mixins.js';
export { theme } from './theme.js';
export { daylight } from './tokens.js';
