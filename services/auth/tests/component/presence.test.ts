import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createEvent } from '@najwa/common';
import { startTestBed, type TestBed } from '@najwa/dev-env';
import { newAccount, type SignedIn } from './account-bed.js';

let bed: TestBed;

beforeAll(async () => {
  bed = await startTestBed({ services: ['auth'], env: { RATE_LIMIT_SCALE: '0' } });
});

afterAll(() => bed.stop());

const MINUTE_MS = 60 * 1000;
const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * MINUTE_MS);

const visited = (...visits: { userId: number; visitor: string; at: Date }[]) =>
  createEvent(randomUUID(), { $case: 'profileVisited', value: { visits } });
const seen = (userId: number, at: Date) =>
  createEvent(randomUUID(), { $case: 'userSeen', value: { sightings: [{ userId, at }] } });
const profileOf = async ({ username }: SignedIn) =>
  (await bed.call('auth', 'GET', `/api/users/${username}`)).body as {
    visitorCount: number;
    isOnline: boolean;
    lastOnline: string | null;
  };

/** Once a visit of another page counts, what was published before it has been handled. */
async function settle(): Promise<void> {
  const marker = await newAccount(bed);
  await bed.publish([visited({ userId: marker.id, visitor: randomUUID(), at: new Date() })]);
  await bed.eventually(async () => expect((await profileOf(marker)).visitorCount).toBe(1));
}

describe('visits', () => {
  test('count once for a visitor in thirty minutes, through whichever gateway they came', async () => {
    const owner = await newAccount(bed);
    const visitor = randomUUID();
    const at = minutesAgo(40);
    await bed.publish([
      visited({ userId: owner.id, visitor, at }),
      visited({ userId: owner.id, visitor, at }, { userId: owner.id, visitor, at: minutesAgo(20) }),
    ]);
    await settle();
    expect((await profileOf(owner)).visitorCount).toBe(1);
    await bed.publish([visited({ userId: owner.id, visitor, at: minutesAgo(5) })]);
    await bed.eventually(async () => expect((await profileOf(owner)).visitorCount).toBe(2));
  });

  test('of two visitors are two, and of a page that does not exist none', async () => {
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
});

describe('presence', () => {
  test('follows what an account does, and ends two minutes after', async () => {
    const owner = await newAccount(bed);
    await bed.publish([seen(owner.id, minutesAgo(3))]);
    await bed.eventually(async () =>
      expect(await profileOf(owner)).toMatchObject({ isOnline: false, lastOnline: expect.any(String) }),
    );
    await bed.publish([seen(owner.id, new Date())]);
    await bed.eventually(async () => expect(await profileOf(owner)).toMatchObject({ isOnline: true }));
  });

  test('is no question to whoever asks about themselves', async () => {
    const owner = await newAccount(bed);
    expect(await profileOf(owner)).toMatchObject({ isOnline: false });
    expect(await bed.call('auth', 'GET', '/api/user', { identity: owner.identity })).toMatchObject({
      body: { isOnline: true },
    });
  });

  test('never goes back in time', async () => {
    const owner = await newAccount(bed);
    await bed.publish([seen(owner.id, new Date())]);
    await bed.eventually(async () => expect(await profileOf(owner)).toMatchObject({ isOnline: true }));
    const { lastOnline } = await profileOf(owner);
    await bed.publish([seen(owner.id, minutesAgo(10))]);
    await settle();
    expect(await profileOf(owner)).toMatchObject({ isOnline: true, lastOnline });
  });
});
