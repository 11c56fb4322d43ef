import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestBed, type TestBed } from '@najwa/testing';
import { totpCode } from '../../src/access/second-step.js';
import {
  connectToDatabase,
  logIn,
  newAccount,
  PASSWORD,
  registration,
  sessionTokenOf,
  type SignedIn,
} from './account-bed.js';

let bed: TestBed;
const lines: string[] = [];

beforeAll(async () => {
  bed = await startTestBed({
    services: ['auth'],
    env: {
      STAFF_TOTP_REQUIRED: 'true',
      SECOND_STEP_LIMIT: '7/3600',
      REGISTER_LIMIT: '1000/60',
      LOGIN_ADDRESS_LIMIT: '1000/60',
    },
    onLogLine: (line) => lines.push(line),
  });
});

afterAll(() => bed.stop());

const call = ({ identity }: SignedIn, method: string, path: string, body?: unknown) =>
  bed.call('auth', method, path, { identity, ...(body !== undefined && { body }) });

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

const step = () => Math.floor(Date.now() / 30_000);

/** The code that an authenticator app shows. `ahead` reads the code of the next step, which has not been used. */
const codeOf = (secret: string, ahead = 0): string => totpCode(fromBase32(secret), step() + ahead);

async function withSecondStep(owner?: SignedIn): Promise<{ owner: SignedIn; secret: string }> {
  const account = owner ?? (await newAccount(bed));
  const { body } = await call(account, 'POST', '/api/totp/begin', { password: PASSWORD });
  const { secret } = body as { secret: string };
  const confirm = () => call(account, 'POST', '/api/totp/confirm', { code: codeOf(secret, -1) });
  const begun = step();
  const first = await confirm();
  // A step that ends between code and check makes the code too old.
  expect((first.status === 422 && step() !== begun ? await confirm() : first).status).toBe(204);
  return { owner: account, secret };
}

const login = (username: string, code?: string, password = PASSWORD) =>
  bed.call('auth', 'POST', '/api/login', { body: { username, password, ...(code !== undefined && { code }) } });

const ASKED = { status: 401, body: { code: 'totp_required' } };
const WRONG = { status: 401, body: { code: 'totp_required', fields: { code: 'wrong' } } };
const WRONG_CODE = { status: 422, body: { code: 'wrong_code', fields: { code: 'wrong' } } };

