import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AppError } from '@najwa/common/errors';
import { ClientRateLimiter } from '@najwa/common/limits';
import { sharedBed, type Bed } from '@najwa/testing';
import { authenticate } from '../../src/access/login.js';
import { loadConfig } from '../../src/config.js';
import { createContext, type AuthContext } from '../../src/context.js';
import { sweepSessions } from '../../src/sessions/sessions.js';
import { connectToDatabase, logIn, newAccount, PASSWORD, sessionTokenOf, type SignedIn } from './account-bed.js';

let bed: Bed;
/** A second replica without an open port. */
let replica: AuthContext;
/** Session ids of the events so far. */
const announced: (string | undefined)[] = [];

beforeAll(async () => {
  bed = await sharedBed();
  replica = await createContext(loadConfig(bed.environmentOf('auth')));
  await replica.database.connect();
  replica.bus.subscribe({ sessionEnded: ({ sessionId }) => void announced.push(sessionId) }, () => undefined);
  await replica.bus.start();
  await bed.eventually(() => expect(replica.bus.isConnected()).toBe(true));
});

afterAll(async () => {
  await replica.bus.stop();
  await replica.database.close();
});

const ended = { code: 'session_not_found' };
const firefox = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0' };

// Threat model: gateway-5.
test('a login from a site that has used up its share is asked for a proof of work before it is counted', async () => {
  const refusal = new AppError({ code: 'too_many_requests', message: 'Too many.', retryAfter: 900 });
  const limit = { name: 'logins', points: 1, seconds: 900 };
  const loginByAddress = new ClientRateLimiter(() => ({ consume: () => Promise.reject(refusal) }), limit);
  const identity = { ip: '198.51.100.1', visitorId: randomUUID(), visitorByAddress: true } as const;
  await expect(loginByAddress.consumeSite(identity.ip)).rejects.toBe(refusal);
  const attempt = { username: 'noura', password: PASSWORD, identity, isNetworkCounted: false, proof: undefined };
  const login = authenticate({ ...replica, limits: { ...replica.limits, loginByAddress } }, attempt);
  await expect(login).rejects.toMatchObject({ code: 'proof_required' });
});

test('a session is resolved until it is logged out', async () => {
  const { id, token, identity } = await newAccount(bed);
  expect(await bed.resolveSession(token)).toMatchObject({ userId: id, isAdmin: false });
  expect(await bed.call('auth', 'GET', '/api/user', { identity })).toMatchObject({ status: 200, body: { id } });
  expect(await bed.call('auth', 'GET', '/api/auth-status', { identity })).toMatchObject({
    status: 200,
    body: { authenticated: true },
  });

  const loggedOut = await bed.call('auth', 'POST', '/api/logout', { identity });
  expect(loggedOut.status).toBe(204);
  expect(loggedOut.headers.getSetCookie()[0]).toMatch(/^__Host-najwa_session=; .*Expires=Thu, 01 Jan 1970/);
  await expect(bed.resolveSession(token)).rejects.toMatchObject({ code: 'session_not_found' });
});

test('an expired session is not resolved even before it is removed', async () => {
  const { token, identity } = await newAccount(bed);
  const connection = await connectToDatabase(bed);
  const sessions = connection.collection('sessions');
  await sessions.updateOne({ sessionId: identity.sessionId }, { $set: { expiresAt: new Date() } });
  await connection.close();
  await expect(bed.resolveSession(token)).rejects.toMatchObject(ended);
});

test('a session is removed once it has expired', async () => {
  const { identity } = await newAccount(bed);
  const sessions = replica.database.connection.collection('sessions');
  const left = () => sessions.countDocuments({ sessionId: identity.sessionId });
  const { expiresAt } = (await sessions.findOne<{ expiresAt: Date }>({ sessionId: identity.sessionId })) ?? {};
  const end = expiresAt?.getTime() ?? 0;
  await sweepSessions(replica, new Date(end - 1));
  expect(await left()).toBe(1);
  await sweepSessions(replica, new Date(end));
  expect(await left()).toBe(0);
});

// Threat model: witness-4, thief-2.
test('a session stores only the hour of its use, which matches no single message', async () => {
  const hourMs = 60 * 60 * 1000;
  const { token, identity } = await newAccount(bed);
  const connection = await connectToDatabase(bed);
  const sessions = connection.collection('sessions');
  const { sessionId } = identity;
  const earlier = new Date(Date.now() - 2 * hourMs);
  await sessions.updateOne({ sessionId }, { $set: { lastSeenAt: earlier, expiresAt: new Date(Date.now() + hourMs) } });
  await bed.resolveSession(token);
  const stored = await sessions.findOne<{ lastSeenAt: Date; expiresAt: Date }>({ sessionId });
  await connection.close();
  if (stored === null) throw new Error('The session is missing.');
  const [seen, end] = [stored.lastSeenAt.getTime(), stored.expiresAt.getTime()];
  expect(seen).toBeGreaterThan(earlier.getTime());
  expect([seen % hourMs, end % hourMs]).toEqual([0, 0]);
  expect(end).toBeGreaterThan(Date.now() + hourMs);
});

