import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createLogger } from '@najwa/common/logging';
import { Metrics } from '@najwa/common/metrics';
import { createRetention } from '@najwa/common/retention';
import { SweepBounds } from '@najwa/common/service';
import { createEnvelopeOpener, createEnvironmentKeyWrapper, DataKeys, type KeyWrapper } from '@najwa/product';
import { openDatabase } from '@najwa/testing';
import type { Connection } from 'mongoose';

const DAY_MS = 24 * 60 * 60 * 1000;
const RETENTION_DAYS = 30;
const logger = createLogger({ service: 'test', level: 'silent' });
const secret = Buffer.from('the secret');
const [first, second] = [randomBytes(32), randomBytes(32)];

const daysFromNow = (days: number): Date => new Date(Date.now() + days * DAY_MS);

let connection: Connection;

beforeAll(async () => {
  connection = await openDatabase();
});

beforeEach(async () => {
  await stored().deleteMany({});
});

afterAll(async () => {
  await connection.dropDatabase();
  await connection.close();
});

const stored = () => connection.collection<{ _id: string; wrapped: string }>('data_keys');

/** With these keys in its environment. */
const replica = (...keys: Buffer[]): DataKeys =>
  new DataKeys({
    connection,
    wrapper: createEnvironmentKeyWrapper(keys),
    retention: createRetention(RETENTION_DAYS),
    bounds: new SweepBounds({ connection, logger, metrics: new Metrics('test') }),
  });

test('a secret opens in every replica, for its record only, and not with the database alone', async () => {
  const sealed = (await replica(first).seal(secret, 'message 7', new Date())) ?? '';
  expect(await replica(first).open(sealed, 'message 7')).toEqual(secret);
  await expect(replica(first).open(sealed, 'message 8')).rejects.toThrow();
  await expect(replica(second).open(sealed, 'message 7')).rejects.toThrow(/not configured/);
  expect(sealed).not.toContain(secret.toString('base64url'));
});

test('replicas that start at once draw one key, and one for each day', async () => {
  const replicas = Array.from({ length: 6 }, () => replica(first));
  const [today, yesterday] = [new Date(), daysFromNow(-1)];
  const sealed = await Promise.all(
    replicas.flatMap((keys) => [keys.seal(secret, 'x', today), keys.seal(secret, 'x', yesterday)]),
  );
  const tags = await Promise.all(replicas.map(async (keys) => (await keys.permanentKey()).tag('account', 7)));
  expect(new Set(tags).size).toBe(1);
  expect(await stored().countDocuments()).toBe(3);
  for (const text of sealed) expect(await replica(first).open(text ?? '', 'x')).toEqual(secret);
});

// Threat model: admin-3, thief-6.
test('what a day sealed is lost when its retention is over, and nothing is sealed for it again', async () => {
  const keys = replica(first);
  const [old, young] = [daysFromNow(-28), daysFromNow(-1)];
  const [sealedOld, sealedYoung] = [await keys.seal(secret, 'x', old), await keys.seal(secret, 'x', young)];
  await keys.sweep(new Date());
  expect(await keys.open(sealedOld ?? '', 'x')).toEqual(secret);
  await keys.sweep(daysFromNow(4));
  expect(await keys.open(sealedOld ?? '', 'x')).toBeNull();
  expect(await replica(first).open(sealedOld ?? '', 'x')).toBeNull();
  expect(await keys.open(sealedYoung ?? '', 'x')).toEqual(secret);
  expect(await keys.seal(secret, 'x', daysFromNow(-31))).toBeNull();
});

test('the wrapping key is replaced while replicas with the old order still run', async () => {
  const tagBefore = (await replica(first).permanentKey()).tag('account', 7);
  const sealed = (await replica(first).seal(secret, 'x', new Date())) ?? '';
  const [before, after] = [replica(first, second), replica(second, first)];
  await after.sweep(new Date());
  expect(await before.open(sealed, 'x')).toEqual(secret);
  const between = (await before.seal(secret, 'x', daysFromNow(-1))) ?? '';
  await after.sweep(new Date());
  const alone = replica(second);
  expect(await alone.open(sealed, 'x')).toEqual(secret);
  expect(await alone.open(between, 'x')).toEqual(secret);
  expect((await alone.permanentKey()).tag('account', 7)).toBe(tagBefore);
  await expect(replica(first).permanentKey()).rejects.toThrow(/not configured/);
});

test('an envelope opens in another service without its database, and asks for its key once a day', async () => {
  let unwrapped = 0;
  const environment = createEnvironmentKeyWrapper([first]);
  const counting: KeyWrapper = {
    ...environment,
    unwrap: (...wrapped) => {
      unwrapped += 1;
      return environment.unwrap(...wrapped);
    },
  };
  const keys = replica(first);
  const open = createEnvelopeOpener(counting);
  for (const owner of ['a', 'b', 'c']) {
    const envelope = await keys.sealEnvelope(secret, owner, new Date());
    if (envelope === null) throw new Error('Nothing was sealed.');
    expect(await open(envelope, owner)).toEqual(secret);
    await expect(open(envelope, 'another')).rejects.toThrow();
  }
  expect(unwrapped).toBe(1);
});

// Threat model: mongodb-2.
test('a secret of the permanent key opens for its record only', async () => {
  const sealed = (await replica(first).permanentKey()).seal(secret, 'rules 7');
  const again = await replica(first).permanentKey();
  expect(again.open(sealed, 'rules 7')).toEqual(secret);
  expect(() => again.open(sealed, 'rules 8')).toThrow();
});
