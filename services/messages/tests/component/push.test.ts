import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createEvent } from '@najwa/common/amqp';
import { LIMITS } from '@najwa/proto/http';
import {
  startPushService,
  startTestBed,
  type Answer,
  type BedAccount,
  type CallerIdentity,
  type StandInBrowser,
  type StandInPushService,
  type TestBed,
} from '@najwa/testing';
import type { MessagesContext } from '../../src/context.js';
import { eraseAccount } from '../../src/account/erasure.js';
import { openReplica } from '../support/replica.js';

const ALL = ['message', 'reply', 'report', 'visits'];
const TEXT = 'نصّ الرسالة';
/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:1';

let bed: TestBed;
let push: StandInPushService;
let context: MessagesContext;
let owner: BedAccount;

beforeAll(async () => {
  // However slow the machine is, no request to a push service is given up and repeated.
  jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal);
  push = await startPushService();
  bed = await startTestBed({
    services: ['auth', 'media', 'messages'],
    env: {
      RATE_LIMIT_SCALE: '0',
      PUSH_TRUSTED_ORIGINS: `${push.origin},${NOWHERE}`,
      PUSH_PAUSE_SECONDS: '0',
      PUSH_REPLY_DELAY_SECONDS: '0',
    },
  });
  context = await openReplica(bed);
});

beforeEach(async () => {
  owner = await bed.newAccount();
});

afterAll(async () => {
  await context.database.close();
  await bed.stop();
  await push.close();
  jest.restoreAllMocks();
});

const as = (identity: CallerIdentity | undefined, method: string, path: string, body?: unknown): Promise<Answer> =>
  bed.call('messages', method, path, { ...(identity && { identity }), ...(body !== undefined && { body }) });

const SUBSCRIPTIONS = '/api/push/subscriptions';

/** @returns the id */
async function subscribe(
  { subscription }: StandInBrowser,
  { identity }: { identity?: CallerIdentity } = owner,
  settings: Record<string, unknown> = {},
): Promise<string> {
  const { status, body } = await as(identity, 'POST', SUBSCRIPTIONS, { subscription, kinds: ALL, ...settings });
  expect(status).toBe(201);
  return (body as { id: string }).id;
}

const listed = async ({ identity } = owner): Promise<string[]> =>
  ((await as(identity, 'GET', SUBSCRIPTIONS)).body as { id: string }[]).map(({ id }) => id);

const send = (to = owner, content = TEXT) => bed.sendMessage(to.id, { content });

const payloadsOf = ({ received }: StandInBrowser): unknown[] =>
  received.map(({ payload }) => JSON.parse(payload) as unknown);

const kindsOf = (browser: StandInBrowser): unknown[] =>
  payloadsOf(browser).map((payload) => (payload as { kind: string }).kind);

/** Earlier events are handled once a browser of this account got the notice of a later message. */
async function waitForEarlierEvents(): Promise<void> {
  const other = await bed.newAccount();
  const browser = push.newBrowser();
  await subscribe(browser, other);
  await send(other);
  await bed.eventually(() => expect(browser.received).toHaveLength(1));
}

/** Quiet hours that began an hour ago. */
function quietNow(): { from: string; to: string; timeZone: string } {
  const clock = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16);
  return { from: clock(-1), to: clock(2), timeZone: 'UTC' };
}

