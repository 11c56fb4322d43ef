import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { minify } from 'vite';

const PLACE = /\s*\/\*before-paint\.js\*\/\s*/;

async function firstScript() {
  const source = await readFile(new URL('./before-paint.js', import.meta.url), 'utf8');
  return (await minify('before-paint.js', source, { module: false })).code;
}

/** Inlines the first script. @type {() => import('vite').Plugin} */
export const inlineFirstScript = () => ({
  name: 'inline-first-script',
  async transformIndexHtml(html) {
    const script = await firstScript();
    return html.replace(PLACE, () => script);
  },
});

/**
 * The content security policy allows this inline script.
 * @throws {Error} if it allows another: every page would be dead
 */
export async function checkFirstScript() {
  const source = `'sha256-${createHash('sha256')
    .update(await firstScript())
    .digest('base64')}'`;
  const headers = await readFile(new URL('./nginx/page-headers.conf', import.meta.url), 'utf8');
  if (!headers.includes(source))
    throw new Error(`before-paint.js has changed: script-src needs ${source}, in PAGE_HEADERS of common and nginx.`);
}
