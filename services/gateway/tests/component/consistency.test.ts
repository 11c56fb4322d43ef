// Long run: replicas under changes.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { create, createPublicCache, loadConfig, type GatewayService } from '@najwa/gateway';
import { sharedBed, type Bed } from '@najwa/testing';
import type { CachedAnswer } from '../../src/public/answer.js';
import { checkConsistency } from '../support/consistency.js';
import { startUpstream, type Upstream } from '../support/upstream.js';
import { answerAsWebClient } from '../support/web-client.js';

/** Caches expire after ten seconds, so earlier changes come from events. */
const RUN = { seconds: 8, toleranceMs: 2_000 };

let bed: Bed;
let web: Upstream;
const started: GatewayService[] = [];

async function startReplica(overrides: Parameters<typeof create>[1] = {}): Promise<string> {
  const config = loadConfig({ ...bed.environmentOf('gateway'), WEB_URL: web.url, PORT: '0' });
  const gateway = await create(config, overrides);
  await gateway.start();
  started.push(gateway);
  return `http://127.0.0.1:${gateway.ports().http}`;
}

beforeAll(async () => {
  bed = await sharedBed();
  web = await startUpstream('web');
  answerAsWebClient(web);
});
afterAll(async () => {
  await Promise.all(started.map((gateway) => gateway.stop()));
  await web.close();
});

test('no reader sees a message that is private again, or an older state than before', async () => {
  const replicas = [await startReplica(), await startReplica()];
  const { reads, changes, faults } = await checkConsistency({ bed, replicas, ...RUN });
  expect(faults).toEqual([]);
  expect([reads > 50, changes >= 4]).toEqual([true, true]);
}, 240_000);

test('the check notices a replica that misses changes', async () => {
  const publicCache = createPublicCache({ isSubscribed: () => true, maxBytes: 1_000_000 });
  // Receives the first publication, so that it has something to serve.
  let heard = 0;
  const drop = (tag: string): void => {
    if (tag.startsWith('messages/')) heard += 1;
    if (!tag.startsWith('messages/') || heard === 1) publicCache.drop(tag);
  };
  const deaf = await startReplica({ publicCache: { ...publicCache, drop } });
  const { faults } = await checkConsistency({ bed, replicas: [deaf], ...RUN });
  expect(faults.join('\n')).toContain('showed a private message');
}, 240_000);

test('the check notices a replica that goes back to an older answer', async () => {
  const publicCache = createPublicCache({ isSubscribed: () => true, maxBytes: 1_000_000 });
  const first = new Map<string, CachedAnswer | undefined>();
  let peeks = 0;
  const peek = (key: string): CachedAnswer | undefined => {
    const found = publicCache.peek(key);
    if (!first.has(key) && found !== undefined) first.set(key, { ...found });
    peeks += 1;
    return peeks % 10 === 0 ? (first.get(key) ?? found) : found;
  };
  const forgetful = await startReplica({ publicCache: { ...publicCache, peek } });
  const { faults } = await checkConsistency({ bed, replicas: [forgetful], ...RUN });
  expect(faults.join('\n')).toMatch(/went back from (name|reply)/);
}, 240_000);