describe('a message', () => {
  // Threat model: network-5, push-2.
  test('a message notifies every browser of the account of its kind alone, signed and encrypted', async () => {
    const [phone, computer] = [push.newBrowser(), push.newBrowser()];
    await subscribe(phone);
    await subscribe(computer, owner, { language: 'en' });
    await send();
    await bed.eventually(() => expect([...phone.received, ...computer.received]).toHaveLength(2));
    expect(payloadsOf(phone)).toEqual([{ kind: 'message', language: 'ar' }]);
    expect(payloadsOf(computer)).toEqual([{ kind: 'message', language: 'en' }]);
    expect(phone.received[0]?.headers).toMatchObject({
      ttl: '86400',
      urgency: 'normal',
      'content-encoding': 'aes128gcm',
      topic: expect.stringMatching(/^[\w-]{22}$/),
    });
  });

  // Threat model: push-4.
  test('a message notifies a browser once, however often its event is delivered', async () => {
    const browser = push.newBrowser();
    await subscribe(browser);
    const { id } = await send();
    await bed.eventually(() => expect(browser.received).toHaveLength(1));
    const value = { message: { id, userId: owner.id } as never };
    const event = createEvent(randomUUID(), { $case: 'messageCreated', value });
    await bed.publish([event, event]);
    await waitForEarlierEvents();
    expect(browser.received).toHaveLength(1);
  });

  test('a message does not notify browsers that hide its kind', async () => {
    const browser = push.newBrowser();
    const id = await subscribe(browser, owner, { kinds: ['reply', 'visits'] });
    await send();
    await bed.publish([
      createEvent(randomUUID(), { $case: 'visitsReached', value: { userId: owner.id, visits: 100 } }),
    ]);
    await bed.eventually(() => expect(kindsOf(browser)).toEqual(['visits']));
    expect(browser.received[0]?.headers['urgency']).toBe('normal');
    const change = (kinds: unknown) => as(owner.identity, 'PATCH', `${SUBSCRIPTIONS}/${id}`, { kinds });
    await change(['visits', 'reply']);
    // Two tabs, each of which has seen the list from before.
    await Promise.all([change({ remove: ['reply'] }), change({ add: ['report'] })]);
    expect((await change({ add: ['message'] })).body).toMatchObject({ kinds: ['visits', 'report', 'message'] });
    expect((await change({ add: ['several'] })).status).toBe(422);
    await change({ remove: ['visits', 'report', 'message'] });
    await bed.publish([
      createEvent(randomUUID(), { $case: 'visitsReached', value: { userId: owner.id, visits: 500 } }),
    ]);
    await waitForEarlierEvents();
    expect(kindsOf(browser)).toEqual(['visits']);
  });

  // Threat model: network-5, push-3.
  test('notices of messages and replies have one size, urgency and topic', async () => {
    const [browser, sender] = [push.newBrowser(), await bed.newAccount()];
    await subscribe(browser, sender);
    const { id: messageId } = await bed.sendMessage(owner.id, {}, { identity: sender.identity });
    await as(owner.identity, 'POST', '/api/replies', { messageId, content: 'ردّ' });
    await bed.eventually(() => expect(kindsOf(browser)).toEqual(['reply']));
    await send(sender);
    await bed.eventually(() => expect(kindsOf(browser)).toEqual(['reply', 'message']));
    const [reply, message] = browser.received;
    for (const name of ['content-length', 'urgency', 'topic', 'ttl'])
      expect([name, reply?.headers[name]]).toEqual([name, message?.headers[name]]);
  });
});

describe('a push service', () => {
  test.each([404, 410])('a push service that answers %i ends the subscription', async (status) => {
    const browser = push.newBrowser({ status });
    await subscribe(browser);
    await send();
    await bed.eventually(async () => expect(await listed()).toEqual([]));
    await send();
    await waitForEarlierEvents();
    expect(browser.received).toHaveLength(1);
  });

  test('a busy push service gets the notice again, and no browser is notified twice', async () => {
    const busy = push.newBrowser({ status: 429, retryAfter: '2' });
    const failing = push.newBrowser({ status: 503 }, { status: 500 });
    await subscribe(busy);
    await subscribe(failing);
    await send();
    await bed.eventually(() => {
      expect(busy.received.map(({ status }) => status)).toEqual([429, 201]);
      expect(failing.received.map(({ status }) => status)).toEqual([503, 500, 201]);
    });
    const [first, second] = busy.received.map(({ at }) => at) as [number, number];
    expect(second - first).toBeGreaterThanOrEqual(2_000);
    expect(await listed()).toHaveLength(2);
  });

  // Threat model: push-5.
  test('a notice refused by a push service is not retried, and the next one is sent', async () => {
    const browser = push.newBrowser({ status: 413 });
    await subscribe(browser);
    await send();
    await bed.eventually(() => expect(browser.received).toHaveLength(1));
    await waitForEarlierEvents();
    await send();
    await bed.eventually(() => expect(browser.received.map(({ status }) => status)).toEqual([413, 201]));
  });

  // Threat model: push-5.
  test('a slow push service delays neither notifications nor more than one notice per browser', async () => {
    let answer: (value?: unknown) => void = () => undefined;
    const slow = push.newBrowser({ status: 201, heldUntil: new Promise((resolve) => (answer = resolve)) });
    await subscribe(slow);
    await send();
    await bed.eventually(() => expect(push.underWay.now).toBe(1));
    for (let sent = 0; sent < 5; sent += 1) await send();
    await bed.eventually(async () =>
      expect((await as(owner.identity, 'GET', '/api/notifications/count')).body).toEqual({ unread: 6 }),
    );
    await waitForEarlierEvents();
    expect(slow.received).toHaveLength(1);
    answer();
    await bed.eventually(() => expect(slow.received).toHaveLength(2));
  });
});

