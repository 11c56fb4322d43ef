// Long run: limits that are used up one after another.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PROOF_HEADER, solveProof } from '@najwa/product';
import { startTestBed, type TestBed } from '@najwa/testing';
import { newAccount, PASSWORD, registration, uniqueName, type SignedIn } from './account-bed.js';

let bed: TestBed;

beforeAll(async () => {
  bed = await startTestBed({
    services: ['auth'],
    env: {
      LOGIN_LIMIT: '3/600',
      LOGIN_ADDRESS_LIMIT: '5/600',
      LOGIN_NETWORK_LIMIT: '6/600',
      LOGIN_ACCOUNT_LIMIT: '12/600',
      REGISTER_LIMIT: '2/600',
      PROFILE_LIMIT: '3/600',
      PASSWORD_LIMIT: '2/600',
      AVATAR_LIMIT: '1/600',
      RESET_NETWORK_LIMIT: '2/600',
    },
  });
});

afterAll(() => bed.stop());

/** A body that nothing would accept, so that only a limit that comes before it can answer 429. */
const UNREADABLE = { headers: { 'content-type': 'application/json' }, body: '{"bio":' };
const tooMany = { status: 429, body: { code: 'too_many_requests' } };
const ipv6 = (network: string) => `2001:db8:${network}:${randomUUID().slice(0, 4)}:${randomUUID().slice(0, 4)}::1`;
interface Attempt {
  ip: string;
  visitorId?: string;
  visitorByAddress?: true;
  proof?: string;
}

const logIn = (username: string, password: string, { proof, ...identity }: Attempt) =>
  bed.call('auth', 'POST', '/api/login', {
    body: { username, password },
    identity,
    headers: proof === undefined ? {} : { [PROOF_HEADER]: proof },
  });
const guess = (username: string, ip: string) => logIn(username, 'a guess', { ip, visitorId: randomUUID() });

describe('logins', () => {
  // Threat model: gateway-5.
  test('logins stop after the limit of an account and network', async () => {
    const username = uniqueName();
    for (let tries = 0; tries < 3; tries += 1) expect((await guess(username, '192.0.2.1')).status).toBe(401);
    const refused = await guess(username, '192.0.2.1');
    expect(refused).toMatchObject(tooMany);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await guess(username, '192.0.2.2')).status).toBe(401);
    expect((await guess(uniqueName(), '192.0.2.1')).status).toBe(401);
  });

  test('logins count all addresses of an IPv6 /64 as one', async () => {
    const username = uniqueName();
    for (let tries = 0; tries < 3; tries += 1) expect((await guess(username, ipv6('1:1'))).status).toBe(401);
    expect(await guess(username, ipv6('1:1'))).toMatchObject(tooMany);
    expect((await guess(username, ipv6('1:2'))).status).toBe(401);
  });
});

