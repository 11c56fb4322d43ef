/** The oldest browsers that the client is built for. The library in tsconfig.json has what all of them know. */
export const BROWSERS = ['chrome94', 'firefox93', 'safari15.4'];