describe('an address at which nothing answers', () => {
  const subscriptions = () => context.database.connection.collection<{ _id: string }>('push_subscriptions');

  /** A subscription whose notice fails for the last time. @returns its id */
  async function failForGood(facts: object): Promise<string> {
    const { subscription, ...browser } = push.newBrowser();
    const endpoint = `${NOWHERE}/${randomUUID()}`;
    const id = await subscribe({ ...browser, subscription: { ...subscription, endpoint } });
    await send();
    // Between any two tries, since a slow machine may miss the pause after the first.
    const between = { _id: id, 'notice.attempts': { $gte: 1 }, 'notice.lease': null };
    const last = { 'notice.attempts': 7, 'notice.dueAt': new Date(), ...facts };
    await bed.eventually(async () =>
      expect((await subscriptions().updateOne(between, { $set: last, $inc: { version: 1 } })).matchedCount).toBe(1),
    );
    return id;
  }

  test('a silent address loses its subscription after the last try if it never answered', async () => {
    await failForGood({});
    await bed.eventually(async () => expect(await listed()).toEqual([]));
  });

  test('a silent address keeps its subscription if it has answered before', async () => {
    const id = await failForGood({ hasAnswered: true });
    await bed.eventually(async () =>
      expect(await subscriptions().findOne({ _id: id })).toMatchObject({ notice: null }),
    );
    expect(await listed()).toEqual([id]);
  });
});

describe('quiet hours', () => {
  test('quiet hours hold what arrives, and one notice follows them', async () => {
    const browser = push.newBrowser();
    const id = await subscribe(browser, owner, { quiet: quietNow() });
    await send();
    await send();
    await bed.publish([
      createEvent(randomUUID(), { $case: 'visitsReached', value: { userId: owner.id, visits: 100 } }),
    ]);
    await waitForEarlierEvents();
    expect(browser.received).toEqual([]);
    await as(owner.identity, 'PATCH', `${SUBSCRIPTIONS}/${id}`, { quiet: null });
    await bed.eventually(() => expect(kindsOf(browser)).toEqual(['several']));
    await waitForEarlierEvents();
    expect(browser.received).toHaveLength(1);
  });

  test('quiet hours end without a notice if everything was read meanwhile', async () => {
    const browser = push.newBrowser();
    const id = await subscribe(browser, owner, { quiet: quietNow() });
    await send();
    await waitForEarlierEvents();
    await as(owner.identity, 'POST', '/api/notifications/read', { before: new Date().toISOString() });
    await as(owner.identity, 'PATCH', `${SUBSCRIPTIONS}/${id}`, { quiet: null });
    await waitForEarlierEvents();
    expect(browser.received).toEqual([]);
  });

  test('quiet hours do not hold a test notice', async () => {
    const browser = push.newBrowser();
    const id = await subscribe(browser, owner, { quiet: quietNow(), kinds: [] });
    expect((await as(owner.identity, 'POST', `${SUBSCRIPTIONS}/${id}/test`)).status).toBe(202);
    await bed.eventually(() => expect(kindsOf(browser)).toEqual(['test']));
  });

  test('quiet hours hold earlier notices while a test notice arrives alone', async () => {
    const browser = push.newBrowser();
    const id = await subscribe(browser, owner, { quiet: quietNow() });
    await send();
    await waitForEarlierEvents();
    await as(owner.identity, 'POST', `${SUBSCRIPTIONS}/${id}/test`);
    await bed.eventually(() => expect(kindsOf(browser)).toEqual(['test']));
    await as(owner.identity, 'PATCH', `${SUBSCRIPTIONS}/${id}`, { quiet: null });
    await bed.eventually(() => expect(kindsOf(browser)).toEqual(['test', 'message']));
  });

  test.each([
    ['a time that is none', { from: '24:00', to: '07:00', timeZone: 'UTC' }, 'quiet.from'],
    ['an end at the beginning', { from: '07:00', to: '07:00', timeZone: 'UTC' }, 'quiet.to'],
    ['an unknown time zone', { from: '23:00', to: '07:00', timeZone: 'Mars/Base' }, 'quiet.timeZone'],
    ['an offset for a time zone', { from: '23:00', to: '07:00', timeZone: '+03:00' }, 'quiet.timeZone'],
  ])('refuses quiet hours with %s', async (_what, quiet, field) => {
    const { subscription } = push.newBrowser();
    const { status, body } = await as(owner.identity, 'POST', SUBSCRIPTIONS, { subscription, kinds: ALL, quiet });
    expect(status).toBe(422);
    expect(Object.keys((body as { fields: object }).fields)).toEqual([field]);
  });
});

