import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { IDENTITY_HEADER, WAY_BACK_HEADER } from '@najwa/common/identity';
import { eventually } from '@najwa/testing';
import { startGatewayBed, type GatewayBed } from '../support/bed.js';
import type { SeenRequest } from '../support/upstream.js';
import { serveWebClient } from '../support/web-client.js';

let bed: GatewayBed;
/** Answer of messages to a submission. */
let outcome: { status: number; body: object; headers?: Record<string, string> };
let seen: SeenRequest[];
/** Delays the next answers of messages, one each. */
let delays: Promise<void>[];
/** Of the way back. */
let turns: object[];

const profile = { id: 1, username: 'Noura', name: 'Noura', bio: '', avatar: null };
const TOKEN = 'abcdefghijklmnopqrstuv';

beforeAll(async () => {
  bed = await startGatewayBed({ MAX_UPLOADS: '2/2' });
  await serveWebClient(bed);
  bed.upstreams.auth.answer((request, response) => {
    const isKnown = request.url === '/api/users/noura';
    response
      .setHeader('Content-Type', 'application/json; charset=utf-8')
      .writeHead(isKnown ? 200 : 404)
      .end(JSON.stringify(isKnown ? profile : { message: 'User not found', code: 'user_not_found' }));
  });
  bed.upstreams.messages.answer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url = '', headers } = request;
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    if (url.startsWith('/api/messages/public/')) {
      response.setHeader('X-Total-Count', '0').end('[]');
      return;
    }
    seen.push({ method, url, headers, body: Buffer.concat(chunks).toString('utf8') });
    if (url === `/api/ways-back/${TOKEN}` && method === 'GET') {
      response.end(JSON.stringify({ content: 'words of the message', turns }));
      return;
    }
    if (url.startsWith('/api/ways-back/') && method === 'GET') {
      response.writeHead(404).end(JSON.stringify({ message: 'Gone.', code: 'message_not_found' }));
      return;
    }
    await delays.shift();
    if (outcome.status === 204) response.writeHead(204).end();
    else response.writeHead(outcome.status, outcome.headers).end(JSON.stringify(outcome.body));
  });
});
afterAll(() => bed.stop());
beforeEach(() => {
  seen = [];
  delays = [];
  turns = [{}];
  outcome = { status: 201, body: {} };
});

const VISITOR = `najwa_visitor=${TOKEN}`;
const OWN = { 'sec-fetch-site': 'same-origin', cookie: VISITOR };

function form(fields: Record<string, string>, picture?: Buffer): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  if (picture) data.set('image', new Blob([picture]), 'a.jpg');
  return data;
}

const post = (fields: Record<string, string>, headers: Record<string, string> = OWN, picture?: Buffer) =>
  bed.fetch('/m/noura', { method: 'POST', body: form(fields, picture), headers });

const submissions = () => seen.filter(({ method }) => method === 'POST');
const keysOf = (request: SeenRequest | undefined) => [
  request?.headers['idempotency-key'],
  request?.headers[WAY_BACK_HEADER],
];

describe('who may send the form', () => {
  // Threat model: gateway-2.
  test.each([
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
    ['a page of a neighbouring site', { 'sec-fetch-site': 'same-site' }],
    ['another origin, in a browser that says no more', { origin: 'https://evil.example' }],
    ['another origin that claims to be the same', { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' }],
    ['a sandboxed frame', { 'sec-fetch-site': 'cross-site', origin: 'null' }],
    ['an origin that is hidden', { origin: 'null' }],
    ['an origin that is hidden, with our page as referrer', { origin: 'null', referer: 'OWN/m/noura' }],
    ['a page of another site, without scripts', { referer: 'https://evil.example/m/noura' }],
    ['nobody knows who', {}],
  ])('a form is not %s', async (_who, headers: Record<string, string>) => {
    const own = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace('OWN', bed.origin)]),
    );
    const answer = await post({ content: 'from elsewhere' }, own);
    expect(answer.status).toBe(403);
    expect(await answer.text()).toBe(
      JSON.stringify({ message: 'This form did not come from our own pages.', code: 'cross_site' }),
    );
    for (const path of [`/r/${TOKEN}`, `/r/${TOKEN}?end`])
      expect((await bed.fetch(path, { method: 'POST', body: 'confirm=yes', headers: own })).status).toBe(403);
    expect(seen).toEqual([]);
  });

  test.each([
    ['our page', OWN],
    ['our page, without a referrer', { ...OWN, origin: 'null' }],
    ['our page, loaded again', { 'sec-fetch-site': 'none', origin: 'OWN', cookie: VISITOR }],
    ['our page in an older browser', { origin: 'OWN', cookie: VISITOR }],
    ['our page in a browser of text', { referer: 'OWN/m/noura', cookie: VISITOR }],
  ])('a form is %s', async (_who, headers: Record<string, string>) => {
    const own = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace('OWN', bed.origin)]),
    );
    expect((await post({ content: 'from here' }, own)).status).toBe(303);
    expect(submissions()).toHaveLength(1);
  });
});