test('a visitor gets not_signed_in', async () => {
  expect(await bed.call('auth', 'GET', '/api/user')).toMatchObject({ status: 401, body: { code: 'not_signed_in' } });
  expect(await bed.call('auth', 'GET', '/api/auth-status')).toMatchObject({
    status: 200,
    body: { authenticated: false },
  });
});

test('a request without an identity from the gateway is refused', async () => {
  const response = await fetch(`${bed.url('auth')}/api/user`, {
    headers: { 'x-najwa-identity': 'forged', 'x-user-id': '1' },
  });
  expect(response.status).toBe(401);
});

describe('the sessions of an account', () => {
  test('sessions are listed newest first with their device and a mark on the current one', async () => {
    const first = await newAccount(bed);
    const second = await logIn(bed, first.username, { headers: firefox });
    const answer = await bed.call('auth', 'GET', '/api/sessions', { identity: first.identity });
    expect(answer.body).toMatchObject([
      {
        id: second.identity.sessionId,
        isCurrent: false,
        device: { browser: 'Firefox', operatingSystem: 'Linux', kind: 'desktop' },
      },
      { id: first.identity.sessionId, isCurrent: true },
    ]);
    expect(JSON.stringify(answer.body)).not.toContain(second.token);
  });

  test.each<[string, (before: SignedIn) => Promise<SignedIn>]>([
    ['signs in', ({ username, identity }) => logIn(bed, username, { identity })],
    ['registers', ({ identity }) => newAccount(bed, identity)],
  ])('the session of a browser that %s again ends, since its cookie is replaced', async (_does, again) => {
    const before = await newAccount(bed);
    const after = await again(before);
    await expect(bed.resolveSession(before.token)).rejects.toMatchObject(ended);
    await expect(bed.resolveSession(after.token)).resolves.toMatchObject({ userId: after.id });
  });

  test('sessions can be ended one by one', async () => {
    const first = await newAccount(bed);
    const second = await logIn(bed, first.username);
    expect(
      (await bed.call('auth', 'DELETE', `/api/sessions/${second.identity.sessionId}`, { identity: first.identity }))
        .status,
    ).toBe(204);
    await expect(bed.resolveSession(second.token)).rejects.toMatchObject(ended);
    await expect(bed.resolveSession(first.token)).resolves.toMatchObject({ userId: first.id });
  });

  test('all sessions except the current one can be ended', async () => {
    const first = await newAccount(bed);
    const others = [await logIn(bed, first.username), await logIn(bed, first.username)];
    expect((await bed.call('auth', 'DELETE', '/api/sessions', { identity: first.identity })).status).toBe(204);
    for (const { token } of others) await expect(bed.resolveSession(token)).rejects.toMatchObject(ended);
    await expect(bed.resolveSession(first.token)).resolves.toMatchObject({ userId: first.id });
  });

  test('any number of sessions can be ended at once', async () => {
    const first = await newAccount(bed);
    const connection = await connectToDatabase(bed);
    const sessions = connection.collection('sessions');
    const { _id, ...own } = (await sessions.findOne({ sessionId: first.identity.sessionId })) ?? {};
    const others = Array.from({ length: 450 }, () => ({ token: randomUUID(), sessionId: randomUUID() }));
    await sessions.insertMany(
      others.map(({ token, sessionId }) => ({
        ...own,
        sessionId,
        tokenHash: createHash('sha256').update(token).digest(),
      })),
    );
    await connection.close();
    expect((await bed.call('auth', 'DELETE', '/api/sessions', { identity: first.identity })).status).toBe(204);
    const answers = await Promise.allSettled(others.map(({ token }) => bed.resolveSession(token)));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toEqual([]);
    await expect(bed.resolveSession(first.token)).resolves.toMatchObject({ userId: first.id });
  });

  // Threat model: admin-7.
  test('sessions cannot be ended by others, including administrators', async () => {
    const [owner, stranger] = [await newAccount(bed), await newAccount(bed)];
    for (const identity of [stranger.identity, { ...stranger.identity, isAdmin: true }]) {
      expect(await bed.call('auth', 'DELETE', `/api/sessions/${owner.identity.sessionId}`, { identity })).toMatchObject(
        { status: 404, body: ended },
      );
    }
    await expect(bed.resolveSession(owner.token)).resolves.toMatchObject({ userId: owner.id });
  });

  test.each(['x', '1', '%7B%7D'])('no session is found by the id %p', async (id) => {
    const { identity } = await newAccount(bed);
    expect((await bed.call('auth', 'DELETE', `/api/sessions/${id}`, { identity })).status).toBe(422);
  });

  test.each([
    ['GET', '/api/sessions'],
    ['DELETE', '/api/sessions'],
    ['DELETE', '/api/sessions/4b0b5c5e-0d3c-4a44-8f59-2a4f4d9a9d11'],
  ])('a visitor has no sessions: %s %s', async (method, path) => {
    expect(await bed.call('auth', method, path)).toMatchObject({ status: 401, body: { code: 'not_signed_in' } });
  });
});

