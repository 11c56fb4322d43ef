import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@jest/globals';
import { createLogger } from '@najwa/common/logging';
import { eventually } from '@najwa/testing';
import { createWorkerThread } from './worker-thread.js';

const LOADS_MS = 500;

test('loading does not count as work, also not of a thread that replaces an idle one', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'najwa-thread-'));
  await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(
    path.join(folder, 'slow.ts'),
    `import { threadId } from 'node:worker_threads';
    await new Promise((resolve) => setTimeout(resolve, ${LOADS_MS}));
    export default () => threadId;`,
  );
  const limits = { timeLimitMs: LOADS_MS / 2, maxWaiting: 1, maxMemoryMb: 64, idleMs: 1, failure: 'failed' };
  const { run, close } = createWorkerThread<null, number>(
    { module: pathToFileURL(path.join(folder, 'slow')), ...limits },
    createLogger({ service: 'test', level: 'silent' }),
  );
  const threads = new Set<number | undefined>();
  await eventually(async () => expect(threads.add(await run(null)).size).toBeGreaterThan(1));
  expect([...threads]).not.toContain(undefined);
  await close();
  await rm(folder, { recursive: true });
});
