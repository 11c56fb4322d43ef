import { createHash } from 'node:crypto';

const CHARSET = '<meta charset="utf-8" />';

/** Scripts add rules to elements that are empty when added. */
const NOTHING = '';

const sourceOf = (/** @type {string} */ text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Hashes of a page's styles, for its policy. @param {string} html without user text */
function styleSources(html) {
  const styles = [...html.matchAll(/<style[^>]*>([^]*?)<\/style>/g)].map(([, text]) => text);
  return [...new Set([NOTHING, ...styles].map(sourceOf))].join(' ');
}

function atStart(/** @type {string} */ html, /** @type {string} */ tag) {
  if (!html.includes(CHARSET)) throw new Error(`A page has no ${CHARSET}, after which its policy stands.`);
  return html.replace(CHARSET, () => `${CHARSET}\n    ${tag}`);
}

/**
 * Refuses all styles but the page's own. In the page, because it differs between pages.
 * @param {string} html without user text
 */
export const withStylePolicy = (html) =>
  atStart(html, `<meta http-equiv="Content-Security-Policy" content="style-src 'self' ${styleSources(html)}" />`);

/**
 * Leaves the policy to the gateway, which adds styles of its own (services/gateway/src/rendering/html.ts).
 * @param {string} html without user text
 */
export const withStyleSources = (html) => atStart(html, `<!--style-sources ${styleSources(html)}-->`);
