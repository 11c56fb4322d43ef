/** Oldest supported browsers. The library in tsconfig.build.json has what all of them know. */
export const BROWSERS = ['chrome94', 'firefox93', 'safari15.4'];
