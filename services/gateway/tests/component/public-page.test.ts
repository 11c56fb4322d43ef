import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { UserUpdated } from '@najwa/proto/events';
import { eventually } from '@najwa/testing';
import { startGatewayBed, type GatewayBed } from '../support/bed.js';
import { serveWebClient } from '../support/web-client.js';

let bed: GatewayBed;
const profile = { id: 1, username: 'Noura', name: 'نورة </title>', bio: '', avatar: '/image/a.webp' };
const prompts = [
  { id: 5, content: '</script><script>alert(5)</script>' },
  { id: 6, content: 'ماذا أقرأ بعد؟' },
];
let messages = [{ id: 9, content: '</script><script>alert(1)</script>' }];

beforeAll(async () => {
  bed = await startGatewayBed();
  await serveWebClient(bed);
  bed.upstreams.auth.answer((request, response) => {
    const isKnown = ['/api/users/noura', '/api/users/noura.', '/api/users/crowd', '/api/users/asker'].includes(
      request.url ?? '',
    );
    const asked = request.url === '/api/users/asker' ? { prompts } : {};
    response
      .setHeader('Content-Type', 'application/json; charset=utf-8')
      .writeHead(isKnown ? 200 : 404)
      .end(JSON.stringify(isKnown ? { ...profile, ...asked } : { message: 'User not found', code: 'user_not_found' }));
  });
  bed.upstreams.messages.answer((_request, response) => {
    response
      .setHeader('Content-Type', 'application/json; charset=utf-8')
      .setHeader('X-Total-Count', '12')
      .setHeader('Link', '</api/messages/public/1?before=9>; rel="next"')
      .end(JSON.stringify(messages));
  });
});
afterAll(() => bed.stop());

async function renderedPage(path: string, init?: RequestInit): Promise<{ answer: Response; html: string }> {
  const answer = await bed.fetch(path, init);
  const html = await answer.text();
  expect(html).toContain('data-rendered');
  expect(html).not.toContain('not complete');
  return { answer, html };
}

const dataOf = (html: string): unknown => JSON.parse(/id="page-data">(.*?)<\/script>/.exec(html)?.[1] ?? 'null');

test('a link with a question of the account gets a page of its own, and any other the usual one', async () => {
  const promptsOf = async (query: string): Promise<unknown> => {
    const { html } = await renderedPage(`/m/asker${query}`);
    expect(html).not.toContain('<script>');
    return (dataOf(html) as { profile: { prompts?: unknown } }).profile.prompts;
  };
  expect(await promptsOf('')).toBeUndefined();
  expect(await promptsOf('?ask=5')).toEqual([prompts[0]]);
  expect(await promptsOf('?from=x&ask=6')).toEqual([prompts[1]]);
  const plain = await renderedPage('/m/asker');
  for (const made of ['?ask=7', '?ask=x', '?ask=', '?ask=5x', '?ask=05'])
    expect((await renderedPage(`/m/asker${made}`)).answer.headers.get('etag')).toBe(plain.answer.headers.get('etag'));
});

// Threat model: witness-2, visitor-3.
test('the page of an account has its preview tags and its first messages', async () => {
  const { answer, html } = await renderedPage('/m/NOURA');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(answer.headers.get('content-security-policy')).toBe("default-src 'self'");
  expect(answer.headers.get('cache-control')).toBe('public, max-age=0, s-maxage=1, must-revalidate');
  expect(answer.headers.get('vary')).toBe('Accept-Encoding, Cookie');
  expect(html).toContain('<title>نورة &lt;/title&gt; · نجوى</title>');
  expect(html).toContain(`<link rel="canonical" href="${bed.origin}/m/Noura" />`);
  expect(html).toContain(`<meta property="og:image" content="${bed.origin}/og/Noura.png?v=`);
  expect(html).not.toContain('<script>');
  expect(html).toContain('<style>main{}</style>');
  expect(html).toMatch(/<div id="root" data-rendered="\d{13}"><main>ar:9<\/main><\/div>/);
  // To the minute: the exact time would reveal when the page was last dropped.
  const renderedAt = Number(/data-rendered="(\d+)"/.exec(html)?.[1]);
  expect(renderedAt % 60_000).toBe(0);
  expect(html).toContain(`<input type="hidden" name="key" form="message-form" value="${renderedAt}" /></body>`);
  expect(dataOf(html)).toEqual({
    profile,
    messages: { items: messages, link: '</api/messages/public/1?before=9>; rel="next"', total: 12 },
  });
});

test('the page is in the language that the reader has chosen', async () => {
  const { html } = await renderedPage('/m/noura', { headers: { cookie: 'a=b; language=en' } });
  expect(html).toContain('<html lang="en">');
  expect(html).toContain('<main>en:9</main>');
});

