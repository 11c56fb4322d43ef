import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { sharedBed, type Bed } from '@najwa/testing';
import { connectToDatabase, newAccount, registration, uniqueName } from './account-bed.js';

let bed: Bed;

beforeAll(async () => {
  bed = await sharedBed();
});

const register = (body: unknown, options: { headers?: Record<string, string> } = {}) =>
  bed.call('auth', 'POST', '/api/register', { body, ...options });

describe('POST /api/register', () => {
  test('creates an account and signs it in', async () => {
    const input = registration();
    const answer = await register(input);
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      username: input.username,
      name: 'نورة العلي',
      bio: 'أكتب وأصوّر',
      email: null,
      avatar: null,
      isAdmin: false,
      isVerified: false,
    });
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-najwa_session=[\w-]{43}; .*HttpOnly.*SameSite=Lax/),
    ]);
  });

  test('registration answers only the documented fields, without the password', async () => {
    const answer = await register(registration());
    expect(JSON.stringify(answer.body)).not.toMatch(/password|hash|token|correct horse/i);
  });

  test('sets a Secure cookie except on loopback', async () => {
    const cookieOn = async (host: string) =>
      (await register(registration(), { headers: { 'x-forwarded-host': host } })).headers.getSetCookie()[0];
    expect(await cookieOn('najwa.example')).toContain('Secure');
    expect(await cookieOn('localhost:8080')).not.toContain('Secure');
  });

  test.each<[string, Record<string, unknown>, Record<string, string>]>([
    ['no name', { name: ' ' }, { name: 'required' }],
    ['a name that is too long', { name: 'ن'.repeat(61) }, { name: 'too_long' }],
    ['a name with a control character', { name: 'a\u0000' }, { name: 'forbidden_characters' }],
    ['no username', { username: '' }, { username: 'required' }],
    ['a short username', { username: 'ab' }, { username: 'too_short' }],
    ['a long username', { username: 'a'.repeat(31) }, { username: 'too_long' }],
    ['an Arabic username', { username: 'نورة' }, { username: 'forbidden_characters' }],
    ['a username of dots', { username: '...' }, { username: 'forbidden_characters' }],
    ['a username that ends with a dot', { username: 'noura.' }, { username: 'misplaced_dot' }],
    ['a username with two dots in a row', { username: 'no..ura' }, { username: 'misplaced_dot' }],
    ['a username with a slash', { username: 'a/b/c' }, { username: 'forbidden_characters' }],
    ['a short password', { password: 'short', confirmPassword: 'short' }, { password: 'too_short' }],
    [
      'a password of two characters as seen, which are 14 code points',
      { password: '👨‍👩‍👧‍👦👨‍👩‍👧‍👦', confirmPassword: '👨‍👩‍👧‍👦👨‍👩‍👧‍👦' },
      { password: 'too_short' },
    ],
    ['a long password', { password: 'x'.repeat(129), confirmPassword: 'x'.repeat(129) }, { password: 'too_long' }],
    ['passwords that differ', { confirmPassword: 'another one' }, { confirmPassword: 'passwords_differ' }],
    ['terms not agreed to', { terms: false }, { terms: 'terms_required' }],
    ['terms as text', { terms: 'true' }, { terms: 'terms_required' }],
    ['a long bio', { bio: 'ن'.repeat(301) }, { bio: 'too_long' }],
    ['isAdmin', { isAdmin: true }, { isAdmin: 'unknown_field' }],
  ])('refuses to register with %s and creates no account', async (_name, changes, fields) => {
    const input = registration(changes);
    const answer = await register(input);
    expect([answer.status, answer.body]).toEqual([422, { code: 'invalid_input', message: expect.any(String), fields }]);
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(
      (await bed.call('auth', 'GET', `/api/users/${encodeURIComponent(String(input.username) || 'nobody')}`)).status,
    ).toBe(404);
  });

  // Threat model: gateway-10.
  test.each([null, 7, 'text', []])('refuses %j as a registration', async (body) => {
    const answer = await register(body);
    expect([answer.status, answer.body]).toMatchObject([422, { code: 'invalid_input', fields: { body: 'not_valid' } }]);
  });

  test('registration reports all faults together', async () => {
    const answer = await register({ username: 'a', password: 'b', confirmPassword: 'c' });
    expect(answer.body).toMatchObject({
      fields: {
        name: 'required',
        username: 'too_short',
        password: 'too_short',
        confirmPassword: 'passwords_differ',
        terms: 'terms_required',
      },
    });
  });

  test.each<[string, number, string, RequestInit]>([
    [
      'a form',
      415,
      'unsupported_media_type',
      { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'a=b' },
    ],
    ['text', 415, 'unsupported_media_type', { headers: { 'content-type': 'text/plain' }, body: '{}' }],
    ['broken JSON', 400, 'malformed', { headers: { 'content-type': 'application/json' }, body: '{"name":' }],
    [
      'a body that is too large',
      413,
      'payload_too_large',
      { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ name: 'x'.repeat(70_000) }) },
    ],
  ])('refuses a registration sent as %s', async (_name, status, code, init) => {
    const answer = await bed.call('auth', 'POST', '/api/register', { init });
    expect([answer.status, answer.body]).toEqual([status, { code, message: expect.any(String) }]);
  });

  test.each(['Admin', 'api', 'n.a.j.w.a', 'SETTINGS'])('reserves the username %p', async (username) => {
    expect(await register(registration({ username }))).toMatchObject({
      status: 422,
      body: { code: 'username_reserved' },
    });
  });

  test('refuses a username that differs from another only in case or dots', async () => {
    const { username } = (await register(registration({ username: `Nora.${randomUUID().slice(0, 8)}` }))).body as {
      username: string;
    };
    for (const lookalike of [username, username.toLowerCase(), username.toUpperCase(), username.replace('.', '')]) {
      expect(await register(registration({ username: lookalike }))).toMatchObject({
        status: 409,
        body: { code: 'username_taken', message: 'Username already exists' },
      });
    }
  });

  test('creates one account from two hundred concurrent registrations of one username', async () => {
    const username = uniqueName();
    const answers = await Promise.all(Array.from({ length: 200 }, () => register(registration({ username }))));
    const count = (status: number) => answers.filter((answer) => answer.status === status).length;
    expect([count(201), count(409)]).toEqual([1, 199]);
  });

  test('creates one account from a repeated submission', async () => {
    const input = registration();
    const headers = { 'idempotency-key': randomUUID() };
    const [first, second] = [await register(input, { headers }), await register(input, { headers })];
    expect([first.status, second.status]).toEqual([201, 201]);
    // By the second answer the account was there.
    expect({ ...(second.body as object), lastOnline: null }).toEqual(first.body);
    expect(await register({ ...input, username: uniqueName() }, { headers })).toMatchObject({
      status: 409,
      body: { code: 'idempotency_conflict' },
    });
    expect(
      await register({ ...input, password: 'another one', confirmPassword: 'another one' }, { headers }),
    ).toMatchObject({ status: 409 });
  });
});

