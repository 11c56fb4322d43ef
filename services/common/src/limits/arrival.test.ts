import { PassThrough } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { withMinimumRate } from './arrival.js';

const RULES = { graceMs: 40, minBytesPerSecond: 1_000, maxPauseMs: 40 };

/** A promise that the test settles on demand. */
const silence = (): Promise<never> => new Promise(() => undefined);

async function collect(chunks: AsyncIterable<Buffer>): Promise<number> {
  let bytes = 0;
  for await (const chunk of chunks) bytes += chunk.length;
  return bytes;
}

afterEach(() => {
  jest.restoreAllMocks();
});

describe('withMinimumRate', () => {
  test('passes on chunks that arrive in time', async () => {
    const source = new PassThrough();
    source.write(Buffer.alloc(700));
    source.end(Buffer.alloc(300));
    expect(await collect(withMinimumRate<Buffer>(source, RULES))).toBe(1_000);
  });

  test.each([
    ['never begins', 0],
    ['falls silent', 10],
    ['falls silent after a large burst', 10_000_000],
  ])('refuses a sender that %s', async (_name, bytes) => {
    async function* sender(): AsyncGenerator<Buffer> {
      if (bytes > 0) yield Buffer.alloc(bytes);
      await silence();
    }
    await expect(collect(withMinimumRate(sender(), RULES))).rejects.toMatchObject({ code: 'request_timeout' });
  });

  test('refuses a sender that trickles bytes', async () => {
    async function* sender(): AsyncGenerator<Buffer> {
      for (;;) {
        await pause(10);
        yield Buffer.alloc(1);
      }
    }
    await expect(collect(withMinimumRate(sender(), RULES))).rejects.toMatchObject({ code: 'request_timeout' });
  });

  test('takes a long body that keeps the required pace', async () => {
    const now = performance.now.bind(performance);
    let passed = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now() + passed);
    async function* sender(): AsyncGenerator<Buffer> {
      for (let second = 0; second < 20; second += 5) {
        passed += 5_000;
        await pause(5);
        yield Buffer.alloc(15_000);
      }
    }
    expect(await collect(withMinimumRate(sender()))).toBe(60_000);
  });

  test('does not count time spent by the reader', async () => {
    async function* sender(): AsyncGenerator<Buffer> {
      for (let chunk = 0; chunk < 4; chunk += 1) {
        await pause(1);
        yield Buffer.alloc(1);
      }
    }
    const now = performance.now.bind(performance);
    let spent = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now() + spent);
    let chunks = 0;
    for await (const _ of withMinimumRate(sender())) {
      chunks += 1;
      spent += 60_000;
    }
    expect(chunks).toBe(4);
  });

  test('closes the source when the reader stops early', async () => {
    const source = new PassThrough();
    source.write(Buffer.alloc(10));
    for await (const _ of withMinimumRate<Buffer>(source, RULES)) break;
    expect(source.destroyed).toBe(true);
  });
});