test('the page is written again when the profile changes, and is 304 until then', async () => {
  const etag = (await bed.fetch('/m/noura')).headers.get('etag') ?? '';
  expect((await bed.fetch('/m/noura', { headers: { 'if-none-match': etag } })).status).toBe(304);
  messages = [];
  await rename('نوف');
  await eventually(async () => {
    const again = await bed.fetch('/m/noura', { headers: { 'if-none-match': etag } });
    expect([again.status, (await again.text()).includes('<title>نوف · نجوى</title>')]).toEqual([200, true]);
  });
});

test('costs the services one question, however many open it at once', async () => {
  const { auth, messages: list } = bed.upstreams;
  for (const { seen } of [auth, list]) seen.length = 0;
  const site = { headers: { cookie: 'language=en' } };
  const pages = await Promise.all(Array.from({ length: 100 }, async () => (await bed.fetch('/m/crowd', site)).text()));
  expect([new Set(pages).size, auth.seen.length]).toEqual([1, 1]);
  expect(list.seen.length).toBeLessThanOrEqual(1);
});

test('the page is the same for everyone who reads it, and sets no cookie', async () => {
  const { headers } = bed.signIn({ userId: 1 });
  const readers = [{}, headers, { cookie: 'najwa_visitor=abcdefghijklmnopqrstuv' }, { 'user-agent': 'another' }];
  for (const encoding of ['identity', 'gzip', 'br']) {
    const seen = new Set<string>();
    for (const reader of readers) {
      const answer = await bed.fetch('/m/noura', { headers: { ...reader, 'accept-encoding': encoding } });
      expect(answer.headers.get('content-encoding') ?? 'identity').toBe(encoding);
      expect(answer.headers.getSetCookie()).toEqual([]);
      seen.add(`${answer.headers.get('etag')} ${await answer.text()}`);
    }
    expect(seen.size).toBe(1);
  }
});

describe('the picture in a page', () => {
  const see = (path = '/m/NOURA/seen', init: RequestInit = {}) => bed.fetch(path, init);

  // Threat model: owner-25.
  test('the picture in a page makes each browser a visitor once, also two of a kind in one network', async () => {
    const first = await see();
    const [cookie = ''] = first.headers.getSetCookie();
    expect([first.status, first.headers.get('cache-control'), await first.text()]).toEqual([204, 'no-store', '']);
    expect(cookie).toMatch(/^najwa_visitor=[\w-]{22}; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/);
    const again = await see(undefined, { headers: { cookie: cookie.split(';')[0] ?? '' } });
    expect([again.status, again.headers.getSetCookie()]).toEqual([204, []]);
    expect((await see()).headers.getSetCookie()).not.toEqual([cookie]);
  });

  test.each([
    ['an unknown account', '/m/nobody/seen', {}],
    ['a page of another site', '/m/noura/seen', { headers: { 'sec-fetch-site': 'cross-site' } }],
    ['its head', '/m/noura/seen', { method: 'HEAD' }],
  ])('the picture sets no cookie for %s', async (_what, path, init) => {
    const answer = await see(path, init);
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([204, []]);
  });
});

// Threat model: visitor-2.
test('answers 404 for an unknown account, which search engines do not list', async () => {
  const { answer, html } = await renderedPage('/m/nobody');
  expect(answer.status).toBe(404);
  expect(html).toContain('<meta name="robots" content="noindex" />');
  expect(html).toContain('<main>ar:nobody</main>');
  expect(dataOf(html)).toEqual({ profile: null });
});

test('redirects a link with the dot of a sentence, and finds no account under another name with one', async () => {
  const answer = await bed.fetch('/m/NOURA.?ask=5');
  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/m/Noura?ask=5']);
  expect((await bed.fetch('/m/nobody.')).status).toBe(404);
});

async function rename(name: string): Promise<void> {
  profile.name = name;
  await bed.publish({
    $case: 'userUpdated',
    value: UserUpdated.fromJSON({ userId: 1, username: 'Noura', changesPublic: true }),
  });
}

test('waits for what takes long to render', async () => {
  await rename('slow');
  await eventually(async () => {
    const { html } = await renderedPage('/m/noura');
    expect(html).toContain('<title>slow · Najwa</title>');
  });
});

test('the page has tags and data alone if it cannot be rendered, and says that it is not complete', async () => {
  await rename('broken');
  await eventually(async () => {
    const html = await (await bed.fetch('/m/noura')).text();
    expect(html).toContain('<title>broken · Najwa</title>');
    expect(html).toContain('<noscript>not complete</noscript><div id="root"></div>');
    expect(dataOf(html)).toMatchObject({ profile: { name: 'broken' } });
  });
});

test('the page is the plain client while the services are away', async () => {
  bed.upstreams.auth.answer((_request, response) => {
    response.writeHead(503).end();
  });
  const answer = await bed.fetch('/m/somebody');
  expect([answer.status, await answer.text()]).toEqual([200, 'the plain client']);
});
