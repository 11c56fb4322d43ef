import 'styled-components';
import type { Theme } from './theme.js';

declare module 'styled-components' {
  export interface DefaultTheme {
    zIndex: Theme['zIndex'];
    media: Theme['media'];
    bubble: Theme['bubble'];
    font: Theme['font'];
  }
}
