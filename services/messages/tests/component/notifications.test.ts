import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createEvent, type EventPayload } from '@najwa/common/amqp';
import { sharedBed, type Answer, type Bed, type BedAccount, type CallerIdentity } from '@najwa/testing';
import type { MessagesContext } from '../../src/context.js';
import { eraseAccount } from '../../src/account/erasure.js';
import {
  followNotifications,
  forgetNotifications,
  notifyOfReply,
  sweepNotifications,
} from '../../src/notifications/notifications.js';
import { openReplica, replacing } from '../support/replica.js';

interface Notification {
  id: number;
  kind: string;
  subject: Record<string, unknown>;
  readAt: string | null;
  createdAt: string;
}

const administrator: CallerIdentity = { userId: 1_000_001, isAdmin: true };

let bed: Bed;
let context: MessagesContext;
let owner: BedAccount;
let sender: BedAccount;
/** The events that reach gateways. */
const announced: EventPayload<'notificationCreated'>[] = [];
/** Accounts whose gateways count. */
const recounted: number[] = [];

beforeAll(async () => {
  bed = await sharedBed();
  context = await openReplica(bed);
  context.bus.subscribe(
    {
      notificationCreated: (value) => void announced.push(value),
      notificationsRead: ({ userId }) => void recounted.push(userId),
    },
    () => undefined,
  );
  await context.bus.start();
});

beforeEach(async () => {
  [owner, sender] = await Promise.all([bed.newAccount(), bed.newAccount()]);
});

afterAll(async () => {
  await context.bus.stop();
  await context.database.close();
});

const as = (identity: CallerIdentity, method: string, path: string, body?: unknown): Promise<Answer> =>
  bed.call(path.startsWith('/api/admin') ? 'admin' : 'messages', method, path, {
    identity,
    ...(body !== undefined && { body }),
  });

const list = async ({ identity } = owner, query = ''): Promise<Notification[]> =>
  (await as(identity, 'GET', `/api/notifications${query}`)).body as Notification[];

const unread = async ({ identity } = owner): Promise<unknown> =>
  (await as(identity, 'GET', '/api/notifications/count')).body;

const send = (to = owner, identity = sender.identity as CallerIdentity, content = 'سلام') =>
  bed.sendMessage(to.id, { content }, { identity });

const reply = (messageId: number, content = 'ردّ') => as(owner.identity, 'POST', '/api/replies', { messageId, content });

/** Waits until an account has this many notifications. */
async function waitFor(count: number, account = owner): Promise<Notification[]> {
  let found: Notification[] = [];
  await bed.eventually(async () => {
    found = await list(account, '?limit=100');
    expect(found).toHaveLength(count);
  });
  return found;
}

/** Events are handled in the order of their arrival, so what was sent before is handled once this message's is. */
async function waitForEarlierEvents(): Promise<void> {
  const other = await bed.newAccount();
  await send(other);
  await waitFor(1, other);
}

test('a page may name more accounts than auth looks up at once', async () => {
  const ids = [owner.id, ...Array.from({ length: 100 }, (_, index) => 2_000_000 + index), sender.id];
  expect((await context.auth.findUsers(ids)).map(({ id }) => id)).toEqual([owner.id, sender.id]);
});

