import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { runJest } from './test.js';

const LEAVES_A_SERVER_OPEN = `
  test('passes', () => { require('node:net').createServer().listen(0, '127.0.0.1'); });
  test('fails', () => { expect(1).toBe(2); });`;
const NEVER_ENDS = `for (;;);`;

/** Runs one file of tests. */
async function runFile(source: string, limits: { silenceMs?: number; exitMs?: number }) {
  const folder = await mkdtemp(path.join(tmpdir(), 'najwa-open-'));
  try {
    await writeFile(path.join(folder, 'open.test.cjs'), source);
    const config = JSON.stringify({ rootDir: folder, testMatch: ['**/*.test.cjs'], transform: {} });
    return await runJest(['--config', config, '--runInBand'], { signal: AbortSignal.timeout(60_000), ...limits });
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('a run that left something open is ended, and its results count', async () => {
  const run = await runFile(LEAVES_A_SERVER_OPEN, { exitMs: 100 });
  expect(run).toMatchObject({ isStuck: true, tally: { passed: 1, failed: 1 } });
  expect(run.output).toContain('RUNS open.test.cjs');
});

test('a run that shows nothing new is ended, and counts as failed', async () => {
  expect(await runFile(NEVER_ENDS, { silenceMs: 100 })).toMatchObject({
    isStuck: true,
    suites: [],
    tally: { passed: 0, failed: 1 },
  });
});
