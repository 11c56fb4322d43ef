import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startGatewayBed, type GatewayBed, type SignedIn } from '../support/bed.js';
import type { SeenRequest } from '../support/upstream.js';
import { serveWebClient } from '../support/web-client.js';

interface Outcome {
  status: number;
  body: object;
  headers?: Record<string, string>;
}

let bed: GatewayBed;
let begun: SignedIn;
/** Auth's answers by path. */
let outcomes: Record<string, Outcome>;
let seen: SeenRequest[];

const VISITOR = 'najwa_visitor=abcdefghijklmnopqrstuv';
const SECRET = 'correct horse battery';
const CODES = ['aaaa1111', 'bbbb2222'];
const ACCOUNT = { id: 7, username: 'noura' };
const LOGIN = { username: ' Noura ', password: SECRET };
const REGISTRATION = {
  name: 'نورة',
  username: 'noura',
  password: SECRET,
  confirmPassword: SECRET,
  bio: 'two\r\nlines',
  terms: 'on',
};
const PAGES = { login: '/auth?tab=login', register: '/auth' };

beforeAll(async () => {
  bed = await startGatewayBed();
  begun = bed.signIn({ userId: 7 });
  await serveWebClient(bed);
  bed.upstreams.auth.answer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url = '', headers } = request;
    seen.push({ method, url, headers, body: Buffer.concat(chunks).toString('utf8') });
    const { status, body, headers: own } = outcomes[url] ?? { status: 404, body: {} };
    response
      .setHeader('Content-Type', 'application/json; charset=utf-8')
      .writeHead(status, own)
      .end(JSON.stringify(body));
  });
});
afterAll(() => bed.stop());
beforeEach(() => {
  seen = [];
  const cookie = { 'set-cookie': `najwa_session=${begun.token}; Path=/; HttpOnly` };
  outcomes = {
    '/api/login': { status: 200, body: ACCOUNT, headers: cookie },
    '/api/register': { status: 201, body: ACCOUNT, headers: cookie },
    '/api/recovery-codes': { status: 201, body: { codes: CODES } },
    '/api/user': { status: 200, body: ACCOUNT },
  };
});

const OWN = { 'sec-fetch-site': 'same-origin', cookie: VISITOR };

const post = (
  kind: keyof typeof PAGES,
  fields: Record<string, string> = kind === 'login' ? LOGIN : REGISTRATION,
  headers: Record<string, string> = OWN,
) => bed.fetch(PAGES[kind], { method: 'POST', body: new URLSearchParams(fields), headers });

const calls = () => seen.map(({ method, url }) => `${method} ${url}`);
const dataOf = (html: string): unknown => JSON.parse(/id="page-data">(.*?)<\/script>/.exec(html)?.[1] ?? '');
const refuse = (path: string, status: number, body: object, headers = {}) => {
  outcomes[path] = { status, body, headers };
};

describe.each(['login', 'register'] as const)('the form for %s', (kind) => {
  // Threat model: gateway-3.
  test.each([
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
    ['a page of a neighbouring site', { 'sec-fetch-site': 'same-site' }],
    ['another origin, in a browser that says no more', { origin: 'https://evil.example' }],
    ['another origin that claims to be the same', { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' }],
    ['an origin that is hidden', { origin: 'null' }],
    ['a page of another site, without scripts', { referer: 'https://evil.example/auth' }],
    ['an unknown sender', {}],
  ])('refuses to sign in for %s', async (_who, headers) => {
    const answer = await post(kind, undefined, { ...headers, cookie: VISITOR });
    expect([answer.status, await answer.text()]).toEqual([
      403,
      JSON.stringify({ message: 'This form did not come from our own pages.', code: 'cross_site' }),
    ]);
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect(seen).toEqual([]);
  });

  // Threat model: gateway-4.
  test.each(['ar', 'en'])('comes back in %s with the reason, what was typed, and no password', async (language) => {
    const reason = { message: 'No.', code: 'too_many_requests' };
    refuse(`/api/${kind}`, 429, reason, { 'retry-after': '120' });
    const answer = await post(kind, undefined, { ...OWN, cookie: `${VISITOR}; language=${language}` });
    const html = await answer.text();
    expect([answer.status, answer.headers.get('retry-after'), answer.headers.get('cache-control')]).toEqual([
      429,
      '120',
      'no-store',
    ]);
    expect(answer.headers.get('content-security-policy')).toBe("default-src 'self'");
    expect(html).toContain(`<html lang="${language}">`);
    expect(html).toContain(`<title>of ${PAGES[kind]}</title>`);
    expect(html).toContain(`<main>${language}:${PAGES[kind]} too_many_requests</main>`);
    expect(html).not.toContain(SECRET);
    const kept =
      kind === 'login' ? { username: ' Noura ' } : { name: 'نورة', username: 'noura', bio: 'two\nlines', terms: 'on' };
    expect(dataOf(html)).toEqual({ refused: { kept, error: { ...reason, status: 429, retryAfter: 120 } } });
    expect(answer.headers.get('set-cookie')).toBeNull();
  });

  test('refuses to sign in without cookies, and asks no service', async () => {
    const headers = { 'sec-fetch-site': 'same-origin' };
    const first = await post(kind, undefined, headers);
    const path = first.headers.get('location') ?? '';
    expect([first.status, path]).toEqual([307, kind === 'login' ? '/auth?tab=login&again' : '/auth?again']);
    expect(first.headers.get('set-cookie')).toMatch(/^najwa_visitor=[\w-]{22};/);
    const again = { method: 'POST', body: new URLSearchParams(LOGIN), headers };
    const answer = await bed.fetch(path, again);
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('no_cookies</main>')]);
    expect(seen).toEqual([]);
  });

  test('the sign-in form is taken in one way of writing, and in no more than a page can send', async () => {
    const json = await bed.fetch(PAGES[kind], {
      method: 'POST',
      headers: { ...OWN, 'content-type': 'application/json' },
      body: JSON.stringify(LOGIN),
    });
    expect(json.status).toBe(415);
    const large = await post(kind, { ...LOGIN, bio: 'a'.repeat(200_000) });
    expect(large.status).toBe(413);
    const empty = await bed.fetch(PAGES[kind], { method: 'POST', headers: OWN });
    expect(empty.status).toBe(415);
    expect(seen).toEqual([]);
  });

  test('says in a page that the service is away', async () => {
    refuse(`/api/${kind}`, 503, { message: 'Away.', code: 'unavailable' });
    const answer = await post(kind);
    expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining(' unavailable</main>')]);
  });
});

