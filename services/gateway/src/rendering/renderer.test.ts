import { afterEach, expect, test } from '@jest/globals';
import { createLogger } from '@najwa/common/logging';
import { eventually } from '@najwa/testing';
import { PublicPages } from './index.js';
import { Renderer, type RenderTask } from './renderer.js';

const logger = createLogger({ service: 'test', level: 'silent' });

/** Stands in for the client's bundle; the username selects its behaviour. */
const BUNDLE = `
let pages = 0;
let timers = 0;
exports.renderWayBack = async ({ token }) => ({ body: 'way ' + token, styles: '' });
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
  return { body: username + ' ' + data.profile?.name, styles: String(pages) };
};`;

const renderers: Renderer[] = [];
afterEach(async () => {
  await Promise.all(renderers.splice(0).map((renderer) => renderer.close()));
});

function newRenderer({ isFair = false, timeLimitMs = 60_000 } = {}) {
  const renderer = new Renderer(BUNDLE, logger, { isFair, timeLimitMs });
  renderers.push(renderer);
  const render = (task: RenderTask, site = '192.0.2.0/24') => renderer.render(task, site);
  return { render };
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
  const { render } = newRenderer({ timeLimitMs: 3_000 });
  await render(request('noura'));
  expect(await render(request(username))).toBeUndefined();
  expect(await render(request('noura'))).toEqual({ body: 'noura Noura', styles: '1' });
});

test('refuses more than it can remember', async () => {
  const { render } = newRenderer();
  await render(request('noura'));
  const pages = await Promise.all(Array.from({ length: 100 }, () => render(request('noura'))));
  expect(pages.filter((page) => page === undefined).length).toBeGreaterThan(20);
  expect(pages.filter((page) => page !== undefined).length).toBeGreaterThan(60);
});

// Threat model: gateway-15.
test('sites take turns, so that one of them does not take the pages of others away', async () => {
  const { render } = newRenderer({ isFair: true });
  await render(request('noura'));
  const order: string[] = [];
  const ask = async (name: string, site: string) => {
    if ((await render(request(name), site)) !== undefined) order.push(name);
  };
  const flood = Array.from({ length: 100 }, (_, index) => ask(`flood${index}`, '2001:db8::/48'));
  await Promise.all([...flood, ask('noura', '192.0.2.0/24')]);
  expect(order.slice(0, 3)).toContain('noura');
  expect(order.length).toBeLessThan(20);
});

// Threat model: gateway-15.
test('unknown names are rendered once, and unknown ways back', async () => {
  const shells = { ar: '<div id="root"><!--body--></div>', en: '' };
  const file = { version: '1', shells, secretShells: shells, signInShells: shells, code: BUNDLE };
  const answer = { statusCode: 200, headers: {}, body: Buffer.from(JSON.stringify(file)) };
  const pages = new PublicPages({
    upstreams: { read: () => Promise.resolve(answer) },
    logger,
    isFair: true,
    tracking: 'full',
  });
  try {
    const page = {
      language: 'ar' as const,
      origin: 'https://najwa.example',
      asked: undefined,
      renderedAt: 0,
      site: 'a',
    };
    // Loading the thread's code may outlast a page.
    await eventually(async () => expect((await pages.write({ ...page, username: 'first' })).isRendered).toBe(true));
    const { html } = await pages.write({ ...page, username: 'second' });
    expect(String(html)).toContain('>first undefined</div>');
    const bodyOf = async (token: string, wayBack: object | null) => {
      const written = await pages.writeWayBack({ language: 'ar', token, data: { wayBack }, site: 'a' });
      return /">(.*)<\/div>/.exec(String(written?.html))?.[1];
    };
    expect([await bodyOf('one', null), await bodyOf('two', null), await bodyOf('three', {})]).toEqual([
      'way one',
      'way one',
      'way three',
    ]);
  } finally {
    await pages.stop();
  }
});