describe('an account under attack', () => {
  const PROOF_REQUIRED = { status: 429, body: { code: 'proof_required' } };
  const proofOf = ({ body }: { body: unknown }) =>
    solveProof((body as { proof: Parameters<typeof solveProof>[0] }).proof);
  const newDevice = (ip: string) => ({ ip, visitorId: randomUUID() });

  // Threat model: gateway-5.
  test('an attacked account requires a proof of work from a new device and accepts it', async () => {
    const owner = { ip: '203.0.113.4', visitorId: randomUUID() };
    const { username } = await newAccount(bed, owner);
    expect((await logIn(username, PASSWORD, owner)).status).toBe(200);
    const guesses = await Promise.all(Array.from({ length: 100 }, (_, index) => guess(username, `198.18.${index}.1`)));
    const codes = guesses.map(({ body }) => (body as { code: string }).code);
    expect(new Set(codes)).toEqual(new Set(['wrong_credentials', 'proof_required']));
    expect(codes.filter((code) => code === 'wrong_credentials').length).toBeLessThanOrEqual(12);

    const laptop = newDevice('203.0.113.5');
    const refused = await logIn(username, PASSWORD, laptop);
    expect(refused).toMatchObject(PROOF_REQUIRED);
    const proof = proofOf(refused);
    expect(await logIn(username, PASSWORD, { ...newDevice('203.0.113.6'), proof })).toMatchObject(PROOF_REQUIRED);
    expect((await logIn(username, PASSWORD, { ...laptop, proof })).status).toBe(200);
    expect(await logIn(username, 'a guess', { ...newDevice(laptop.ip), proof })).toMatchObject(PROOF_REQUIRED);
    expect((await logIn(username, PASSWORD, { ...owner, ip: '198.18.0.1' })).status).toBe(200);
  });

  test('a device without a cookie is unknown, since others share its address and browser', async () => {
    const shared = { ip: '203.0.113.10', visitorId: randomUUID(), visitorByAddress: true } as const;
    const { username } = await newAccount(bed, { ip: '203.0.113.11' });
    expect((await logIn(username, PASSWORD, shared)).status).toBe(200);
    const guesses = [];
    for (let tries = 0; tries < 3; tries += 1) guesses.push(await logIn(username, 'a guess', shared));
    expect(guesses.map(({ status }) => status)).toEqual([401, 401, 429]);
  });

  test('logins to an attacked account work from other networks once one has used up its share', async () => {
    const { username } = await newAccount(bed, { ip: '203.0.113.7' });
    const guesses = [];
    for (let host = 1; host <= 20; host += 1) guesses.push(await guess(username, `198.51.100.${host}`));
    expect(guesses.map(({ status }) => status)).toEqual([
      ...Array.from({ length: 6 }, () => 401),
      ...Array.from({ length: 14 }, () => 429),
    ]);
    expect((await logIn(username, PASSWORD, newDevice('203.0.113.8'))).status).toBe(200);
  });

  test('logins with proofs of work are limited per address too', async () => {
    const username = uniqueName();
    const ip = '203.0.113.9';
    await Promise.all(Array.from({ length: 12 }, (_, index) => guess(username, `198.19.${index}.1`)));
    const refused = await guess(username, ip);
    expect((await logIn(username, 'a guess', { ...newDevice(ip), proof: proofOf(refused) })).status).toBe(401);
    const again = await guess(username, ip);
    expect(await logIn(username, 'a guess', { ...newDevice(ip), proof: proofOf(again) })).toMatchObject(tooMany);
  });
});

describe('registrations', () => {
  const register = (ip: string) =>
    bed.call('auth', 'POST', '/api/register', { body: registration(), identity: { ip } });

  test.each([
    ['an address', () => '198.51.100.1', '198.51.100.2'],
    ['an IPv6 /64', () => ipv6('2:1'), ipv6('2:2')],
  ])('registrations stop after the limit for %s', async (_name, ip, elsewhere) => {
    expect([(await register(ip())).status, (await register(ip())).status]).toEqual([201, 201]);
    expect(await register(ip())).toMatchObject(tooMany);
    expect((await register(elsewhere)).status).toBe(201);
  });
});

describe('a site whose networks together use up its share', () => {
  const submit = (path: string, body: () => object) => (ip: string, headers: Record<string, string>) =>
    bed.call('auth', 'POST', path, { body: body(), identity: { ip, visitorId: randomUUID() }, headers });
  const reset = { code: 'aaaa-aaaa', password: PASSWORD, confirmPassword: PASSWORD };

  // Threat model: gateway-5.
  test.each([
    ['logins', 20, 401, submit('/api/login', () => ({ username: uniqueName(), password: 'a guess' }))],
    ['registrations', 8, 201, submit('/api/register', registration)],
    ['password resets', 8, 401, submit('/api/password-resets', () => ({ username: uniqueName(), ...reset }))],
  ])('a used-up site needs a proof of work for %s, and no other site does', async (name, share, status, attempt) => {
    // Each is of another /56.
    const from = (index: number) => attempt(`2001:db8:${name.length}:${(index + 1).toString(16)}00::1`, {});
    for (let index = 0; index < share; index += 1) expect((await from(index)).status).toBe(status);
    expect(await from(share)).toMatchObject({ status: 429, body: { code: 'proof_required' } });
    expect((await attempt('2001:db8:ffff::1', {})).status).toBe(status);
  });

  test('a used-up site registers with a proof of work', async () => {
    const register = submit('/api/register', registration);
    for (let index = 10; index < 18; index += 1) await register(`2001:db8:50:${index}00::1`, {});
    const refused = await register('2001:db8:50:1900::1', {});
    const proof = solveProof((refused.body as { proof: Parameters<typeof solveProof>[0] }).proof);
    expect((await register('2001:db8:50:1900::1', { [PROOF_HEADER]: proof })).status).toBe(201);
  });
});