describe('a message', () => {
  test('a message notifies its recipient, to the minute and without text or sender', async () => {
    const { id } = await send();
    const [notification] = await waitFor(1);
    expect(notification).toMatchObject({ kind: 'message', subject: { messageId: id }, readAt: null });
    expect(notification?.createdAt).toMatch(/:00\.000Z$/);
    expect(JSON.stringify(notification)).not.toContain('سلام');
    expect(await unread()).toEqual({ unread: 1 });
    expect(await list(sender)).toEqual([]);
  });

  test('a message notifies once, however often its event is delivered', async () => {
    const { id } = await send();
    await waitFor(1);
    const value = { message: { id, userId: owner.id } as never };
    const event = createEvent(randomUUID(), { $case: 'messageCreated', value });
    await bed.publish([event, event]);
    await waitForEarlierEvents();
    expect(await list()).toHaveLength(1);
  });

  test('a deleted message does not notify, however late its event is redelivered', async () => {
    const { id } = await send();
    await waitFor(1);
    await as(owner.identity, 'DELETE', `/api/messages/${id}`);
    await waitFor(0);
    const value = { message: { id, userId: owner.id } as never };
    await bed.publish([createEvent(randomUUID(), { $case: 'messageCreated', value })]);
    await waitForEarlierEvents();
    expect(await list()).toEqual([]);
  });

  test('deleting or setting aside a message removes its notification', async () => {
    const [deleted, filtered] = [await send(), await send(owner, sender.identity, 'موعد مزعج')];
    await waitFor(2);
    await as(owner.identity, 'DELETE', `/api/messages/${deleted.id}`);
    const [left] = await waitFor(1);
    expect(left?.subject).toEqual({ messageId: filtered.id });
    await bed.eventually(() => expect(recounted).toContain(owner.id));
    await as(owner.identity, 'PUT', '/api/filters', { words: ['مزعج'], lists: [] });
    await waitFor(0);
    expect(await unread()).toEqual({ unread: 0 });
  });

  test('messages set aside and those of suspended senders do not notify', async () => {
    await as(owner.identity, 'PUT', '/api/filters', { words: ['مزعج'], lists: [] });
    await send(owner, sender.identity, 'كلام مزعج');
    const suspended = await bed.newAccount();
    const { id: messageId } = await send(sender, suspended.identity);
    const { body } = await as(sender.identity, 'POST', '/api/reports', { messageId, reason: 'threat' });
    const action = { action: 'suspend', reason: 'تهديد', days: 2 };
    await as(administrator, 'POST', `/api/admin/reports/${(body as { id: number }).id}/actions`, action);
    await send(owner, suspended.identity);
    await waitForEarlierEvents();
    expect(await list()).toEqual([]);
  });

  test('reading a message marks its notification as read', async () => {
    const { id } = await send();
    await waitFor(1);
    await as(owner.identity, 'PATCH', `/api/messages/${id}`, { isRead: true });
    await bed.eventually(async () => expect(await unread()).toEqual({ unread: 0 }));
    expect((await list())[0]?.readAt).not.toBeNull();
  });
});

describe('what is taken back', () => {
  const noted = async () => (await list()).map(({ readAt, subject }) => [subject['messageId'], readAt === null]);

  test.each(['delete', 'read'])('undo restores the notification of a message: %s', async (action) => {
    const [other, { id }] = [await send(), await send()];
    await waitFor(2);
    const both = [
      [id, true],
      [other.id, true],
    ];
    const { body } = await as(owner.identity, 'POST', '/api/messages/bulk', { ids: [id], action });
    await bed.eventually(async () => {
      expect(await noted()).toEqual(action === 'delete' ? both.slice(1) : [[id, false], both[1]]);
      expect(await unread()).toEqual({ unread: 1 });
    });
    const { undoToken } = body as { undoToken: string };
    expect((await as(owner.identity, 'POST', '/api/messages/undo', { undoToken })).status).toBe(200);
    await bed.eventually(async () => {
      expect(await noted()).toEqual(both);
      expect(await unread()).toEqual({ unread: 2 });
    });
  });

  test('restoring a message set aside restores its notification', async () => {
    const { id } = await send(owner, sender.identity, 'موعد مزعج');
    await waitFor(1);
    await as(owner.identity, 'PUT', '/api/filters', { words: ['مزعج'], lists: [] });
    await waitFor(0);
    await as(owner.identity, 'POST', `/api/messages/${id}/restore`);
    await waitFor(1);
    expect([await noted(), await unread()]).toEqual([[[id, true]], { unread: 1 }]);
  });

  test('undo leaves a notification read that its owner has read', async () => {
    const { id } = await send();
    await waitFor(1);
    await as(owner.identity, 'POST', '/api/notifications/read', { before: new Date().toISOString() });
    const { body } = await as(owner.identity, 'POST', '/api/messages/bulk', { ids: [id], action: 'read' });
    const { undoToken } = body as { undoToken: string };
    await as(owner.identity, 'POST', '/api/messages/undo', { undoToken });
    await waitForEarlierEvents();
    expect([await noted(), await unread()]).toEqual([[[id, false]], { unread: 0 }]);
  });
});