describe('a subscription', () => {
  // Threat model: push-1.
  test.each([
    ['http://push.example/7'],
    ['https://127.0.0.1/7'],
    ['https://[::1]/7'],
    ['https://2130706433/7'],
    ['https://localhost/7'],
    ['https://messages:8080/7'],
    ['https://push.example:8443/7'],
    ['https://user@push.example/7'],
    ['file:///etc/passwd'],
    ['push'],
  ])('a subscription at %s is refused', async (endpoint) => {
    const { keys } = push.newBrowser().subscription;
    const body = { subscription: { endpoint, keys }, kinds: ALL };
    const answer = await as(owner.identity, 'POST', SUBSCRIPTIONS, body);
    expect(answer).toMatchObject({ status: 422, body: { fields: { 'subscription.endpoint': 'not_valid' } } });
  });

  test('a missing subscription is required by name', async () => {
    const answer = await as(owner.identity, 'POST', SUBSCRIPTIONS, { kinds: ALL });
    expect(answer).toMatchObject({ status: 422, body: { fields: { subscription: 'required' } } });
  });

  test('a subscription whose key is not on the curve is refused', async () => {
    const { endpoint, keys } = push.newBrowser().subscription;
    const subscription = { endpoint, keys: { ...keys, p256dh: Buffer.alloc(65, 4).toString('base64url') } };
    const answer = await as(owner.identity, 'POST', SUBSCRIPTIONS, { subscription, kinds: ALL });
    expect(answer).toMatchObject({ status: 422, body: { fields: { 'subscription.keys.p256dh': 'not_a_key' } } });
  });

  // Threat model: push-2.
  test('a subscription moves to the account that subscribes in the same browser', async () => {
    const [browser, next] = [push.newBrowser(), await bed.newAccount()];
    await subscribe(browser);
    await subscribe(browser, next);
    expect([await listed(), await listed(next)]).toEqual([[], [expect.any(String)]]);
    await send();
    await send(next);
    await bed.eventually(() => expect(browser.received).toHaveLength(1));
    await waitForEarlierEvents();
    expect(browser.received).toHaveLength(1);
  });

  test('a subscription ends with its session, and others stay', async () => {
    const other = await bed.logIn(owner);
    await subscribe(push.newBrowser(), owner);
    const kept = await subscribe(push.newBrowser(), other);
    await bed.call('auth', 'POST', '/api/logout', { identity: owner.identity });
    await bed.eventually(async () => expect(await listed(other)).toEqual([kept]));
  });

  test('a subscription ends when its account closes and when it is deleted', async () => {
    await subscribe(push.newBrowser());
    const value = { userId: owner.id, deletesAt: new Date() };
    await bed.publish([createEvent(randomUUID(), { $case: 'accountDeletionRequested', value })]);
    await bed.eventually(async () => expect(await listed()).toEqual([]));
    await subscribe(push.newBrowser());
    await eraseAccount(context, owner.id);
    expect(await listed()).toEqual([]);
  });

  test('a further subscription of an account replaces the one unused for longest', async () => {
    const ids = [];
    for (let count = 0; count < LIMITS.pushDevices + 2; count += 1) ids.push(await subscribe(push.newBrowser()));
    const left = await listed();
    expect(left).toHaveLength(LIMITS.pushDevices);
    expect(left).toContain(ids.at(-1));
  });

  // Threat model: thief-4.
  test('a stored subscription reveals neither browser nor account', async () => {
    const browser = push.newBrowser();
    await subscribe(browser);
    await send();
    await bed.eventually(() => expect(browser.received).toHaveLength(1));
    const stored = JSON.stringify(await context.database.connection.collection('push_subscriptions').find().toArray());
    expect(stored).not.toContain(new URL(browser.subscription.endpoint).pathname);
    expect(stored).not.toContain(browser.subscription.keys.auth);
    expect(stored).not.toMatch(new RegExp(`:${owner.id}[,}]`));
    for (const key of await context.senders.keysOf(owner.id)) expect(stored).not.toContain(`"${key}"`);
  });
});

