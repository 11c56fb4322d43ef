import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createLogger } from '@najwa/common/logging';
import { startTestBed, type CallerIdentity, type TestBed } from '@najwa/testing';
import { loadConfig } from '../../src/config.js';
import { updateProfile } from '../../src/account/accounts.js';
import { applyLedger } from '../../src/account/ledger.js';
import { create } from '../../src/service.js';
import { createContext, type AuthContext } from '../../src/context.js';
import { sweepErasures } from '../../src/account/erasure.js';
import { newAccount, PASSWORD, registration, type SignedIn } from './account-bed.js';

const DAY_MS = 24 * 60 * 60 * 1000;

const daysFromNow = (days: number): Date => new Date(Date.now() + days * DAY_MS);

let bed: TestBed;
/** A second replica without an open port. */
let replica: AuthContext;
let owner: SignedIn;

beforeAll(async () => {
  bed = await startTestBed({ services: ['auth'], env: { RATE_LIMIT_SCALE: '0' } });
  replica = await createContext(loadConfig(bed.environmentOf('auth')));
  await replica.database.connect();
});

afterAll(async () => {
  await replica.ledger.close();
  await replica.database.close();
  await bed.stop();
});

beforeEach(async () => {
  owner = await newAccount(bed);
});

const requestDeletion = ({ identity }: Pick<SignedIn, 'identity'>, password = PASSWORD) =>
  bed.call('auth', 'POST', '/api/account/deletion', { identity, body: { password } });

const keep = ({ identity }: Pick<SignedIn, 'identity'>) =>
  bed.call('auth', 'DELETE', '/api/account/deletion', { identity });

const own = async ({ identity }: SignedIn) => (await bed.call('auth', 'GET', '/api/user', { identity })).body;

const publicStatus = async ({ username }: SignedIn, identity: CallerIdentity = {}) =>
  (await bed.call('auth', 'GET', `/api/users/${username}`, { identity })).status;

const logInStatus = async (username: string) =>
  (await bed.call('auth', 'POST', '/api/login', { body: { username, password: PASSWORD } })).status;

const register = (username: string) => bed.call('auth', 'POST', '/api/register', { body: registration({ username }) });

/** Everything stored of an account. */
const stored = async ({ id, username }: SignedIn): Promise<string[]> => {
  const traces: string[] = [];
  for (const { collectionName } of (await replica.database.connection.db?.collections()) ?? []) {
    const documents = await replica.database.connection.collection(collectionName).find().toArray();
    for (const document of documents.filter((found) => found['id'] === id || found['userId'] === id))
      traces.push(`${collectionName}: ${Object.keys(document).join()}`);
    if (JSON.stringify(documents).includes(username)) traces.push(`${collectionName}: the name`);
  }
  return traces;
};

test('a replica whose clock is eight days ahead deletes nothing', async () => {
  await requestDeletion(owner);
  const lines: string[] = [];
  const logger = createLogger({ service: 'auth', level: 'error', destination: { write: (line) => lines.push(line) } });
  const fast = await create(loadConfig(bed.environmentOf('auth')), { logger, clock: () => daysFromNow(8) });
  await fast.start();
  await bed.eventually(() => expect(lines.join()).toContain('nothing is removed'));
  await fast.stop();
  expect(await logInStatus(owner.username)).toBe(200);
  expect(await own(owner)).toMatchObject({ deletesAt: expect.any(String) });
});

const usersCollection = () => replica.database.connection.collection('users');

/** Puts an account back as it was, once the ledger has what became of it. */
async function restore(backup: object | null): Promise<void> {
  const users = usersCollection();
  await bed.eventually(async () => expect(await users.countDocuments({ 'outbox.0': { $exists: true } })).toBe(0));
  await users.deleteOne({ id: owner.id });
  await users.insertOne({ ...backup, outbox: [] });
  await replica.database.connection
    .collection('restores')
    .insertOne({ _id: randomUUID() as never, since: new Date(), appliedAt: null });
}

// Threat model: backup-4.
test('a backup brings back neither an account that was deleted since, nor presence that was hidden', async () => {
  const backup = await usersCollection().findOne({ id: owner.id });
  await updateProfile(replica, owner.id, { receiving: { presence: 'hidden' } });
  await requestDeletion(owner);
  await sweepErasures(replica, daysFromNow(8));
  await restore(backup);
  expect(await publicStatus(owner)).toBe(200);
  await applyLedger(replica);
  expect(await publicStatus(owner)).toBe(404);
  const settings = await bed.call('auth', 'GET', '/api/users/receiving', { identity: owner.identity });
  expect(settings.body).toMatchObject({ presence: 'hidden' });
  await sweepErasures(replica, daysFromNow(8));
  expect(await logInStatus(owner.username)).toBe(401);
});

// Threat model: backup-6.
test('a backup from before the use of a recovery code does not make it valid again', async () => {
  const { identity, username } = owner;
  const made = await bed.call('auth', 'POST', '/api/recovery-codes', { identity, body: { password: PASSWORD } });
  const [code] = (made.body as { codes: string[] }).codes;
  const reset = async () => {
    const body = { username, code, password: 'battery staple', confirmPassword: 'battery staple' };
    return (await bed.call('auth', 'POST', '/api/password-resets', { body })).status;
  };
  const backup = await usersCollection().findOne({ id: owner.id });
  expect(await reset()).toBe(204);
  await restore(backup);
  await applyLedger(replica);
  expect(await reset()).toBe(401);
});