describe('a reply', () => {
  test('a reply notifies the account that sent the message, once', async () => {
    const { id } = await send();
    await reply(id);
    const [notification] = await waitFor(1, sender);
    const subject = { messageId: id, username: owner.username, excerpt: 'سلام' };
    expect(notification).toMatchObject({ kind: 'reply', subject, readAt: null });
    await reply(id, 'ردّ آخر');
    await waitForEarlierEvents();
    expect(await list(sender)).toHaveLength(1);
  });

  test('a reply to a message that is being deleted does not notify', async () => {
    const { id } = await send();
    await reply(id);
    await waitFor(1, sender);
    const { notifications } = context;
    const nextId: typeof notifications.nextId = async (account) => {
      await as(owner.identity, 'DELETE', `/api/messages/${id}`);
      await waitForEarlierEvents();
      return notifications.nextId(account);
    };
    await notifyOfReply({ ...context, notifications: replacing(notifications, { nextId }) }, id);
    expect([await list(sender), await unread(sender)]).toEqual([[], { unread: 0 }]);
  });

  test('a reply to a visitor or to a sender who removed the message does not notify', async () => {
    const [fromVisitor, removed] = [await send(owner, { visitorId: randomUUID() }), await send()];
    await as(sender.identity, 'DELETE', `/api/messages/${removed.id}`);
    await reply(fromVisitor.id);
    await reply(removed.id);
    await waitForEarlierEvents();
    expect(await list(sender)).toEqual([]);
    expect((await list()).map(({ kind }) => kind)).toEqual(['message', 'message']);
  });

  // Threat model: thief-4.
  test('a reply leaves nothing in database and events that links the account to its message', async () => {
    const { id } = await send();
    await reply(id);
    await waitFor(1, sender);
    const stored = await context.database.connection.collection('notifications').findOne({ key: `reply ${id}` });
    expect(typeof stored?.['account']).toBe('string');
    expect(stored?.['account']).not.toBe(String(sender.id));
    // Both are read at once, and only one says when.
    await send(sender, owner.identity);
    await waitFor(2, sender);
    await as(sender.identity, 'POST', '/api/notifications/read', { before: new Date().toISOString() });
    const times = Object.fromEntries((await list(sender)).map(({ kind, readAt }) => [kind, readAt ?? '']));
    expect(times['reply']).toMatch(/T00:00:00\.000Z$/);
    expect(Date.parse(times['message'] ?? '')).toBeGreaterThan(Date.now() - 600_000);
  });
});

test('concurrent notifications of an account and kind share one event', async () => {
  const [account, other] = [`of ${owner.id}`, `of ${sender.id}`];
  await Promise.all([
    ...[1, 2, 3].map((id) => context.notifyStreams({ id, account, kind: 'message' })),
    context.notifyStreams({ id: 4, account, kind: 'reply' }),
    context.notifyStreams({ id: 5, account: other, kind: 'message' }),
  ]);
  const found = () => announced.filter((value) => [account, other].includes(value.account));
  await bed.eventually(() => expect(found()).toHaveLength(3));
  expect(found()).toEqual([
    { notificationId: 1, furtherIds: [2, 3], account, kind: 'message' },
    { notificationId: 4, furtherIds: [], account, kind: 'reply' },
    { notificationId: 5, furtherIds: [], account: other, kind: 'message' },
  ]);
});

describe('the outcome of a report', () => {
  test('the outcome of a report notifies its reporter, until the decision is reversed', async () => {
    const { id: messageId } = await send();
    const { body } = await as(owner.identity, 'POST', '/api/reports', { messageId, reason: 'threat' });
    const { id: reportId } = body as { id: number };
    const decided = await as(administrator, 'POST', `/api/admin/reports/${reportId}/actions`, {
      action: 'remove',
      reason: 'تهديد',
    });
    await bed.eventually(async () =>
      expect(await list()).toMatchObject([{ kind: 'report', subject: { reportId, outcome: 'removed' } }]),
    );
    const { id: actionId } = decided.body as { id: number };
    const other = { userId: 1_000_002, isAdmin: true };
    await as(other, 'POST', `/api/admin/actions/${actionId}/undo`, { reason: 'كان مزاحًا' });
    await bed.eventually(async () => expect((await list()).map(({ kind }) => kind)).not.toContain('report'));
  });
});

// Threat model: owner-10.
test('ids of notifications, replies, blocks, reports and files contain no global counter', async () => {
  const counters = () =>
    context.database.connection
      .collection<{ _id: string }>('counters')
      .find({ _id: { $nin: ['messages', 'moderation_actions'] } })
      .toArray();
  const before = await counters();
  const { id: messageId } = await send();
  const ids = [
    (await reply(messageId)).body,
    (await as(owner.identity, 'POST', '/api/reports', { messageId, reason: 'spam' })).body,
    (await as(owner.identity, 'POST', '/api/blocks', { messageId })).body,
    (await as(owner.identity, 'POST', '/api/exports')).body,
    (await waitFor(1, sender))[0],
  ].map((answer) => (answer as { id: unknown }).id);
  expect(ids).toEqual(ids.map(() => expect.any(Number)));
  expect(new Set(ids).size).toBe(ids.length);
  expect(await counters()).toEqual(before);
});

