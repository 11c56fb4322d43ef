// Long run: timing by distribution.
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { IDENTITY_HEADER } from '@najwa/common/identity';
import { buildMessage, sharedBed, uniqueAddress, type Bed, type BedAccount, type CallerIdentity } from '@najwa/testing';

/** Requests of each kind, at most. */
const REQUESTS = 400;
/** After these, times that are alike have shown it. Others get all requests. */
const SOONEST = 150;
const WARM_UP = 50;
/** Requests of each kind with one token, which lasts a minute. */
const RENEWAL = 50;

const messageIn = (messageId: number) => ({ messageId });
const replyTo = (messageId: number, count: number) => ({ messageId, content: `ردّ ${count}` });
const pathOf = (id: number): string => `/api/messages/${id}`;
const publicOrNot = (_: number, count: number) => ({ isPublic: count % 2 === 0 });

let bed: Bed;
let owner: BedAccount;

beforeAll(async () => {
  bed = await sharedBed();
  owner = await bed.newAccount();
});

/** Calls whose times are compared. */
interface Kind {
  name: string;
  identity: CallerIdentity;
  token: string;
  method: string;
  path: string;
  /** @param count of the calls of this kind before */
  body: (count: number) => unknown;
  status: number;
  times: number[];
}

type NewKind = Omit<Kind, 'token' | 'times'>;

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

/** Makes calls of several kinds in turn, and compares the times of all others with those of the first. */
async function compareTimes(given: readonly NewKind[]): Promise<void> {
  const kinds: Kind[] = [];
  for (const kind of given)
    kinds.push({ ...kind, token: await bed.identityToken('messages', kind.identity), times: [] });
  const [first, ...others] = kinds;
  const shareOf = ({ times }: Kind): number => shareBelow(first?.times ?? [], times);
  /** By how much the times of the others lie off those of the first, at most. The standard deviation is 0.03 after the fewest calls. */
  const offBy = (): number => Math.max(...others.map((kind) => Math.abs(shareOf(kind) - 0.5)));
  for (let count = -WARM_UP; count < REQUESTS; count += 1) {
    if (count >= SOONEST && count % RENEWAL === 0 && offBy() < 0.05) break;
    // Every kind comes first, second and last equally often.
    for (let turn = 0; turn < kinds.length; turn += 1) {
      const kind = kinds[(count + WARM_UP + turn) % kinds.length];
      if (kind === undefined) continue;
      const begun = performance.now();
      const response = await fetch(`${bed.url('messages')}${kind.path}`, {
        method: kind.method,
        headers: { 'content-type': 'application/json', [IDENTITY_HEADER]: kind.token },
        body: JSON.stringify(kind.body(count)),
      });
      await response.arrayBuffer();
      expect(response.status).toBe(kind.status);
      if (count >= 0) kind.times.push(performance.now() - begun);
      if (count % RENEWAL === 0) kind.token = await bed.identityToken('messages', kind.identity);
    }
  }
  for (const kind of others) {
    const share = shareOf(kind);
    const { name } = kind;
    // The standard deviation of the share is 0.02 for equal distributions.
    expect({ name, isAlike: Math.abs(share - 0.5) < 0.1, share }).toMatchObject({ name, isAlike: true });
  }
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

// Threat model: witness-5, sender-2.
test('blocked, filtered and suspended senders are answered in the usual time', async () => {
  const asOwner = { identity: owner.identity };
  const blocked = { visitorId: randomUUID(), ip: uniqueAddress() };
  const { id: messageId } = await bed.sendMessage(owner.id, {}, { identity: blocked });
  expect((await bed.call('messages', 'POST', '/api/blocks', { ...asOwner, body: { messageId } })).status).toBe(201);
  await bed.call('messages', 'PUT', '/api/filters', { ...asOwner, body: { words: ['سرًّا'], lists: ['insults'] } });
  const others = { visitorId: randomUUID(), ip: uniqueAddress() };
  const everywhere = { visitorId: randomUUID(), ip: uniqueAddress() };
  await blockEverywhere(everywhere);
  const sending = (name: string, identity: CallerIdentity, content: string): NewKind => ({
    name,
    identity,
    method: 'POST',
    path: '/api/messages',
    body: () => buildMessage(owner.id, { content }),
    status: 201,
  });
  await compareTimes([
    sending('free', others, 'رسالة إليك'),
    sending('blocked', blocked, 'رسالة إليك'),
    sending('filtered', others, 'سرًّا إليك'),
    sending('blocked everywhere', everywhere, 'رسالة إليك'),
  ]);
});

// Threat model: owner-9.
test.each([
  { what: 'answers', method: 'POST', path: () => '/api/replies', status: 201, body: replyTo },
  { what: 'publishes', method: 'PATCH', path: pathOf, status: 200, body: publicOrNot },
  { what: 'blocks', method: 'POST', path: () => '/api/blocks', status: 201, body: messageIn },
])('an owner who $what is answered equally fast for every sender', async ({ method, path, status, body }) => {
  const sender = await bed.newAccount();
  const kinds: NewKind[] = [];
  for (const [name, identity] of [
    ['an account', { ...sender.identity, visitorId: randomUUID(), ip: uniqueAddress() }],
    ['a visitor', { visitorId: randomUUID(), ip: uniqueAddress() }],
  ] as const) {
    const { id } = await bed.sendMessage(owner.id, {}, { identity });
    kinds.push({
      name,
      identity: owner.identity,
      method,
      path: path(id),
      body: (count) => body(id, count),
      status,
    });
  }
  await compareTimes(kinds);
});