test('a form that is refused before it was read keeps its fields as well', async () => {
  const leaving = bed.signIn({ isLeaving: true });
  const answer = await post('register', undefined, { ...OWN, cookie: `${VISITOR}; ${leaving.headers.cookie}` });
  expect(answer.status).toBe(403);
  expect(dataOf(await answer.text())).toMatchObject({
    refused: { kept: { username: 'noura' }, error: { code: 'account_leaving' } },
  });
  expect(seen).toEqual([]);
});

describe('signing in', () => {
  test('signing in is the call of the API, and goes on to the own page with its cookie', async () => {
    const answer = await post(
      'login',
      { ...LOGIN, other: 'x' },
      { ...OWN, 'user-agent': 'Lynx', 'x-najwa-proof': 'x' },
    );
    expect([answer.status, answer.headers.get('location'), answer.headers.get('cache-control')]).toEqual([
      303,
      '/profile',
      'no-store',
    ]);
    expect(answer.headers.get('set-cookie')).toContain(`najwa_session=${begun.token}`);
    const [call] = seen;
    expect(calls()).toEqual(['POST /api/login']);
    expect(JSON.parse(call?.body ?? '')).toEqual({ username: 'Noura', password: SECRET });
    expect(call?.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'Lynx' });
    expect([call?.headers.cookie, call?.headers['idempotency-key']]).toEqual([undefined, undefined]);
    const { user, visitorByAddress } = await bed.identityOf(call);
    expect([user, visitorByAddress]).toEqual([null, undefined]);
  });

  // Threat model: gateway-4.
  test('asks for the code of the second step, and sends it', async () => {
    refuse('/api/login', 401, { message: 'Code.', code: 'totp_required', fields: { code: 'wrong' } });
    const html = await (await post('login', { ...LOGIN, code: '123456' })).text();
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({ username: 'Noura', password: SECRET, code: '123456' });
    expect(dataOf(html)).toMatchObject({ refused: { error: { code: 'totp_required', fields: { code: 'wrong' } } } });
    expect(html).not.toContain('123456');
  });

  test('a login with a session passes it on, so that it ends', async () => {
    const earlier = bed.signIn({ userId: 9 });
    const answer = await post('login', undefined, { ...OWN, cookie: `${VISITOR}; ${earlier.headers.cookie}` });
    expect(answer.status).toBe(303);
    expect((await bed.identityOf(seen[0])).user?.id).toBe(9);
  });
});