test('a late event restores nothing of a deleted account', async () => {
  const { id: messageId } = await send();
  await waitFor(1);
  const { body } = await as(owner.identity, 'POST', '/api/reports', { messageId, reason: 'spam' });
  const { id: reportId } = body as { id: number };
  const decision = { action: 'dismiss', reason: 'سبب واضح' };
  const decided = await as(administrator, 'POST', `/api/admin/reports/${reportId}/actions`, decision);
  const { id: actionId } = decided.body as { id: number };
  await waitFor(2);
  await eraseAccount(context, owner.id);
  const reporters = [{ userId: owner.id, reportId }];
  const value = { reportId, messageId, actionId, outcome: 'dismissed', reporters };
  await bed.publish([
    createEvent(randomUUID(), { $case: 'reportDecided', value }),
    createEvent(randomUUID(), { $case: 'visitsReached', value: { userId: 2_000_000, visits: 100 } }),
  ]);
  await waitForEarlierEvents();
  const stored = context.database.connection.collection('notifications');
  expect(await stored.find({ account: { $in: [owner.id, 2_000_000] } }).toArray()).toEqual([]);
});

describe('visits', () => {
  test('visits notify the owner of a page at milestones, once', async () => {
    const visit = (): Promise<void> =>
      bed.publish([
        createEvent(randomUUID(), {
          $case: 'profileVisited',
          value: {
            visits: Array.from({ length: 60 }, () => ({ userId: owner.id, visitor: randomUUID(), at: new Date() })),
          },
        }),
      ]);
    await visit();
    await visit();
    expect((await waitFor(1))[0]).toMatchObject({ kind: 'visits', subject: { visits: 100 } });
    await visit();
    await bed.eventually(async () =>
      expect((await bed.call('auth', 'GET', '/api/user', { identity: owner.identity })).body).toMatchObject({
        visitorCount: 180,
      }),
    );
    await waitForEarlierEvents();
    expect(await list()).toHaveLength(1);
  });
});

describe('the list', () => {
  test('notifications have pages and are read by ids or up to a time', async () => {
    for (let sent = 0; sent < 5; sent += 1) await send();
    const all = await waitFor(5);
    const first = await as(owner.identity, 'GET', '/api/notifications?limit=3');
    const shown = (first.body as Notification[]).map(({ id }) => id);
    expect(shown).toEqual(all.slice(0, 3).map(({ id }) => id));
    expect(first.headers.get('link')).toBe(`</api/notifications?limit=3&before=${shown[2]}>; rel="next"`);
    const last = await as(owner.identity, 'GET', `/api/notifications?limit=3&before=${shown[2]}`);
    expect((last.body as Notification[]).map(({ id }) => id)).toEqual(all.slice(3).map(({ id }) => id));
    expect(last.headers.get('link')).toBeNull();

    const read = (body: unknown, by = owner) => as(by.identity, 'POST', '/api/notifications/read', body);
    expect((await read({ ids: shown }, sender)).body).toEqual({ unread: 0 });
    expect((await read({ ids: [shown[0]] })).body).toEqual({ unread: 4 });
    expect((await read({ before: new Date(0).toISOString() })).body).toEqual({ unread: 4 });
    expect((await read({ before: new Date().toISOString() })).body).toEqual({ unread: 0 });
    for (const [body, fields] of [
      [{}, { ids: 'required' }],
      [{ ids: [] }, { ids: 'required' }],
      [{ ids: shown, before: new Date().toISOString() }, { ids: 'required' }],
      [{ upTo: shown[0], before: new Date().toISOString() }, { ids: 'required' }],
      [{ upTo: 0 }, { upTo: 'not_an_id' }],
      [{ before: 'yesterday' }, { before: 'not_valid' }],
    ])
      expect(await read(body)).toMatchObject({ status: 422, body: { fields } });
  });

  // Threat model: owner-4.
  test('notification times compare to the minute, so that probing does not find the second', async () => {
    await send();
    const [{ id } = { id: 0 }] = await waitFor(1);
    const createdAt = new Date('2026-11-20T10:05:42.123Z');
    await context.database.connection.collection('notifications').updateOne({ id }, { $set: { createdAt } });
    const readUpTo = async (before: string) =>
      (await as(owner.identity, 'POST', '/api/notifications/read', { before })).body;
    expect(await readUpTo('2026-11-20T10:04:59.999Z')).toEqual({ unread: 1 });
    expect(await readUpTo('2026-11-20T10:05:00.000Z')).toEqual({ unread: 0 });
  });

  test('reading up to a notification leaves unseen ones of the same minute unread', async () => {
    await send();
    await send();
    const [seen] = await waitFor(2);
    await send();
    const [unseen] = await waitFor(3);
    await context.database.connection
      .collection('notifications')
      .updateMany({ account: owner.id }, { $set: { createdAt: new Date() } });
    const read = await as(owner.identity, 'POST', '/api/notifications/read', { upTo: seen?.id });
    expect(read.body).toEqual({ unread: 1 });
    expect((await list()).map(({ readAt }) => readAt === null)).toEqual([true, false, false]);
    expect((await as(sender.identity, 'POST', '/api/notifications/read', { upTo: unseen?.id })).status).toBe(200);
    expect(await unread()).toEqual({ unread: 1 });
  });

  test('notifications are removed after ninety days and with their account', async () => {
    const { id } = await send();
    await reply(id);
    await send(sender, owner.identity);
    await waitFor(2, sender);
    await waitFor(1);
    await forgetNotifications(context, sender.id);
    expect([await list(sender), (await list()).length]).toEqual([[], 1]);
    const day = 24 * 60 * 60 * 1000;
    await sweepNotifications(context, new Date(Date.now() + 89 * day));
    expect(await list()).toHaveLength(1);
    await sweepNotifications(context, new Date(Date.now() + 91 * day));
    expect(await list()).toEqual([]);
  });
});

