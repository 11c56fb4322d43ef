import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { runJest } from './jest-run.js';

const LEAVES_A_SERVER_OPEN = `
  test('passes', () => { require('node:net').createServer().listen(0, '127.0.0.1'); });
  test('fails', () => { expect(1).toBe(2); });`;
const NEVER_ENDS = `for (;;);`;
const FAILS_AND_GOES_ON = `
  test('fails', () => { expect(1).toBe(2); });
  test('never ends', () => new Promise(() => undefined));`;

/** Runs one file of tests. */
async function runFile(source: string, limits: { silenceMs?: number; exitMs?: number; endsAtFailure?: boolean }) {
  const folder = await mkdtemp(path.join(tmpdir(), 'najwa-open-'));
  try {
    await writeFile(path.join(folder, 'open.test.cjs'), source);
    const config = JSON.stringify({ rootDir: folder, testMatch: ['**/*.test.cjs'], transform: {} });
    return await runJest(['--config', config, '--runInBand'], { signal: AbortSignal.timeout(240_000), ...limits });
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('a run that left something open is ended, and its results count', async () => {
  expect(await runFile(LEAVES_A_SERVER_OPEN, { exitMs: 100 })).toMatchObject({
    isStuck: true,
    tally: { passed: 1, failed: 1 },
    suites: [{ message: expect.stringContaining('fails') }],
  });
});

test('a run that shows nothing new is ended, and the file that hangs counts as failed', async () => {
  expect(await runFile(NEVER_ENDS, { silenceMs: 100 })).toMatchObject({
    isStuck: true,
    suites: [{ failures: [expect.stringMatching(/open\.test\.cjs \(did not end\)$/)] }],
    tally: { passed: 0, failed: 1 },
  });
});

test('a run that ends at a failure does not wait for the other tests of its file', async () => {
  expect(await runFile(FAILS_AND_GOES_ON, { endsAtFailure: true })).toMatchObject({
    isStuck: false,
    suites: [{ failures: [expect.stringMatching(/open\.test\.cjs › fails$/)] }],
    tally: { passed: 0, failed: 1 },
  });
});