describe('the second step', () => {
  // Threat model: thief-5.
  test('the second step is on after a first code, and its secret is stored sealed', async () => {
    const owner = await newAccount(bed);
    expect((await call(owner, 'GET', '/api/totp')).body).toEqual({ isOn: false, isRequired: false });
    const begun = await call(owner, 'POST', '/api/totp/begin', { password: PASSWORD });
    const { secret, uri } = begun.body as { secret: string; uri: string };
    expect([begun.status, secret]).toEqual([200, expect.stringMatching(/^[A-Z2-7]{32}$/)]);
    expect(uri).toBe(`otpauth://totp/Najwa:${owner.username}?secret=${secret}&issuer=Najwa`);
    await logIn(bed, owner.username);
    expect(await call(owner, 'POST', '/api/totp/confirm', { code: '000000' })).toMatchObject(WRONG_CODE);
    expect((await call(owner, 'POST', '/api/totp/confirm', { code: codeOf(secret) })).status).toBe(204);
    expect((await call(owner, 'GET', '/api/totp')).body).toMatchObject({ isOn: true });
    const connection = await connectToDatabase(bed);
    const stored = JSON.stringify(await connection.collection('users').findOne({ id: owner.id }));
    await connection.close();
    expect([stored.includes(secret), stored.includes(fromBase32(secret).toString('base64url'))]).toEqual([
      false,
      false,
    ]);
    expect(lines.filter((line) => line.includes(secret))).toEqual([]);
  });

  // Threat model: gateway-5.
  test('a repeated registration does not bypass the second step', async () => {
    const submission = { body: registration(), headers: { 'idempotency-key': randomUUID() } };
    const register = () => bed.call('auth', 'POST', '/api/register', submission);
    expect([(await register()).status, (await register()).status]).toEqual([201, 201]);
    await withSecondStep(await logIn(bed, submission.body.username));
    const answer = await register();
    expect(answer).toMatchObject(ASKED);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  test('login asks for a code only after the right password', async () => {
    const { owner, secret } = await withSecondStep();
    expect(await login(owner.username, undefined, 'not this one')).toMatchObject({
      status: 401,
      body: { code: 'wrong_credentials' },
    });
    expect(await login(owner.username, codeOf(secret), 'not this one')).toMatchObject({
      body: { code: 'wrong_credentials' },
    });
    const asked = await login(owner.username);
    expect([asked, asked.headers.getSetCookie()]).toMatchObject([ASKED, []]);
    expect(await login(owner.username, '123')).toMatchObject(WRONG);
    expect((await login(owner.username, codeOf(secret))).status).toBe(200);
  });

  test('login accepts a code once, even concurrently', async () => {
    const { owner, secret } = await withSecondStep();
    const code = codeOf(secret);
    const answers = await Promise.all([1, 2, 3, 4].map(() => login(owner.username, code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
    // Neither does an earlier code work after a later one.
    expect(await login(owner.username, codeOf(secret, -1))).toMatchObject(WRONG);
  });

  test('login accepts Arabic and Persian digits, and a recovery code once instead of a lost app', async () => {
    const { owner, secret } = await withSecondStep();
    const made = await call(owner, 'POST', '/api/recovery-codes', { password: PASSWORD });
    const [recovery = ''] = (made.body as { codes: string[] }).codes;
    expect((await login(owner.username, recovery)).status).toBe(200);
    expect(await login(owner.username, recovery)).toMatchObject(WRONG);
    const arabic = codeOf(secret).replaceAll(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'[Number(digit)] ?? '');
    expect((await login(owner.username, arabic)).status).toBe(200);
    const persian = codeOf(secret, 1).replaceAll(/\d/g, (digit) => '۰۱۲۳۴۵۶۷۸۹'[Number(digit)] ?? '');
    expect((await login(owner.username, ` ${persian}\u200e`)).status).toBe(200);
  });

  // Threat model: gateway-5.
  test('limits guesses of the code by a holder of the password', async () => {
    const { owner, secret } = await withSecondStep();
    const guesses = [];
    for (let tries = 0; tries < 6; tries += 1) guesses.push((await login(owner.username, '000000')).status);
    expect(guesses.slice(0, 5)).toEqual([401, 401, 401, 401, 401]);
    expect(await login(owner.username, codeOf(secret))).toMatchObject({
      status: 429,
      body: { code: 'too_many_requests' },
    });
  });

  test('the second step is turned off with a right code only', async () => {
    const { owner, secret } = await withSecondStep();
    expect(await call(owner, 'POST', '/api/totp/begin', { password: PASSWORD })).toMatchObject({
      status: 409,
      body: { code: 'totp_is_on' },
    });
    expect(await call(owner, 'DELETE', '/api/totp', { code: '000000' })).toMatchObject(WRONG_CODE);
    expect((await call(owner, 'DELETE', '/api/totp', { code: codeOf(secret) })).status).toBe(204);
    await logIn(bed, owner.username);
  });

  // Threat model: gateway-7.
  test('the second step needs the password to begin', async () => {
    const owner = await newAccount(bed);
    expect(await call(owner, 'POST', '/api/totp/begin', { password: 'not this one' })).toMatchObject({
      status: 422,
      body: { code: 'wrong_password' },
    });
    expect(await call(owner, 'POST', '/api/totp/confirm', { code: '123456' })).toMatchObject(WRONG_CODE);
  });
});

// Threat model: admin-5.
test('an administrator has no rights until the second step is on, where it is required', async () => {
  const owner = await newAccount(bed);
  const connection = await connectToDatabase(bed);
  await connection.collection('users').updateOne({ id: owner.id }, { $set: { isAdmin: true } });
  await connection.close();
  expect(await bed.resolveSession(owner.token)).toMatchObject({ isAdmin: false, mustSetUpTotp: true });
  expect((await call(owner, 'GET', '/api/totp')).body).toEqual({ isOn: false, isRequired: true });
  const { secret } = await withSecondStep(owner);
  expect(await bed.resolveSession(owner.token)).toMatchObject({ isAdmin: true, mustSetUpTotp: false });
  const answer = await login(owner.username, codeOf(secret));
  expect(await bed.resolveSession(sessionTokenOf(answer.headers))).toMatchObject({ isAdmin: true });
  expect((await call(owner, 'DELETE', '/api/totp', { code: codeOf(secret, 1) })).status).toBe(204);
  expect(await bed.resolveSession(owner.token)).toMatchObject({ isAdmin: false, mustSetUpTotp: true });
});
