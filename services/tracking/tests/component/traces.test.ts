import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createContext, type TrackingContext } from '../../src/context.js';
import type { TrackingRecord } from '../../src/db/records.js';
import { loadConfig } from '../../src/index.js';
import { sender, startTrackingBed, type TrackingBed } from './tracking-bed.js';

let tracking: TrackingBed;
/** A second replica without an open port. */
let replica: TrackingContext;

beforeAll(async () => {
  tracking = await startTrackingBed();
  replica = await createContext(loadConfig(tracking.bed.environmentOf('tracking')));
  await replica.database.connect();
});

afterAll(async () => {
  await replica.database.close();
  await tracking.stop();
});

test('a trace is sealed, and lost with the key of its day', async () => {
  const message = tracking.newMessage();
  await tracking.track([message]);
  const stored = await replica.database.connection
    .collection<Pick<TrackingRecord, 'messageId' | 'sealedTrace'>>('sender_tracking_info')
    .findOne({ messageId: message.id });
  if (stored === null) throw new Error('There is no record.');
  expect(JSON.stringify(stored)).not.toContain(sender.ipAddress);
  expect(await replica.seals.open(stored)).toMatchObject({ ipAddress: sender.ipAddress });
  const afterRetention = new Date(Date.now() + 92 * 24 * 60 * 60 * 1000);
  await replica.dataKeys.sweep(afterRetention);
  expect(await replica.seals.open(stored)).toMatchObject({ ipAddress: '', userAgent: '' });
});

test('a trace that another key sealed is empty, and does not take the list away', async () => {
  const records = replica.database.connection.collection('sender_tracking_info');
  const [older, newer] = [tracking.newMessage(), tracking.newMessage()];
  await tracking.track([older, newer]);
  const found = await records.findOne({ messageId: newer.id });
  // As after restoring a backup without the day's key: another one was drawn.
  const sealedTrace = String(found?.['sealedTrace']).replace(/.{22}$/, 'A'.repeat(22));
  await records.updateOne({ messageId: newer.id }, { $set: { sealedTrace } });
  expect(await tracking.recordOf(newer)).toMatchObject([{ messageId: newer.id, ipAddress: '', userAgent: '' }]);
  expect(await tracking.recordOf(older)).toMatchObject([{ ipAddress: sender.ipAddress }]);
});

// Threat model: admin-12.
test.each([
  ['coarse', { ipAddress: '192.0.2.0/24', userAgent: '', referrer: '', language: '', device: 'mobile' }],
  ['off', { ipAddress: '', userAgent: '', referrer: '', language: '', device: '' }],
] as const)('an event from before tracking became %s gives no more than is kept', async (mode, trace) => {
  const other = await startTrackingBed({ TRACKING: mode });
  const message = other.newMessage();
  const userAgent = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) Mobile/15E148 Safari/604.1';
  await other.track([message], { userAgent });
  const { records } = await other.list();
  expect(records.find(({ messageId }) => messageId === message.id)).toMatchObject(trace);
  await other.stop();
});
