/**
 * The Jest projects, with patterns of their files' paths in the checkout. The cheapest comes first.
 * @type {Readonly<Record<'unit' | 'web' | 'component' | 'journeys' | 'browser', string>>}
 */
export const PROJECT_FILES = {
  unit: String.raw`(proto|(services|deploy)/[^/]+)/src/.+\.test\.ts`,
  web: String.raw`web/src/.+\.test\.tsx?`,
  component: String.raw`(services|deploy)/[^/]+/tests/component/.+\.test\.ts`,
  journeys: String.raw`deploy/testing/tests/journeys/.+\.test\.ts`,
  browser: String.raw`web/e2e/.+\.test\.ts`,
};

/** First line of a suite that belongs to the long run, with the reason. */
export const LONG_RUN = /^\/\/ Long run: [^\n]+\.\n/;
