import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AppError } from '@najwa/common/errors';
import { createRateLimiter, prepareRateLimits } from '@najwa/common/limits';
import { openDatabase } from '@najwa/testing';
import type { Connection } from 'mongoose';

let connection: Connection;

beforeAll(async () => {
  connection = await openDatabase();
  await prepareRateLimits(connection);
});

afterAll(async () => {
  await connection.dropDatabase();
  await connection.close();
});

const newLimiter = (name: string) =>
  createRateLimiter({ limit: { name, points: 10, seconds: 3600 }, scale: 1, connection });

test('concurrent calls in all replicas share the points of a key', async () => {
  const name = randomUUID();
  const replicas = [newLimiter(name), newLimiter(name)];
  const results = await Promise.allSettled(
    Array.from({ length: 40 }, (_, index) =>
      replicas.flatMap((replica) => [replica.consume(`a ${index % 2}`), replica.consume(`b ${index % 4}`)]),
    ).flat(),
  );
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(60);
});

test('a blocked key stays blocked and gets the retry time', async () => {
  const limiter = newLimiter(randomUUID());
  for (let point = 0; point < 10; point += 1) await limiter.consume('a');
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const refusal: unknown = await limiter.consume('a').catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(AppError);
    expect(refusal).toMatchObject({ code: 'too_many_requests' });
    expect((refusal as AppError).retryAfter).toBeGreaterThan(3_500);
  }
  await limiter.consume('b');
});

test('replicas share the points of the next window, while the last one is still stored', async () => {
  const name = randomUUID();
  const replicas = [newLimiter(name), newLimiter(name)];
  for (const replica of replicas) await replica.consume('a', 4);
  await connection.collection('rate_limits').updateMany({}, { $set: { expire: new Date(Date.now() - 1) } });
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, () => replicas.map((replica) => replica.consume('a'))).flat(),
  );
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
});
