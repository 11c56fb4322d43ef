/** Under which a browser shows or plays what somebody sent, and does nothing else with it. */
export const INERT_HEADERS = {
  'Content-Disposition': 'inline',
  'Content-Security-Policy': "default-src 'none'",
  'X-Content-Type-Options': 'nosniff',
};
