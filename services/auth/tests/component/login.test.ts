import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sharedBed, type Bed } from '@najwa/testing';
import { hash } from '@node-rs/argon2';
import { authenticate } from '../../src/access/login.js';
import { loadConfig } from '../../src/config.js';
import { createContext } from '../../src/context.js';
import { connectToDatabase, logIn, newAccount, PASSWORD, uniqueName, type SignedIn } from './account-bed.js';

let bed: Bed;

beforeAll(async () => {
  bed = await sharedBed();
});

describe('POST /api/login', () => {
  const login = (body: unknown) => bed.call('auth', 'POST', '/api/login', { body });

  test('login ignores the case of the username', async () => {
    const { username } = await newAccount(bed);
    const answer = await login({ username: username.toUpperCase(), password: PASSWORD });
    expect([answer.status, answer.body]).toMatchObject([200, { username }]);
    expect(answer.headers.getSetCookie()[0]).toMatch(/^__Host-najwa_session=/);
  });

  // Threat model: gateway-5.
  test('login answers the same for a wrong password and an unknown account', async () => {
    const { username } = await newAccount(bed);
    const [wrong, unknown] = [
      await login({ username, password: 'not this one' }),
      await login({ username: uniqueName(), password: 'not this one' }),
    ];
    expect(wrong).toMatchObject({ status: 401, body: { code: 'wrong_credentials' } });
    expect(unknown.body).toEqual(wrong.body);
    expect(wrong.headers.getSetCookie()).toEqual([]);
  });

  test.each([
    [{ password: 'x' }, { username: 'required' }],
    [
      { username: '', password: '' },
      { username: 'required', password: 'required' },
    ],
    [
      { username: { $ne: null }, password: { $ne: null } },
      { username: 'required', password: 'required' },
    ],
  ])('login refuses %p', async (body, fields) => {
    expect(await login(body)).toMatchObject({ status: 422, body: { code: 'invalid_input', fields } });
  });
});

// Threat model: gateway-5.
test('a site whose networks together used up its logins needs a proof of work for the next one', async () => {
  const limits = { RATE_LIMIT_SCALE: '1', LOGIN_ADDRESS_LIMIT: '1/600' };
  const limited = await createContext(loadConfig({ ...bed.environmentOf('auth'), ...limits }));
  await limited.database.connect();
  const guess = (network: number) =>
    authenticate(limited, {
      username: uniqueName(),
      password: 'a guess',
      identity: { ip: `2001:db8:93:${network}00::1`, visitorId: randomUUID() },
      isNetworkCounted: false,
      proof: undefined,
    });
  for (const network of [1, 2, 3, 4]) await expect(guess(network)).rejects.toMatchObject({ code: 'wrong_credentials' });
  await expect(guess(5)).rejects.toMatchObject({ code: 'proof_required' });
  await limited.database.close();
});

describe('a password hash with outdated parameters', () => {
  interface Hashed {
    id: number;
    passwordHash: string;
  }

  async function newOutdatedAccount(): Promise<{ owner: SignedIn; storedHash: () => Promise<string | undefined> }> {
    const owner = await newAccount(bed);
    const users = database.collection<Hashed>('users');
    const passwordHash = await hash(PASSWORD, { algorithm: 2, memoryCost: 4096, timeCost: 1, parallelism: 1 });
    await users.updateOne({ id: owner.id }, { $set: { passwordHash } });
    return { owner, storedHash: async () => (await users.findOne({ id: owner.id }))?.passwordHash };
  }

  let database: Awaited<ReturnType<typeof connectToDatabase>>;
  beforeAll(async () => {
    database = await connectToDatabase(bed);
  });
  afterAll(() => database.close());

  test('an outdated password hash is replaced when its owner signs in', async () => {
    const { owner, storedHash } = await newOutdatedAccount();
    await logIn(bed, owner.username);
    expect(await storedHash()).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    await logIn(bed, owner.username);
  });

  test('an outdated password hash is not restored when the password changes during the login', async () => {
    const { owner } = await newOutdatedAccount();
    const [changed] = await Promise.all([
      bed.call('auth', 'PUT', '/api/users/password', {
        identity: owner.identity,
        body: { currentPassword: PASSWORD, newPassword: 'battery staple' },
      }),
      ...Array.from({ length: 5 }, () =>
        bed.call('auth', 'POST', '/api/login', { body: { username: owner.username, password: PASSWORD } }),
      ),
    ]);
    expect(changed.status).toBe(204);
    await logIn(bed, owner.username, { password: 'battery staple' });
  });
});
