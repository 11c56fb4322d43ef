import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Sealer } from '@najwa/common/sealing';
import { PROOF_HEADER, solveProof } from '@najwa/product';
import { startTestBed, type TestBed } from '@najwa/testing';
import { resealMigration } from '../../src/access/reseal.js';
import { connectToDatabase, logIn, newAccount, PASSWORD, uniqueName, type SignedIn } from './account-bed.js';

let bed: TestBed;
let lines: string[] = [];
const accountKey = randomBytes(32);

beforeAll(async () => {
  bed = await startTestBed({
    services: ['auth'],
    env: {
      ACCOUNT_KEYS: accountKey.toString('base64'),
      RESET_ACCOUNT_LIMIT: '4/3600',
      RESET_NETWORK_LIMIT: '5/3600',
      REGISTER_LIMIT: '1000/60',
    },
    onLogLine: (line) => lines.push(line),
  });
});

afterAll(() => bed.stop());

const NEXT = 'battery staple';

const makeCodes = ({ identity }: SignedIn, password = PASSWORD) =>
  bed.call('auth', 'POST', '/api/recovery-codes', { identity, body: { password } });

const codesOf = async (owner: SignedIn): Promise<string[]> =>
  ((await makeCodes(owner)).body as { codes: string[] }).codes;

const left = async ({ identity }: SignedIn): Promise<unknown> =>
  (await bed.call('auth', 'GET', '/api/recovery-codes', { identity })).body;

let hosts = 0;
/** Each attempt is from a network of its own unless a test names one. */
const reset = (body: Record<string, unknown>, { ip = `198.51.${(hosts += 1)}.1`, proof = '' } = {}) =>
  bed.call('auth', 'POST', '/api/password-resets', {
    body: { password: NEXT, confirmPassword: NEXT, ...body },
    identity: { ip },
    headers: proof === '' ? {} : { [PROOF_HEADER]: proof },
  });

const REFUSED = { status: 401, body: { code: 'wrong_recovery_code' } };

describe('recovery codes', () => {
  // Threat model: thief-5.
  test('ten different recovery codes are shown once and stored as keyed hashes', async () => {
    const owner = await newAccount(bed);
    expect(await left(owner)).toEqual({ left: 0 });
    const answer = await makeCodes(owner);
    const { codes } = answer.body as { codes: string[] };
    expect([answer.status, new Set(codes).size]).toEqual([201, 10]);
    for (const code of codes) expect(code).toMatch(/^[2-9a-hj-km-np-z]{4}-[2-9a-hj-km-np-z]{4}$/);
    expect(await left(owner)).toEqual({ left: 10 });
    const connection = await connectToDatabase(bed);
    const stored = JSON.stringify(await connection.collection('users').findOne({ id: owner.id }));
    await connection.close();
    for (const code of codes) expect(stored).not.toContain(code.replace('-', ''));
    expect(lines.filter((line) => codes.some((code) => line.includes(code)))).toEqual([]);
    lines = [];
  });

  // Threat model: gateway-7.
  test('recovery codes need the password', async () => {
    const owner = await newAccount(bed);
    const codes = await codesOf(owner);
    expect(await makeCodes(owner, 'not this one')).toMatchObject({
      status: 422,
      body: { code: 'wrong_password', fields: { password: 'wrong' } },
    });
    expect((await reset({ username: owner.username, code: codes[0] })).status).toBe(204);
  });

  test('new recovery codes replace earlier ones', async () => {
    const owner = await newAccount(bed);
    const [earlier] = await codesOf(owner);
    const [later] = await codesOf(owner);
    expect(await reset({ username: owner.username, code: earlier })).toMatchObject(REFUSED);
    expect((await reset({ username: owner.username, code: later })).status).toBe(204);
  });

  test('recovery codes work after their key was sealed with another one', async () => {
    const owner = await newAccount(bed);
    const [code] = await codesOf(owner);
    const next = randomBytes(32);
    const connection = await connectToDatabase(bed);
    const both = resealMigration(new Sealer([next, accountKey]));
    expect((await both.runBatch(connection, null)).changed).toBeGreaterThan(0);
    expect((await both.runBatch(connection, null)).changed).toBe(0);
    const back = resealMigration(new Sealer([accountKey, next]));
    await back.runBatch(connection, null);
    await connection.close();
    expect((await reset({ username: owner.username, code })).status).toBe(204);
  });
});

