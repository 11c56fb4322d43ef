/** The localStorage key of the id of the account that is signed in at this browser. before-paint.js reads it as well. */
export const SIGNED_IN = 'signed-in';

/** Event of the window: the account of this page is not signed in any more. */
export const ACCOUNT_LEFT = 'accountleft';
