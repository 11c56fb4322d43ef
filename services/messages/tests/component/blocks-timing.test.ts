import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { IDENTITY_HEADER } from '@najwa/common';
import { buildMessage, sharedBed, uniqueAddress, type Bed, type BedAccount, type CallerIdentity } from '@najwa/dev-env';

/** Requests of each kind, at most. */
const REQUESTS = 400;
/** After these, times that are alike have shown it. Others get all requests. */
const SOONEST = 150;
const WARM_UP = 50;
/** Requests of each kind with one token, which lasts a minute. */
const RENEWAL = 50;

let bed: Bed;
let owner: BedAccount;

beforeAll(async () => {
  bed = await sharedBed();
  owner = await bed.newAccount();
});

interface Kind {
  name: string;
  identity: CallerIdentity;
  content: string;
  token: string;
  times: number[];
}

/**
 * Share of pairs in which a value of one kind is below one of the other: 0.5 if both have one distribution. It depends
 * on ranks only, so a few slow answers do not matter.
 */
function shareBelow(one: number[], other: number[]): number {
  const ranked = [
    ...one.map((value) => ({ value, isOne: true })),
    ...other.map((value) => ({ value, isOne: false })),
  ].toSorted((a, b) => a.value - b.value);
  let seen = 0;
  let below = 0;
  for (const { isOne } of ranked) {
    if (isOne) seen += 1;
    else below += seen;
  }
  return below / (one.length * other.length);
}

/** A suspension takes the same steps, for the tag of the account. */
async function blockEverywhere(identity: CallerIdentity): Promise<void> {
  const { id: messageId } = await bed.sendMessage(owner.id, {}, { identity });
  const reported = await bed.call('messages', 'POST', '/api/reports', {
    identity: owner.identity,
    body: { messageId, reason: 'spam' },
  });
  const { id } = reported.body as { id: number };
  const blocked = await bed.call('admin', 'POST', `/api/admin/reports/${id}/actions`, {
    identity: { userId: 1_000_001, isAdmin: true },
    body: { action: 'block', reason: 'إعلانات' },
  });
  expect(blocked.status).toBe(201);
}

test('the answer to a blocked, filtered or suspended sender takes the time of any other', async () => {
  const asOwner = { identity: owner.identity };
  const blocked = { visitorId: randomUUID(), ip: uniqueAddress() };
  const { id: messageId } = await bed.sendMessage(owner.id, {}, { identity: blocked });
  expect((await bed.call('messages', 'POST', '/api/blocks', { ...asOwner, body: { messageId } })).status).toBe(201);
  await bed.call('messages', 'PUT', '/api/filters', { ...asOwner, body: { words: ['سرًّا'], lists: ['insults'] } });
  const others = { visitorId: randomUUID(), ip: uniqueAddress() };
  const everywhere = { visitorId: randomUUID(), ip: uniqueAddress() };
  await blockEverywhere(everywhere);
  const kinds: Kind[] = [];
  for (const [name, identity, content] of [
    ['free', others, 'رسالة إليك'],
    ['blocked', blocked, 'رسالة إليك'],
    ['filtered', others, 'سرًّا إليك'],
    ['blocked everywhere', everywhere, 'رسالة إليك'],
  ] as const)
    kinds.push({ name, identity, content, token: await bed.identityToken('messages', identity), times: [] });
  const url = `${bed.url('messages')}/api/messages`;
  /** By how much the times of the others lie off those of the free, at most. The standard deviation is 0.03 after the fewest requests. */
  const offBy = (): number => {
    const [free, ...aside] = kinds.map(({ times }) => times);
    return Math.max(...aside.map((times) => Math.abs(shareBelow(free ?? [], times) - 0.5)));
  };
  for (let count = -WARM_UP; count < REQUESTS; count += 1) {
    if (count >= SOONEST && count % RENEWAL === 0 && offBy() < 0.05) break;
    // Every kind comes first, second and last equally often.
    for (let turn = 0; turn < kinds.length; turn += 1) {
      const kind = kinds[(count + WARM_UP + turn) % kinds.length];
      if (kind === undefined) continue;
      const begun = performance.now();
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', [IDENTITY_HEADER]: kind.token },
        body: JSON.stringify(buildMessage(owner.id, { content: kind.content })),
      });
      await response.arrayBuffer();
      expect(response.status).toBe(201);
      if (count >= 0) kind.times.push(performance.now() - begun);
      if (count % RENEWAL === 0) kind.token = await bed.identityToken('messages', kind.identity);
    }
  }
  const [free, ...aside] = kinds;
  for (const { name, times } of aside) {
    const share = shareBelow(free?.times ?? [], times);
    // The standard deviation of the share is 0.02 for equal distributions.
    expect({ name, isAlike: Math.abs(share - 0.5) < 0.1, share }).toMatchObject({ name, isAlike: true });
  }
});