describe('PUT /api/users/password', () => {
  const change = (identity: object | undefined, body: unknown) =>
    bed.call('auth', 'PUT', '/api/users/password', { body, ...(identity && { identity }) });

  test('a password change ends every other session', async () => {
    const first = await newAccount(bed);
    const second = await logIn(bed, first.username);
    expect((await change(first.identity, { currentPassword: PASSWORD, newPassword: 'battery staple' })).status).toBe(
      204,
    );
    await expect(bed.resolveSession(second.token)).rejects.toMatchObject(ended);
    await expect(bed.resolveSession(first.token)).resolves.toMatchObject({ userId: first.id });
    expect(
      (await bed.call('auth', 'POST', '/api/login', { body: { username: first.username, password: PASSWORD } })).status,
    ).toBe(401);
    await logIn(bed, first.username, { password: 'battery staple' });
  });

  // Threat model: gateway-6.
  test('a password change succeeds although a session cannot be ended yet, and the sweep ends it', async () => {
    const first = await newAccount(bed);
    const [other, broken] = [await logIn(bed, first.username), await logIn(bed, first.username)];
    const sessions = replica.database.connection.collection('sessions');
    const { sessionId } = broken.identity;
    await sessions.updateOne({ sessionId }, { $set: { outbox: 'nothing can be added to a text' } });
    expect((await change(first.identity, { currentPassword: PASSWORD, newPassword: 'battery staple' })).status).toBe(
      204,
    );
    await expect(bed.resolveSession(broken.token)).rejects.toMatchObject(ended);
    await bed.eventually(() => expect(announced).toContain(other.identity.sessionId));
    expect(announced).not.toContain(sessionId);

    const later = await logIn(bed, first.username, { password: 'battery staple' });
    await sessions.updateOne({ sessionId }, { $set: { outbox: [] } });
    await sweepSessions(replica, new Date());
    await bed.eventually(() => expect(announced).toContain(sessionId));
    for (const { token } of [first, later])
      await expect(bed.resolveSession(token)).resolves.toMatchObject({ userId: first.id });
    await sweepSessions(replica, new Date());
    expect((await replica.credentials.findWithInvalidSessions(10)).map(({ id }) => id)).not.toContain(first.id);
  });

  test('a password change leaves no session with the old password, even from concurrent logins', async () => {
    const owner = await newAccount(bed);
    const changed = change(owner.identity, { currentPassword: PASSWORD, newPassword: 'battery staple' });
    let isChanged = false;
    void changed.then(() => (isChanged = true));
    const keepLoggingIn = async () => {
      const answers = [];
      while (!isChanged)
        answers.push(
          await bed.call('auth', 'POST', '/api/login', { body: { username: owner.username, password: PASSWORD } }),
        );
      return answers;
    };
    const answers = (await Promise.all(Array.from({ length: 20 }, keepLoggingIn))).flat();
    expect((await changed).status).toBe(204);
    const signedIn = answers.filter(({ status }) => status === 200);
    const stillSignedIn = await Promise.allSettled(
      signedIn.map(({ headers }) => bed.resolveSession(sessionTokenOf(headers))),
    );
    expect(stillSignedIn.filter(({ status }) => status === 'fulfilled')).toEqual([]);
    await expect(bed.resolveSession(owner.token)).resolves.toMatchObject({ userId: owner.id });
  });

  test('accepts only one of two concurrent password changes', async () => {
    const owner = await newAccount(bed);
    const wanted = ['battery staple', 'staple battery'];
    const answers = await Promise.all(
      wanted.map((newPassword) => change(owner.identity, { currentPassword: PASSWORD, newPassword })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 422]);
    await logIn(bed, owner.username, { password: wanted[answers.findIndex(({ status }) => status === 204)] ?? '' });
  });

  test.each<[string, unknown, unknown]>([
    [
      'a wrong current password',
      { currentPassword: 'not this one', newPassword: 'battery staple' },
      { code: 'wrong_password', fields: { currentPassword: 'wrong' } },
    ],
    ['no current password', { newPassword: 'battery staple' }, { fields: { currentPassword: 'required' } }],
    [
      'a short new password',
      { currentPassword: PASSWORD, newPassword: 'short' },
      { fields: { newPassword: 'too_short' } },
    ],
    [
      'a long new password',
      { currentPassword: PASSWORD, newPassword: 'x'.repeat(129) },
      { fields: { newPassword: 'too_long' } },
    ],
  ])('refuses a password change with %s and changes nothing', async (_name, body, expected) => {
    const first = await newAccount(bed);
    const second = await logIn(bed, first.username);
    expect(await change(first.identity, body)).toMatchObject({ status: 422, body: expected });
    await expect(bed.resolveSession(second.token)).resolves.toMatchObject({ userId: first.id });
    await logIn(bed, first.username);
  });

  test('a visitor cannot change a password', async () => {
    expect((await change(undefined, { currentPassword: PASSWORD, newPassword: 'battery staple' })).status).toBe(401);
  });
});