// Threat model: gateway-5.
test('guesses in repeated registrations count as logins to the account', async () => {
  const input = registration();
  const headers = { 'idempotency-key': randomUUID() };
  const visitorId = randomUUID();
  const register = (host: number, password = PASSWORD) =>
    bed.call('auth', 'POST', '/api/register', {
      body: { ...input, password, confirmPassword: password },
      headers,
      identity: { ip: `198.51.101.${host}`, visitorId },
    });
  expect((await register(1)).status).toBe(201);
  const guesses = [];
  for (let host = 2; host <= 8; host += 1) guesses.push(await register(host, 'not this one'));
  expect(guesses.map(({ status }) => status)).toEqual([409, 409, 409, 409, 409, 409, 429]);
  expect(guesses.at(-1)).toMatchObject({ body: { code: 'proof_required' } });
  expect(await guess(input.username, '198.51.101.9')).toMatchObject({ body: { code: 'proof_required' } });
});

describe('limits whose key is in the headers come before the body', () => {
  const send = (method: string, path: string, identity: object) =>
    bed.call('auth', method, path, { identity, init: UNREADABLE });

  test('registrations are limited before the body is read', async () => {
    for (let tries = 0; tries < 2; tries += 1)
      expect((await send('POST', '/api/register', { ip: '203.0.113.20' })).status).toBe(400);
    expect(await send('POST', '/api/register', { ip: '203.0.113.20' })).toMatchObject(tooMany);
  });

  test('logins from a network are limited before the body is read, those from a known device are not', async () => {
    const owner = { ip: '203.0.113.21', visitorId: randomUUID() };
    const { username } = await newAccount(bed, owner);
    expect((await logIn(username, PASSWORD, owner)).status).toBe(200);
    const stranger = { ip: owner.ip, visitorId: randomUUID() };
    const answers = [];
    for (let tries = 0; tries < 6; tries += 1) answers.push(await send('POST', '/api/login', stranger));
    expect(answers.at(-1)).toMatchObject(tooMany);
    expect((await logIn(username, PASSWORD, owner)).status).toBe(200);
    expect(await logIn(uniqueName(), PASSWORD, owner)).toMatchObject(tooMany);
  });

  test('passkey sign-ins are limited before the body is read and count an IPv6 /64 as one', async () => {
    for (let tries = 0; tries < 5; tries += 1)
      expect((await send('POST', '/api/passkeys/login/verify', { ip: ipv6('3:1') })).status).toBe(400);
    expect(await send('POST', '/api/passkeys/login/verify', { ip: ipv6('3:1') })).toMatchObject(tooMany);
    expect(await send('POST', '/api/passkeys/login/options', { ip: ipv6('3:1') })).toMatchObject(tooMany);
    expect((await send('POST', '/api/passkeys/login/verify', { ip: ipv6('3:2') })).status).toBe(400);
  });

  test('password changes are limited before the body is read', async () => {
    const { identity } = await newAccount(bed, { ip: '203.0.113.22' });
    for (let tries = 0; tries < 2; tries += 1)
      expect((await send('PUT', '/api/users/password', identity)).status).toBe(400);
    expect(await send('PUT', '/api/users/password', identity)).toMatchObject(tooMany);
  });
});

describe('changes of the profile', () => {
  const patch = (identity: SignedIn['identity'], body: unknown) =>
    bed.call('auth', 'PATCH', '/api/users', { identity, body });

  test('profile changes stop after the limit of an account, before the body is read', async () => {
    const { identity } = await newAccount(bed, { ip: '203.0.113.1' });
    const other = await newAccount(bed, { ip: '203.0.113.1' });
    for (const bio of ['1', '2', '3']) expect((await patch(identity, { bio })).status).toBe(200);
    const refused = await bed.call('auth', 'PATCH', '/api/users', {
      identity,
      init: UNREADABLE,
    });
    expect(refused).toMatchObject(tooMany);
    expect((await patch(other.identity, { bio: '1' })).status).toBe(200);
  });

  test('profile changes with a picture stop after a lower limit', async () => {
    const { identity } = await newAccount(bed, { ip: '203.0.113.2' });
    const avatar = 'data:image/png;base64,AAAA';
    // The media service is not running here.
    expect((await patch(identity, { avatar })).status).toBe(503);
    expect(await patch(identity, { avatar })).toMatchObject(tooMany);
    expect((await patch(identity, { bio: '1' })).status).toBe(200);
  });
});

test('a login refused for its address does not count against the account', async () => {
  const { username } = await newAccount(bed, { ip: '203.0.113.3' });
  const attempts = await Promise.all(Array.from({ length: 40 }, () => guess(username, '198.18.0.1')));
  expect(attempts.filter(({ status }) => status === 429).length).toBe(37);
  expect((await logIn(username, PASSWORD, { ip: '198.18.0.2', visitorId: randomUUID() })).status).toBe(200);
});