describe('a new account', () => {
  const created = async (headers = OWN) => {
    const answer = await post('register', undefined, headers);
    return { answer, html: await answer.text() };
  };

  test('registration is the call of the API, and its page shows the recovery codes this once', async () => {
    const { answer, html } = await created();
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([201, 'no-store']);
    expect(answer.headers.get('set-cookie')).toContain(`najwa_session=${begun.token}`);
    expect(calls()).toEqual(['POST /api/register', 'POST /api/recovery-codes']);
    const [registration, codes] = seen;
    expect(JSON.parse(registration?.body ?? '')).toEqual({ ...REGISTRATION, bio: 'two\nlines', terms: true });
    expect(JSON.parse(codes?.body ?? '')).toEqual({ password: SECRET });
    expect((await bed.identityOf(codes)).user?.id).toBe(7);
    expect(dataOf(html)).toEqual({ created: { username: 'noura', host: new URL(bed.origin).host, codes: CODES } });
    expect(html).not.toContain(SECRET);
  });

  test('a new account is there without codes if they could not be made', async () => {
    refuse('/api/recovery-codes', 429, { message: 'Wait.', code: 'too_many_requests' });
    const { answer, html } = await created();
    expect(answer.status).toBe(201);
    expect(answer.headers.get('set-cookie')).toContain(`najwa_session=${begun.token}`);
    expect(dataOf(html)).toEqual({ created: { username: 'noura', host: new URL(bed.origin).host, codes: null } });
  });

  // Threat model: gateway-4.
  test('an account is made once by two presses, whose key reveals nothing of the password', async () => {
    await post('register');
    await post('register', { ...REGISTRATION, password: 'another one', confirmPassword: 'another one' });
    await post('register', { ...REGISTRATION, username: 'salma' });
    await post('register', undefined, { ...OWN, cookie: 'najwa_visitor=ABCDEFGHIJKLMNOPQRSTUV' });
    const keys = seen.filter(({ url }) => url === '/api/register').map(({ headers }) => headers['idempotency-key']);
    expect(keys[1]).toBe(keys[0]);
    expect(new Set(keys).size).toBe(3);
  });

  test('whose page of codes is loaded again leads to the own page', async () => {
    refuse('/api/register', 409, { message: 'Taken.', code: 'username_taken', fields: { username: 'taken' } });
    const cookie = `${VISITOR}; ${begun.headers.cookie}`;
    const again = (await created({ ...OWN, cookie })).answer;
    expect([again.status, again.headers.get('location')]).toEqual([303, '/profile']);
    for (const headers of [OWN, { ...OWN, cookie: `${VISITOR}; ${bed.signIn({ userId: 9 }).headers.cookie}` }]) {
      outcomes['/api/user'] = { status: 200, body: { username: 'salma' } };
      const { answer, html } = await created(headers);
      expect(answer.status).toBe(409);
      expect(dataOf(html)).toMatchObject({ refused: { error: { fields: { username: 'taken' } } } });
    }
  });

  test('a new account needs the terms', async () => {
    const { terms: _terms, ...rest } = REGISTRATION;
    refuse('/api/register', 400, { message: 'No.', code: 'invalid_input', fields: { terms: 'terms_required' } });
    const html = await (await post('register', rest)).text();
    expect(JSON.parse(seen[0]?.body ?? '')).toMatchObject({ terms: false });
    expect(dataOf(html)).toMatchObject({ refused: { error: { fields: { terms: 'terms_required' } } } });
  });
});

describe('the notice on the own pages', () => {
  // Threat model: gateway-2.
  test('signs out by a form of our own pages alone', async () => {
    outcomes['/api/logout'] = { status: 204, body: {}, headers: { 'set-cookie': 'najwa_session=; Path=/; Max-Age=0' } };
    const signOut = (headers: Record<string, string>) =>
      bed.fetch('/sign-out', { method: 'POST', headers: { cookie: begun.headers.cookie, ...headers } });
    expect((await signOut({ 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect(seen).toEqual([]);
    const answer = await signOut({ 'sec-fetch-site': 'same-origin' });
    expect([answer.status, answer.headers.get('location'), answer.headers.get('set-cookie')]).toEqual([
      303,
      '/',
      'najwa_session=; Path=/; Max-Age=0',
    ]);
    expect(calls()).toEqual(['POST /api/logout']);
    expect((await bed.identityOf(seen[0])).user?.id).toBe(7);
  });

  test('leads to the own public page, and visitors to the sign-in', async () => {
    const own = await bed.fetch('/own-page', { headers: begun.headers });
    expect([own.status, own.headers.get('location'), own.headers.get('cache-control')]).toEqual([
      302,
      '/m/noura',
      'no-store',
    ]);
    expect((await bed.identityOf(seen[0])).user?.id).toBe(7);
    const visitor = await bed.fetch('/own-page');
    expect([visitor.status, visitor.headers.get('location')]).toEqual([302, '/auth?tab=login']);
    expect(calls()).toEqual(['GET /api/user']);
  });
});

test('nothing else of the page can be sent, and other methods stay refused', async () => {
  expect((await bed.fetch('/auth', { method: 'PUT', headers: OWN })).status).toBe(405);
  expect((await bed.fetch('/reset', { method: 'POST', headers: OWN })).status).toBe(405);
  expect(seen).toEqual([]);
});