describe('GET /api/users/{username}', () => {
  test('shows the public fields of an account to anyone', async () => {
    const { username } = (await register(registration())).body as { username: string };
    const answer = await bed.call('auth', 'GET', `/api/users/${username.toUpperCase()}`);
    expect(answer).toMatchObject({ status: 200, body: { username, isOnline: true, visitorCount: 0 } });
  });

  test('does not find an account by a username with other dots', async () => {
    const { username } = (await register(registration({ username: `a.b-${randomUUID().slice(0, 8)}` }))).body as {
      username: string;
    };
    expect((await bed.call('auth', 'GET', `/api/users/${username.replace('.', '')}`)).status).toBe(404);
  });

  test('finds an account by a link that has lost the dot of an old username, or gained one', async () => {
    const [old, other] = await Promise.all([newAccount(bed), newAccount(bed)]);
    const database = await connectToDatabase(bed);
    await database.collection('users').updateOne({ id: old.id }, { $set: { username: `.${old.username}.` } });
    await database.close();
    const idBehind = async (name: string) =>
      ((await bed.call('auth', 'GET', `/api/users/${name}`)).body as { id?: number }).id;
    for (const link of [old.username, `.${old.username}`, `${old.username}.`, `.${old.username}.`])
      expect(await idBehind(link)).toBe(old.id);
    expect(await idBehind(`${other.username}.`)).toBe(other.id);
  });

  test.each(['nobody-here', '...', '%00', 'a'.repeat(40), "x'%7C%7C1"])('has no account named %p', async (username) => {
    expect(await bed.call('auth', 'GET', `/api/users/${encodeURIComponent(username)}`)).toMatchObject({
      status: 404,
      body: { code: 'user_not_found' },
    });
  });
});