describe('POST /api/password-resets', () => {
  test('a password reset uses the code up and ends every session', async () => {
    const owner = await newAccount(bed);
    const [code = '', another] = await codesOf(owner);
    const second = await logIn(bed, owner.username);
    const persian = code.replaceAll(/\d/g, (digit) => '۰۱۲۳۴۵۶۷۸۹'[Number(digit)] ?? '');
    const written = ` ${persian.toUpperCase().replace('-', ' ')} `;
    const answer = await reset({ username: owner.username.toUpperCase(), code: written });
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([204, []]);
    for (const { token } of [owner, second])
      await expect(bed.resolveSession(token)).rejects.toMatchObject({ code: 'session_not_found' });
    const again = await logIn(bed, owner.username, { password: NEXT });
    expect(await left(again)).toEqual({ left: 9 });
    expect(await reset({ username: owner.username, code })).toMatchObject(REFUSED);
    expect((await reset({ username: owner.username, code: another })).status).toBe(204);
  });

  test('a password reset accepts a code once, even from concurrent requests', async () => {
    const owner = await newAccount(bed);
    const [code] = await codesOf(owner);
    const wanted = [1, 2, 3, 4].map((number) => `${NEXT} ${number}`);
    const answers = await Promise.all(
      wanted.map((password) => reset({ username: owner.username, code, password, confirmPassword: password })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 401, 401, 401]);
    const password = wanted[answers.findIndex(({ status }) => status === 204)] ?? '';
    expect(await left(await logIn(bed, owner.username, { password }))).toEqual({ left: 9 });
  });

  test('a password reset answers the same for unknown names, wrong codes and accounts without codes', async () => {
    const [owner, without] = [await newAccount(bed), await newAccount(bed)];
    await codesOf(owner);
    const answers = [
      await reset({ username: owner.username, code: 'aaaa-aaaa' }),
      await reset({ username: without.username, code: 'aaaa-aaaa' }),
      await reset({ username: uniqueName(), code: 'aaaa-aaaa' }),
    ];
    expect(answers[0]).toMatchObject(REFUSED);
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
    await logIn(bed, owner.username);
  });

  test.each<[string, Record<string, unknown>, Record<string, string>]>([
    ['no code', { code: '' }, { code: 'required' }],
    ['no username', { username: undefined }, { username: 'required' }],
    ['a short password', { password: 'short', confirmPassword: 'short' }, { password: 'too_short' }],
    ['passwords that differ', { confirmPassword: 'another one' }, { confirmPassword: 'passwords_differ' }],
    ['another field', { isAdmin: true }, { isAdmin: 'unknown_field' }],
  ])('refuses a password reset with %s', async (_name, changes, fields) => {
    expect(await reset({ username: uniqueName(), code: 'aaaa-aaaa', ...changes })).toMatchObject({
      status: 422,
      body: { code: 'invalid_input', fields },
    });
  });

  // Threat model: gateway-10.
  test('refuses a password reset without a body', async () => {
    const identity = { ip: '203.0.113.41' };
    expect(await bed.call('auth', 'POST', '/api/password-resets', { identity, body: null })).toMatchObject({
      status: 422,
      body: { code: 'invalid_input', fields: { body: 'not_valid' } },
    });
  });

  test.each([
    ['an address', () => '203.0.113.40'],
    ['an IPv6 /64', (host: number) => `2001:db8:40::${host}`],
  ])('password resets stop after the limit for %s, before the body is read', async (_name, ip) => {
    for (let tries = 1; tries <= 5; tries += 1)
      expect((await reset({ username: uniqueName(), code: 'aaaa-aaaa' }, { ip: ip(tries) })).status).toBe(401);
    const init = { headers: { 'content-type': 'application/json' }, body: '{"username":' };
    expect(await bed.call('auth', 'POST', '/api/password-resets', { identity: { ip: ip(6) }, init })).toMatchObject({
      status: 429,
      body: { code: 'too_many_requests' },
    });
  });

  test('a password reset asks for a proof of work under attack and lets the owner in', async () => {
    const owner = await newAccount(bed, { visitorId: randomUUID() });
    const [code] = await codesOf(owner);
    for (let tries = 0; tries < 4; tries += 1)
      expect(await reset({ username: owner.username, code: 'aaaa-aaaa' })).toMatchObject(REFUSED);
    const ip = '203.0.113.41';
    const asked = await reset({ username: owner.username, code }, { ip });
    expect(asked).toMatchObject({ status: 429, body: { code: 'proof_required' } });
    const proof = solveProof((asked.body as { proof: Parameters<typeof solveProof>[0] }).proof);
    expect((await reset({ username: owner.username, code }, { ip, proof })).status).toBe(204);
  });
});