describe('a way back', () => {
  const visitor = { visitorId: 'visitor with a way back' };

  async function sendWithWayBack(): Promise<{ id: number; wayBack: string }> {
    const { body } = await as(visitor, 'POST', '/api/messages', { userId: owner.id, content: TEXT });
    const { id, wayBack } = body as { id: number; wayBack: string };
    return { id, wayBack: wayBack.replace('/r/', '') };
  }

  const reply = (messageId: number) => as(owner.identity, 'POST', '/api/replies', { messageId, content: 'ردّ' });

  test('a way back notifies its browser of the reply once, naming the subscription', async () => {
    const { id: messageId, wayBack } = await sendWithWayBack();
    const browser = push.newBrowser();
    const id = await subscribe(browser, { identity: visitor }, { wayBack });
    await reply(messageId);
    await bed.eventually(() => expect(payloadsOf(browser)).toEqual([{ kind: 'reply', language: 'ar', wayBack: id }]));
    await reply(messageId);
    await waitForEarlierEvents();
    expect(browser.received).toHaveLength(1);
  });

  test('a way back notifies of each reply of a conversation', async () => {
    const { id: messageId, wayBack } = await sendWithWayBack();
    const browser = push.newBrowser();
    await subscribe(browser, { identity: visitor }, { wayBack });
    await reply(messageId);
    await bed.eventually(() => expect(kindsOf(browser)).toEqual(['reply']));
    const next = await as(visitor, 'POST', `/api/ways-back/${wayBack}/messages`, { content: TEXT });
    expect(next.status).toBe(201);
    await reply((next.body as { id: number }).id);
    await bed.eventually(() => expect(kindsOf(browser)).toEqual(['reply', 'reply']));
  });

  test('a way back notifies of a reply that came while its browser subscribed', async () => {
    const { id: messageId, wayBack } = await sendWithWayBack();
    await reply(messageId);
    const browser = push.newBrowser();
    await subscribe(browser, { identity: visitor }, { wayBack });
    await bed.eventually(() => expect(kindsOf(browser)).toEqual(['reply']));
  });

  test('a way back does not notify once it was stopped or its message is deleted', async () => {
    const [stopped, gone] = [await sendWithWayBack(), await sendWithWayBack()];
    const browser = push.newBrowser();
    const id = await subscribe(browser, { identity: visitor }, { wayBack: stopped.wayBack });
    const ids = [id, await subscribe(browser, { identity: visitor }, { wayBack: gone.wayBack })];
    const answer = await as(visitor, 'DELETE', `${SUBSCRIPTIONS}/${id}?wayBack=${stopped.wayBack}`);
    expect(answer.status).toBe(204);
    await reply(stopped.id);
    await as(owner.identity, 'DELETE', `/api/messages/${gone.id}`);
    const stored = context.database.connection.collection<{ _id: string }>('push_subscriptions');
    await bed.eventually(async () => expect(await stored.countDocuments({ _id: { $in: ids } })).toBe(0));
    await waitForEarlierEvents();
    expect(browser.received).toEqual([]);
  });

  test('a visitor needs a way back to subscribe, and it must lead to a message', async () => {
    const { subscription } = push.newBrowser();
    const body = { subscription, kinds: ALL };
    expect((await as(visitor, 'POST', SUBSCRIPTIONS, body)).status).toBe(401);
    const answer = await as(visitor, 'POST', SUBSCRIPTIONS, { ...body, wayBack: 'A'.repeat(22) });
    expect(answer).toMatchObject({ status: 404, body: { code: 'message_not_found' } });
    expect((await as(visitor, 'DELETE', `${SUBSCRIPTIONS}/${'A'.repeat(22)}`)).status).toBe(401);
  });
});
