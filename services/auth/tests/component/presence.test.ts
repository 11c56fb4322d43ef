import { createHash, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createEvent } from '@najwa/common/amqp';
import { sharedBed, type Bed } from '@najwa/testing';
import { connectToDatabase, logIn, newAccount, PASSWORD, type SignedIn } from './account-bed.js';

let bed: Bed;

beforeAll(async () => {
  bed = await sharedBed();
});

const MINUTE_MS = 60 * 1000;
const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * MINUTE_MS);

const visited = (...visits: { userId: number; visitor: string; at: Date }[]) =>
  createEvent(randomUUID(), { $case: 'profileVisited', value: { visits } });
const seen = (userId: number, at: Date) =>
  createEvent(randomUUID(), { $case: 'userSeen', value: { updates: [{ userId, at }] } });
const profileOf = async ({ username }: SignedIn) =>
  (await bed.call('auth', 'GET', `/api/users/${username}`)).body as {
    visitorCount: number;
    isOnline: boolean;
    lastOnline: string | null;
  };

/** As if the account had never been there. */
async function setPresence({ id }: SignedIn, at: Date | null): Promise<void> {
  const connection = await connectToDatabase(bed);
  await connection.collection('users').updateOne({ id }, { $set: { lastOnline: at, shownOnline: at } });
  await connection.close();
}

const forgetPresence = (owner: SignedIn): Promise<void> => setPresence(owner, null);

/** Waits for a later visit of another page to count, by when most earlier events are handled. */
async function settle(): Promise<void> {
  const marker = await newAccount(bed);
  await bed.publish([visited({ userId: marker.id, visitor: randomUUID(), at: new Date() })]);
  await bed.eventually(async () => expect((await profileOf(marker)).visitorCount).toBe(1));
}

describe('visits', () => {
  test('a visitor counts once in thirty minutes, across gateways', async () => {
    const owner = await newAccount(bed);
    const visitor = randomUUID();
    const at = minutesAgo(40);
    await bed.publish([
      visited({ userId: owner.id, visitor, at }),
      visited({ userId: owner.id, visitor, at }, { userId: owner.id, visitor, at: minutesAgo(20) }),
    ]);
    await bed.eventually(async () => expect((await profileOf(owner)).visitorCount).toBe(1));
    await settle();
    expect((await profileOf(owner)).visitorCount).toBe(1);
    await bed.publish([visited({ userId: owner.id, visitor, at: minutesAgo(5) })]);
    await bed.eventually(async () => expect((await profileOf(owner)).visitorCount).toBe(2));
  });

  test('visits of two visitors count twice, and those of a missing page not at all', async () => {
    const owner = await newAccount(bed);
    const at = new Date();
    await bed.publish([
      visited(
        { userId: owner.id, visitor: 'one', at },
        { userId: 999_999, visitor: 'one', at },
        { userId: owner.id, visitor: 'two', at },
      ),
    ]);
    await bed.eventually(async () => expect((await profileOf(owner)).visitorCount).toBe(2));
  });

  // Threat model: thief-8.
  test('visits are stored under hashes that a thief of the database cannot brute-force', async () => {
    const owner = await newAccount(bed);
    const visitor = randomUUID();
    await bed.publish([visited({ userId: owner.id, visitor, at: new Date() })]);
    await bed.eventually(async () => expect((await profileOf(owner)).visitorCount).toBe(1));
    const connection = await connectToDatabase(bed);
    const stored = JSON.stringify(await connection.collection('visits').find().toArray());
    await connection.close();
    expect(stored).toMatch(/"key":"[\w-]{43}"/);
    for (const guess of [visitor, `${owner.id} ${visitor}`, `visit ${owner.id} ${visitor}`])
      expect(stored).not.toContain(createHash('sha256').update(guess).digest('base64url'));
  });
});

describe('presence', () => {
  const own = async ({ identity }: SignedIn) =>
    (await bed.call('auth', 'GET', '/api/user', { identity })).body as { isOnline: boolean; lastOnline: string | null };

  test('presence shows a registration at once, and a provoked sign-in only after its step', async () => {
    const owner = await newAccount(bed);
    expect(await profileOf(owner)).toMatchObject({ isOnline: true, lastOnline: expect.any(String) });
    await forgetPresence(owner);
    // No step is over within the test, so the reading is a moment ahead.
    await bed.publish([seen(owner.id, new Date(Date.now() + 10_000))]);
    await bed.eventually(async () => expect((await own(owner)).lastOnline).not.toBeNull());
    expect(await profileOf(owner)).toMatchObject({ isOnline: false, lastOnline: null });
    await setPresence(owner, minutesAgo(180));
    await logIn(bed, owner.username);
    expect(Date.parse((await own(owner)).lastOnline ?? '')).toBeGreaterThan(minutesAgo(60).getTime());
    const { isOnline, lastOnline } = await profileOf(owner);
    expect(isOnline).toBe(false);
    expect(Date.parse(lastOnline ?? '')).toBeLessThanOrEqual(minutesAgo(180).getTime());
  });

  test('presence shows an account as active for an hour', async () => {
    const owner = await newAccount(bed);
    await forgetPresence(owner);
    // A step is shorter than 45 minutes.
    await bed.publish([seen(owner.id, minutesAgo(46))]);
    await bed.eventually(async () => expect(await profileOf(owner)).toMatchObject({ isOnline: true }));
    await forgetPresence(owner);
    await bed.publish([seen(owner.id, minutesAgo(106))]);
    await bed.eventually(async () =>
      expect(await profileOf(owner)).toMatchObject({ isOnline: false, lastOnline: expect.any(String) }),
    );
  });

  test('presence is not set by resolving a session or changing the password', async () => {
    const owner = await newAccount(bed);
    const { identity, token } = await logIn(bed, owner.username);
    await forgetPresence(owner);
    await bed.resolveSession(token);
    await bed.call('auth', 'PUT', '/api/users/password', {
      identity,
      body: { currentPassword: PASSWORD, newPassword: 'battery staple' },
    });
    await settle();
    expect(await profileOf(owner)).toMatchObject({ isOnline: false, lastOnline: null });
  });

  // Threat model: owner-7.
  test('presence is coarse for others and exact to the minute for the account itself', async () => {
    const owner = await newAccount(bed);
    await forgetPresence(owner);
    const minutes = Array.from({ length: 40 }, (_, index) => minutesAgo(100 - index));
    const shown = new Set<string | null>();
    for (const at of minutes) {
      await bed.publish([seen(owner.id, at)]);
      const minute = `${at.toISOString().slice(0, 17)}00.000Z`;
      await bed.eventually(async () => expect((await own(owner)).lastOnline).toBe(minute));
      const { lastOnline } = await profileOf(owner);
      const age = at.getTime() - Date.parse(lastOnline ?? '');
      expect(age).toBeGreaterThanOrEqual(0);
      expect(age).toBeLessThan(45 * MINUTE_MS);
      shown.add(lastOnline);
    }
    expect(shown.size).toBeLessThanOrEqual(4);
  });

  test('presence shows an account to itself as online', async () => {
    const owner = await newAccount(bed);
    await forgetPresence(owner);
    expect(await profileOf(owner)).toMatchObject({ isOnline: false });
    expect(await own(owner)).toMatchObject({ isOnline: true });
  });

  test('presence never goes back in time', async () => {
    const owner = await newAccount(bed);
    const { lastOnline } = await own(owner);
    await bed.publish([seen(owner.id, minutesAgo(10))]);
    await settle();
    expect(await profileOf(owner)).toMatchObject({ isOnline: true });
    expect(await own(owner)).toMatchObject({ lastOnline });
  });
});