describe('a closed account', () => {
  test('a closed account looks unknown for a week and can sign in', async () => {
    const { status, body } = await requestDeletion(owner);
    const { deletesAt } = body as { deletesAt: string };
    expect(status).toBe(202);
    expect(new Date(deletesAt).getTime() - Date.now()).toBeGreaterThan(6.99 * DAY_MS);
    expect(new Date(deletesAt).getTime() - Date.now()).toBeLessThanOrEqual(7 * DAY_MS);
    expect([await publicStatus(owner), await logInStatus(owner.username)]).toEqual([404, 200]);
    expect(await own(owner)).toMatchObject({ deletesAt });
    expect((await register(owner.username)).status).toBe(409);
    expect(await bed.resolveSession(owner.token)).toMatchObject({ userId: owner.id, isLeaving: true });
    expect((await requestDeletion(owner)).body).toEqual({ deletesAt });
  });

  test('a closed account is restored unchanged when its owner keeps it', async () => {
    await requestDeletion(owner);
    expect((await keep(owner)).status).toBe(204);
    expect((await keep(owner)).status).toBe(204);
    expect([await publicStatus(owner), await own(owner)]).toEqual([200, expect.objectContaining({ deletesAt: null })]);
    await sweepErasures(replica, daysFromNow(8));
    expect(await publicStatus(owner)).toBe(200);
  });

  // Threat model: gateway-7.
  test('closing an account needs the password', async () => {
    expect(await requestDeletion(owner, 'another horse')).toMatchObject({
      status: 422,
      body: { code: 'wrong_password', fields: { password: 'wrong' } },
    });
    expect(await publicStatus(owner)).toBe(200);
  });

  test('the last administrator cannot close the account, not even if two leave at once', async () => {
    const users = replica.database.connection.collection('users');
    const others = [owner, await newAccount(bed)];
    const leave = ({ identity }: SignedIn) => requestDeletion({ identity: { ...identity, isAdmin: true } });
    await users.updateOne({ id: owner.id }, { $set: { isAdmin: true } });
    expect(await leave(owner)).toMatchObject({ status: 409, body: { code: 'last_administrator' } });
    await users.updateMany({ id: { $in: others.map(({ id }) => id) } }, { $set: { isAdmin: true } });
    const statuses = (await Promise.all(others.map(leave))).map(({ status }) => status);
    expect(statuses).toContain(409);
    expect(await users.countDocuments({ isAdmin: true, deletesAt: null })).toBeGreaterThan(0);
    for (const other of others) await keep(other);
    const [first] = others;
    expect((await leave(first ?? owner)).status).toBe(202);
    expect(await bed.resolveSession(owner.token)).toMatchObject({ isAdmin: false, isLeaving: true });
    await keep(owner);
    await users.updateMany({}, { $set: { isAdmin: false } });
  });
});

describe('after the week', () => {
  const answer = (service: string) =>
    bed.publish([
      {
        id: `${owner.id} ${service}`,
        occurredAt: new Date(),
        requestId: '',
        traceparent: '',
        payload: { $case: 'accountErased', value: { userId: owner.id, service } },
      },
    ]);

  test('an account is erased at once, and its record once every service has answered', async () => {
    await bed.call('auth', 'POST', '/api/recovery-codes', { identity: owner.identity, body: { password: PASSWORD } });
    const passkey = { passkeyId: randomUUID(), credentialId: randomUUID(), publicKey: 'AAAA', counter: 0 };
    const device = { browser: 'Firefox', operatingSystem: 'Linux', kind: 'desktop' };
    const added = { transports: [], device, createdAt: new Date(), lastUsedAt: null };
    await replica.passkeys.insert({ ...passkey, ...added, userId: owner.id });
    await requestDeletion(owner);
    await sweepErasures(replica, daysFromNow(6));
    expect(await logInStatus(owner.username)).toBe(200);
    await sweepErasures(replica, daysFromNow(8));
    expect(await logInStatus(owner.username)).toBe(401);
    expect((await bed.call('auth', 'GET', '/api/user', { identity: owner.identity })).status).toBe(401);
    await expect(bed.resolveSession(owner.token)).rejects.toMatchObject({ code: 'session_not_found' });
    expect((await keep(owner)).status).toBe(204);
    expect(await logInStatus(owner.username)).toBe(401);
    for (const service of ['messages', 'media', 'tracking']) await answer(service);
    await bed.eventually(async () => {
      const waiting = await replica.deletions.findErasing(10);
      expect(waiting.find(({ id }) => id === owner.id)?.erasure.waiting).toEqual(['chatbot']);
    });
    // The event is repeated after an hour for a service that was away.
    const before = (await replica.deletions.findErasing(10)).find(({ id }) => id === owner.id)?.erasure.announcedAt;
    await sweepErasures(replica, daysFromNow(9));
    const after = (await replica.deletions.findErasing(10)).find(({ id }) => id === owner.id)?.erasure.announcedAt;
    expect(after?.getTime()).toBeGreaterThan(before?.getTime() ?? Infinity);
    await answer('chatbot');
    await answer('chatbot');
    await bed.eventually(async () => expect(await stored(owner)).toEqual([]));
  });

  test('the name of a deleted account cannot be registered for a year', async () => {
    await requestDeletion(owner);
    await sweepErasures(replica, daysFromNow(8));
    for (const username of [owner.username, owner.username.toUpperCase()])
      expect(await register(username)).toMatchObject({ status: 409, body: { code: 'username_taken' } });
    await replica.heldNames.forgetOld(daysFromNow(364));
    expect((await register(owner.username)).status).toBe(409);
    await replica.heldNames.forgetOld(daysFromNow(366));
    expect((await register(owner.username)).status).toBe(201);
  });
});
