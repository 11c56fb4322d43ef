import { afterEach, expect, test } from '@jest/globals';
import { createLogger } from '@najwa/common/logging';
import { eventually } from '@najwa/testing';
import { createRenderer, type Renderer } from './renderer.js';

const logger = createLogger({ service: 'test', level: 'silent' });
const TIME_LIMIT_MS = 3_000;

/** Stands for the client's bundle. What it does depends on the username. */
const BUNDLE = `
let pages = 0;
let timers = 0;
exports.renderPublicPage = async ({ username, data }) => {
  if (username === 'throws') throw new Error('broken');
  if (username === 'hangs') for (;;);
  if (username === 'dies') process.exit(1);
  if (username === 'times') {
    const styles = String(timers);
    setTimeout(() => (timers += 1), 1);
    return { body: '', styles };
  }
  pages += 1;
  return { body: username + ' ' + data.profile.name, styles: String(pages) };
};`;

const renderers: Renderer[] = [];
afterEach(async () => {
  await Promise.all(renderers.splice(0).map((renderer) => renderer.close()));
});

function newRenderer(): Renderer {
  const renderer = createRenderer(BUNDLE, logger, TIME_LIMIT_MS);
  renderers.push(renderer);
  return renderer;
}

const request = (username: string) => ({
  page: {
    language: 'ar' as const,
    pathname: `/m/${username}`,
    username,
    data: { profile: { name: 'Noura' } },
    renderedAt: 0,
  },
});

test('renders in one thread that lives on', async () => {
  const { render } = newRenderer();
  expect(await render(request('noura'))).toEqual({ body: 'noura Noura', styles: '1' });
  expect(await Promise.all([render(request('a')), render(request('b'))])).toEqual([
    { body: 'a Noura', styles: '2' },
    { body: 'b Noura', styles: '3' },
  ]);
});

test('lets timers fire while there is nothing to render', async () => {
  const { render } = newRenderer();
  await render(request('times'));
  await eventually(async () => expect(Number((await render(request('times')))?.styles)).toBeGreaterThan(0));
});

test('goes on after a page that cannot be rendered', async () => {
  const { render } = newRenderer();
  expect(await render(request('throws'))).toBeUndefined();
  expect(await render(request('noura'))).toEqual({ body: 'noura Noura', styles: '1' });
});

test.each(['hangs', 'dies'])('replaces a thread that %s', async (username) => {
  const { render } = newRenderer();
  await render(request('noura'));
  expect(await render(request(username))).toBeUndefined();
  expect(await render(request('noura'))).toEqual({ body: 'noura Noura', styles: '1' });
});

test('refuses more than it can remember', async () => {
  const { render } = newRenderer();
  const pages = await Promise.all(Array.from({ length: 100 }, () => render(request('noura'))));
  expect(pages.filter((page) => page === undefined).length).toBeGreaterThan(20);
  expect(pages.filter((page) => page !== undefined).length).toBeGreaterThan(60);
});
