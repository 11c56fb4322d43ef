import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createContext, type TrackingContext } from '../../src/context.js';
import { sealingMigrations, textMigrations } from '../../src/db/migrations.js';
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

test('a text that was stored before folding knew its digits is found after the migration', async () => {
  const { connection } = replica.database;
  const [old, current] = [tracking.newMessage({ content: 'غرفة ٧٠٠' }), tracking.newMessage({ content: 'room 700' })];
  await tracking.track([old, current]);
  // As the version before stored it.
  await connection
    .collection('sender_tracking_info')
    .updateOne({ messageId: old.id }, { $set: { searchableText: 'غرفه ٧٠٠' } });
  const found = async () => (await tracking.list({ text: '700' })).records.map(({ messageId }) => messageId).sort();
  expect(await found()).toEqual([current.id]);

  const [migration] = textMigrations;
  expect(await migration?.runBatch(connection, null)).toEqual({ changed: 1, next: null });
  expect(await found()).toEqual([old.id, current.id]);
  expect(await migration?.runBatch(connection, null)).toEqual({ changed: 0, next: null });
});

test('a trace that another key sealed is empty, and does not take the list away', async () => {
  const records = replica.database.connection.collection('sender_tracking_info');
  const [older, newer] = [tracking.newMessage(), tracking.newMessage()];
  await tracking.track([older, newer]);
  const found = await records.findOne({ messageId: newer.id });
  // As after the restore of a backup without the key of its day: another one was drawn for that day.
  const sealedTrace = String(found?.['sealedTrace']).replace(/.{22}$/, 'A'.repeat(22));
  await records.updateOne({ messageId: newer.id }, { $set: { sealedTrace } });
  expect(await tracking.recordOf(newer)).toMatchObject([{ messageId: newer.id, ipAddress: '', userAgent: '' }]);
  expect(await tracking.recordOf(older)).toMatchObject([{ ipAddress: sender.ipAddress }]);
});

test('a trace that was stored in clear is shown, then sealed, and lost with the key of its day', async () => {
  const { connection } = replica.database;
  const records = connection.collection('sender_tracking_info');
  const message = tracking.newMessage();
  await tracking.track([message]);
  // As versions before stored it.
  const trace = { ...sender, browser: 'Example', operatingSystem: '', device: '', location: '', acceptedLanguages: [] };
  await records.updateOne({ messageId: message.id }, { $set: { trace }, $unset: { sealedTrace: 1 } });
  const inClear = await tracking.recordOf(message);
  expect(inClear).toMatchObject([{ ...sender, browser: 'Example' }]);

  const [migration] = sealingMigrations(replica.seals);
  expect(await migration?.runBatch(connection, null)).toEqual({ changed: 1, next: null });
  expect(await migration?.runBatch(connection, null)).toEqual({ changed: 0, next: null });
  expect(await tracking.recordOf(message)).toEqual(inClear);
  expect(JSON.stringify(await records.find().toArray())).not.toContain(sender.ipAddress);

  const [stored] = await replica.records.list({}, { before: undefined, limit: 1 }).then(({ records: found }) => found);
  const dayAfterRetention = new Date(Date.now() + 92 * 24 * 60 * 60 * 1000);
  await replica.dataKeys.sweep(dayAfterRetention);
  expect(stored && (await replica.seals.open(stored))).toMatchObject({ ipAddress: '', userAgent: '' });
});
