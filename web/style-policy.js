import { createHash } from 'node:crypto';

const CHARSET = '<meta charset="utf-8" />';

/** Scripts add rules to elements that are empty when they are added. */
const NOTHING = '';

const sourceOf = (/** @type {string} */ text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The hashes of the styles in a page, for its policy. @param {string} html without a word of a user */
function styleSources(html) {
  const styles = [...html.matchAll(/<style[^>]*>([^]*?)<\/style>/g)].map(([, text]) => text);
  return [...new Set([NOTHING, ...styles].map(sourceOf))].join(' ');
}

function atStart(/** @type {string} */ html, /** @type {string} */ tag) {
  if (!html.includes(CHARSET)) throw new Error(`A page has no ${CHARSET}, after which its policy stands.`);
  return html.replace(CHARSET, () => `${CHARSET}\n    ${tag}`);
}

/**
 * Has a page refuse all styles but those that it has. The policy stands in the page, because it differs from page to page.
 * @param {string} html without a word of a user
 */
export const withStylePolicy = (html) =>
  atStart(html, `<meta http-equiv="Content-Security-Policy" content="style-src 'self' ${styleSources(html)}" />`);

/**
 * Leaves the policy to the gateway, which adds the styles of what it renders (services/gateway/src/rendering/html.ts).
 * @param {string} html without a word of a user
 */
export const withStyleSources = (html) => atStart(html, `<!--style-sources ${styleSources(html)}-->`);
