import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createContext, type TrackingContext } from '../../src/context.js';
import { sweep } from '../../src/domain/sweep.js';
import { loadConfig } from '../../src/index.js';
import { deleted, startTrackingBed, updated, type TrackingBed } from './tracking-bed.js';

const DAY_MS = 24 * 60 * 60 * 1000;

const daysFromNow = (days: number): Date => new Date(Date.now() + days * DAY_MS);

let tracking: TrackingBed;
/** A second replica without an open port. */
let replica: TrackingContext;

beforeAll(async () => {
  tracking = await startTrackingBed({ TRACKING_RETENTION_DAYS: '30' });
  replica = await createContext(loadConfig(tracking.bed.environmentOf('tracking')));
  await replica.database.connect();
});

afterAll(async () => {
  await replica.database.close();
  await tracking.stop();
});

const countDocuments = (): Promise<number> =>
  replica.database.connection.collection('sender_tracking_info').countDocuments();

// Threat model: admin-3.
test('a record is kept until it expires and then removed', async () => {
  const [old, young] = [
    tracking.newMessage({ createdAt: daysFromNow(-29) }),
    tracking.newMessage({ createdAt: daysFromNow(-1) }),
  ];
  await tracking.track([old, young]);
  await sweep(replica, new Date());
  expect(await tracking.recordOf(old)).toHaveLength(1);
  await sweep(replica, daysFromNow(2));
  expect(await tracking.recordOf(old)).toEqual([]);
  expect(await tracking.recordOf(young)).toHaveLength(1);
});

test('the tombstone of a deleted message expires too', async () => {
  const message = tracking.newMessage();
  await tracking.track([message]);
  await tracking.publish(deleted(message, 2));
  await tracking.bed.eventually(async () => expect(await tracking.recordOf(message)).toEqual([]));
  await sweep(replica, daysFromNow(31));
  expect(await countDocuments()).toBe(0);
});

test('an expired event creates no record', async () => {
  const message = tracking.newMessage({ createdAt: daysFromNow(-31) });
  await tracking.publish(tracking.created(message), updated(message, { revision: 2, isRead: true }));
  await tracking.settle();
  expect(
    await replica.database.connection.collection('sender_tracking_info').countDocuments({ messageId: message.id }),
  ).toBe(0);
});

test('a sweep removes more than one batch', async () => {
  const createdAt = daysFromNow(-40);
  await replica.database.connection.collection('sender_tracking_info').insertMany(
    Array.from({ length: 2_500 }, (_, index) => ({
      id: 10_000 + index,
      messageId: 10_000 + index,
      createdAt,
      isTraced: true,
    })),
  );
  await sweep(replica, new Date());
  expect(await replica.database.connection.collection('sender_tracking_info').countDocuments({ createdAt })).toBe(0);
});
