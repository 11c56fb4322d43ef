import 'styled-components';
import type { Theme } from './theme.js';

declare module 'styled-components' {
  export interface DefaultTheme {
    depth: Theme['depth'];
    media: Theme['media'];
    bubble: Theme['bubble'];
    font: Theme['font'];
  }
}
