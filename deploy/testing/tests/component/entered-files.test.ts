import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { Session, type Profiler } from 'node:inspector/promises';
import { expect, test } from '@jest/globals';
import { inCheckout } from '@najwa/dev/bootstrap/environment';
import { buildMessage, startGateway, startTestBed } from '@najwa/testing';

const TRIES = 10;

/** Sources in which a function ran. Files of types and constants are not entered. */
const entered = (scripts: readonly Profiler.ScriptCoverage[]): string[] =>
  scripts.flatMap(({ url, functions }) => {
    const [, file] = /\/((?:services\/[a-z]+|proto)\/dist\/.+\.js)$/.exec(url) ?? [];
    return file !== undefined && functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)) ? [file] : [];
  });

test('a text message is accepted through no more files than the budget allows', async () => {
  const bed = await startTestBed({ services: ['auth', 'media', 'messages'], env: { RATE_LIMIT_SCALE: '0' } });
  const gateway = await startGateway(bed);
  const { id, identity } = await bed.newAccount();
  const send = async (): Promise<number> => {
    const { status } = await fetch(`${gateway.origin}/api/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-requested-with': 'XMLHttpRequest' },
      body: JSON.stringify(buildMessage(id)),
    });
    return status;
  };
  /** Waits for what follows the answers. */
  const untilNotified = (count: number): Promise<void> =>
    bed.eventually(async () =>
      expect((await bed.call('messages', 'GET', '/api/notifications', { identity })).body).toHaveLength(count),
    );
  // The first one connects, and fills caches.
  expect(await send()).toBe(201);
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  let files: string[] | undefined;
  // Background work appears in some only.
  for (let tries = 0; tries < TRIES; tries += 1) {
    await untilNotified(tries + 1);
    await session.post('Profiler.takePreciseCoverage');
    expect(await send()).toBe(201);
    const now = new Set(entered((await session.post('Profiler.takePreciseCoverage')).result));
    files = (files ?? [...now]).filter((file) => now.has(file));
  }
  session.disconnect();
  await gateway.stop();
  await bed.stop();
  const budgets = JSON.parse(await readFile(inCheckout('deploy/check/budgets.json'), 'utf8')) as Record<
    string,
    { most: number }
  >;
  // For people, and for `npm run budgets`.
  await mkdir(inCheckout('.artifacts'), { recursive: true });
  await writeFile(inCheckout('.artifacts/entered-files.json'), JSON.stringify(files?.sort(), null, 2));
  expect(files?.length).toBeLessThanOrEqual(budgets['files entered by an accepted text']?.most ?? 0);
});