describe('a message', () => {
  test('a message of a form goes to the service as a call of the API does, and leads to its way back', async () => {
    const picture = Buffer.from('not looked at here');
    const answer = await post({ content: 'two\r\nlines', ask: '5', other: 'x' }, OWN, picture);
    const [request] = submissions();
    expect(JSON.parse(request?.body ?? '')).toEqual({
      userId: 1,
      content: 'two\nlines',
      promptId: 5,
      imageUrl: `data:application/octet-stream;base64,${picture.toString('base64')}`,
    });
    expect(request).toMatchObject({ url: '/api/messages', headers: { 'content-type': 'application/json' } });
    expect(request?.headers[IDENTITY_HEADER]).toBeDefined();
    expect(request?.headers.cookie).toBeUndefined();
    const wayBack = String(request?.headers[WAY_BACK_HEADER]);
    expect(wayBack).toMatch(/^[\w-]{22}$/);
    expect([answer.status, answer.headers.get('location'), answer.headers.get('cache-control')]).toEqual([
      303,
      `/r/${wayBack}`,
      'no-store',
    ]);
  });

  test('a message of a form can come later, as another one than the same words at once', async () => {
    for (const fields of [{}, { later: 'true' }]) await post({ content: 'the same', ...fields });
    await bed.fetch(`/r/${TOKEN}`, { method: 'POST', body: form({ content: 'next', later: 'true' }), headers: OWN });
    const sent = submissions();
    const laterIn = ({ body }: SeenRequest) => (JSON.parse(body) as { later?: true }).later;
    expect(sent.map(laterIn)).toEqual([undefined, true, true]);
    expect(new Set(sent.map(({ headers }) => headers['idempotency-key'])).size).toBe(3);
  });

  test('a message sent again from one page is the same submission, and from another browser or a later page is not', async () => {
    const sendAs = (visitor: string, fields: Record<string, string>, picture?: Buffer) =>
      post({ content: 'twice', key: '60000', ...fields }, { ...OWN, cookie: `najwa_visitor=${visitor}` }, picture);
    await Promise.all([sendAs(TOKEN, {}), sendAs(TOKEN, {})]);
    const [first, second] = submissions().map(keysOf);
    expect(second).toEqual(first);
    await sendAs(TOKEN, { content: 'another' });
    await sendAs(TOKEN, { key: '120000' });
    await sendAs(TOKEN, {}, Buffer.from('a picture'));
    await sendAs(TOKEN.toUpperCase(), {});
    expect(new Set(submissions().map((request) => keysOf(request).join())).size).toBe(5);
  });

  test('a browser without the cookie sends its form once more with it, and its body is not read before', async () => {
    const { cookie: _, ...withoutCookie } = OWN;
    const first = await post({ content: 'first act' }, withoutCookie);
    expect([first.status, first.headers.get('location'), submissions()]).toEqual([307, '/m/noura?again', []]);
    const [cookie = ''] = first.headers.getSetCookie();
    expect(cookie).toMatch(/^najwa_visitor=[\w-]{22}; /);
    const again = (headers: Record<string, string>) =>
      bed.fetch('/m/noura?again', { method: 'POST', body: form({ content: 'first act' }), headers });
    const kept = { ...OWN, cookie: cookie.split(';')[0] ?? '' };
    // Without cookies, each press is a message of its own.
    for (const headers of [kept, kept, withoutCookie, withoutCookie]) expect((await again(headers)).status).toBe(303);
    expect(new Set(submissions().map((request) => keysOf(request).join())).size).toBe(3);
  });

  test('a form takes no way back and no key from the client', async () => {
    await post({ content: 'mine' }, { ...OWN, [WAY_BACK_HEADER]: TOKEN, 'idempotency-key': 'mine' });
    expect(keysOf(submissions()[0])).not.toContain(TOKEN);
    expect(keysOf(submissions()[0])).not.toContain('mine');
  });

  test('a refused message stays in the form, with the reason', async () => {
    outcome = {
      status: 429,
      body: { message: 'Too many.', code: 'too_many_requests' },
      headers: { 'retry-after': '120' },
    };
    const answer = await post({ content: 'words </textarea><script>' });
    const html = await answer.text();
    expect([answer.status, answer.headers.get('retry-after'), answer.headers.get('cache-control')]).toEqual([
      429,
      '120',
      'no-store',
    ]);
    expect(html).toContain('<main>ar:unsent too_many_requests 120</main>');
    expect(html).not.toContain('<script>');
    expect(JSON.parse(/id="page-data">(.*?)<\/script>/.exec(html)?.[1] ?? '')).toMatchObject({
      unsent: { content: 'words </textarea><script>', error: { status: 429, code: 'too_many_requests' } },
    });
  });

  test('a message stays in the form if its picture is too large, or its form broke', async () => {
    const large = await post({ content: 'with a picture' }, OWN, Buffer.alloc(5 * 1024 * 1024 + 1));
    expect([large.status, await large.text()]).toEqual([413, expect.stringContaining('"content":"with a picture"')]);
    const broken = await bed.fetch('/m/noura', {
      method: 'POST',
      headers: { ...OWN, 'content-type': 'multipart/form-data; boundary=x' },
      body: '--x\r\nContent-Disposition: form-data; name="content"\r\n\r\nhalf',
    });
    expect(broken.status).toBe(400);
    expect(submissions()).toEqual([]);
  });

  // Threat model: gateway-15.
  test('a message with a small picture counts as an upload until it is answered, and a text does not', async () => {
    let answerAll = (): void => undefined;
    const delay = new Promise<void>((resolve) => (answerAll = resolve));
    delays = [delay, delay];
    const picture = Buffer.from('small');
    const held = [post({ content: 'first' }, OWN, picture), post({ content: 'second' }, OWN, picture)];
    await eventually(() => expect(submissions()).toHaveLength(2));
    const statuses = [
      (await post({ content: 'third' }, OWN, picture)).status,
      (await post({ content: 'text' })).status,
    ];
    answerAll();
    expect(statuses).toEqual([503, 303]);
    for (const { status } of await Promise.all(held)) expect(status).toBe(303);
  });

  test('a message to an unknown name gets the missing page, and other methods stay refused', async () => {
    expect((await bed.fetch('/m/nobody', { method: 'POST', body: form({ content: 'a' }), headers: OWN })).status).toBe(
      404,
    );
    expect((await bed.fetch('/m/noura', { method: 'PUT', headers: OWN })).status).toBe(405);
    expect((await bed.fetch('/about', { method: 'POST', headers: OWN })).status).toBe(405);
    expect(submissions()).toEqual([]);
  });
});