describe('a kind that is switched off', () => {
  const choose = (kinds: unknown, { identity } = owner) =>
    as(identity, 'PUT', '/api/notifications/settings', { kinds });

  test('notifications of a hidden kind are in no list, count or stream, and are read when shown again', async () => {
    expect((await as(owner.identity, 'GET', '/api/notifications/settings')).body).toEqual({
      kinds: ['message', 'reply', 'report', 'visits'],
    });
    const { id } = await send();
    const [{ id: notificationId } = { id: 0 }] = await waitFor(1);
    expect((await choose(['report', 'visits'])).body).toEqual({ kinds: ['report', 'visits'] });
    expect(await list()).toEqual([]);
    expect(await unread()).toEqual({ unread: 0 });
    for (const asked of [
      { after: 0, ids: [notificationId] },
      { after: notificationId - 1, ids: [] },
    ])
      expect(await followNotifications(context, owner.id, { ...asked, withoutCount: false })).toMatchObject({
        shown: [],
        unread: 0,
      });
    await choose(['message', 'reply', 'report', 'visits']);
    expect(await list()).toMatchObject([{ subject: { messageId: id }, readAt: expect.any(String) }]);
    expect(await unread()).toEqual({ unread: 0 });
    await send();
    await bed.eventually(async () => expect(await unread()).toEqual({ unread: 1 }));
  });

  test('a kind hidden on one device stays hidden when another device changes another kind', async () => {
    const change = (kinds: unknown) => as(owner.identity, 'PATCH', '/api/notifications/settings', { kinds });
    await Promise.all([change({ remove: ['message'] }), change({ remove: ['visits'] })]);
    expect((await change({ add: ['visits'], remove: ['reply'] })).body).toEqual({ kinds: ['report', 'visits'] });
    expect((await change({})).status).toBe(422);
    expect((await change({ add: ['test'] })).body).toMatchObject({ fields: { 'kinds.add.0': 'not_a_choice' } });
  });

  test('hiding replies hides those kept under a tag, and nothing of another account', async () => {
    await choose(['message'], sender);
    const { id } = await send();
    await send(sender, owner.identity);
    await reply(id);
    await waitFor(1);
    const [shown] = await waitFor(1, sender);
    expect(shown).toMatchObject({ kind: 'message' });
    await waitForEarlierEvents();
    expect(await list(sender)).toHaveLength(1);
    await choose(['message', 'reply'], sender);
    expect((await list(sender)).map(({ kind }) => kind).sort()).toEqual(['message', 'reply']);
  });

  test('refuses to hide an unknown kind', async () => {
    for (const [kinds, fault] of [
      [['test'], 'kinds.0'],
      [undefined, 'kinds'],
    ] as const) {
      const refused = await choose(kinds);
      expect(refused.status).toBe(422);
      expect(JSON.stringify(refused.body)).toContain(fault);
    }
    expect((await as(owner.identity, 'GET', '/api/notifications/settings')).body).toMatchObject({
      kinds: { length: 4 },
    });
  });

  test('hidden kinds are deleted with the account', async () => {
    await choose([]);
    await forgetNotifications(context, owner.id);
    expect(await context.notifications.findHidden(owner.id)).toEqual([]);
  });
});