describe('a way back', () => {
  const SECRET = { 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex', 'cache-control': 'no-store' };

  test('the page of a way back is rendered and never stored', async () => {
    const answer = await bed.fetch(`/r/${TOKEN}`);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject(SECRET);
    expect(await answer.text()).toContain('<main>ar:words of the message shown </main>');
    expect(seen[0]?.url).toBe(`/api/ways-back/${TOKEN}`);
    const gone = await bed.fetch(`/r/${TOKEN.toUpperCase()}`, { headers: { cookie: 'language=en' } });
    expect([gone.status, await gone.text()]).toEqual([404, expect.stringContaining('<main>en:nothing</main>')]);
  });

  test.each([
    ['deleted', 'delete', '', '', 'already_read'],
    ['ended', 'end', '?end', '/conversation', 'too_many_requests'],
  ])('a way back is %s by its own form, after one question', async (_what, act, query, path, refusal) => {
    const send = async (body: string) => {
      const headers = { ...OWN, 'content-type': 'application/x-www-form-urlencoded' };
      const answer = await bed.fetch(`/r/${TOKEN}${query}`, { method: 'POST', headers, body });
      expect(Object.fromEntries(answer.headers)).toMatchObject(SECRET);
      return [answer.status, /<main>(.*)<\/main>/.exec(await answer.text())?.[1]];
    };
    const target = `/api/ways-back/${TOKEN}${path}`;
    const called = () => seen.filter(({ method, url }) => method === 'DELETE' && url === target);
    expect(await send('')).toEqual([200, `ar:words of the message ${act} `]);
    expect(called()).toHaveLength(0);
    outcome = { status: 409, body: { message: 'Refused.', code: refusal } };
    expect((await send('confirm=yes'))[1]).toBe(`ar:words of the message ${act} ${refusal}`);
    outcome = { status: 204, body: {} };
    expect(await send('confirm=yes')).toEqual([200, `ar:words of the message ${act} done`]);
    expect(called()).toHaveLength(2);
  });

  test('what is left of a conversation is shown once its last message is deleted', async () => {
    turns = [{}, {}, {}];
    outcome = { status: 204, body: {} };
    const headers = { ...OWN, 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await bed.fetch(`/r/${TOKEN}`, { method: 'POST', headers, body: 'confirm=yes' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/r/${TOKEN}`]);
  });

  test('a further message goes by its own form, once for all presses on one page, and stays there if it is refused', async () => {
    const next = (fields: Record<string, string>, headers = OWN, picture?: Buffer) =>
      bed.fetch(`/r/${TOKEN}`, { method: 'POST', headers, body: form(fields, picture) });
    const { cookie: _, ...withoutCookie } = OWN;
    const picture = Buffer.from('not looked at here');
    const answer = await next({ content: 'two\r\nlines', key: '2' }, OWN, picture);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/r/${TOKEN}`]);
    const [request] = submissions();
    expect([request?.url, JSON.parse(request?.body ?? '')]).toEqual([
      `/api/ways-back/${TOKEN}/messages`,
      { content: 'two\nlines', imageUrl: `data:application/octet-stream;base64,${picture.toString('base64')}` },
    ]);
    expect(request?.headers[WAY_BACK_HEADER]).toBeUndefined();
    for (const [fields, headers] of [
      [{ content: 'more', key: '2' }, OWN],
      [{ content: 'more', key: '2' }, withoutCookie],
      [{ content: 'more', key: '4' }, OWN],
    ] as const)
      expect((await next(fields, headers as typeof OWN)).status).toBe(303);
    const [, first, again, later] = submissions().map(({ headers }) => headers['idempotency-key']);
    expect([again === first, later === first]).toEqual([true, false]);

    outcome = { status: 409, body: { message: 'Wait.', code: 'not_your_turn' } };
    const refused = await next({ content: 'kept words', key: '2' });
    expect(Object.fromEntries(refused.headers)).toMatchObject(SECRET);
    expect([refused.status, /<main>(.*)<\/main>/.exec(await refused.text())?.[1]]).toEqual([
      409,
      'ar:words of the message unsent kept words not_your_turn',
    ]);
    const elsewhere = await next({ content: 'from elsewhere' }, { ...OWN, 'sec-fetch-site': 'cross-site' });
    expect(elsewhere.status).toBe(403);
  });

  test('a way back is the plain client while its service is away', async () => {
    bed.upstreams.messages.answer((_request, response) => {
      response.writeHead(503).end();
    });
    expect(await (await bed.fetch(`/r/${TOKEN}`)).text()).toBe('the plain client');
  });
});
