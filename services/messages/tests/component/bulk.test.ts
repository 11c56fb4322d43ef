import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { dataUrl, readSample, sharedBed, type Answer, type Bed, type BedAccount } from '@najwa/testing';
import type { MessagesContext } from '../../src/context.js';
import { changeMessages, finishDeletions, readAll as readEach, undoChange } from '../../src/inbox/bulk.js';
import { actOnReport } from '../../src/moderation/decisions.js';
import { openReplica, replacing } from '../support/replica.js';

let bed: Bed;
/** A second replica without an open port. */
let replica: MessagesContext;
let owner: BedAccount;
let sender: BedAccount;

beforeAll(async () => {
  bed = await sharedBed();
  replica = await openReplica(bed);
});

afterAll(async () => {
  await replica.database.close();
});

beforeEach(async () => {
  [owner, sender] = await Promise.all([bed.newAccount(), bed.newAccount()]);
});

const as = ({ identity }: Pick<BedAccount, 'identity'>, method: string, path: string, body?: unknown) =>
  bed.call('messages', method, path, { identity, ...(body !== undefined && { body }) });

const send = (imageUrl?: string) =>
  bed.sendMessage(owner.id, { content: 'سلام', ...(imageUrl && { imageUrl }) }, { identity: sender.identity });

const change = (ids: number[], action: string, account = owner): Promise<Answer> =>
  as(account, 'POST', '/api/messages/bulk', { ids, action });

const undo = (undoToken: unknown, account = owner): Promise<Answer> =>
  as(account, 'POST', '/api/messages/undo', { undoToken });

const idsIn = async (account: BedAccount, path: string): Promise<number[]> =>
  ((await as(account, 'GET', path)).body as { id: number }[]).map(({ id }) => id);

const tokenOf = ({ body }: Answer): string => (body as { undoToken: string }).undoToken;

const stats = async (account: BedAccount): Promise<unknown> => (await as(account, 'GET', '/api/messages/stats')).body;

/** The message and the counts as everybody sees them. */
const seen = async (id: number, wayBack: string) => ({
  inbox: await idsIn(owner, '/api/messages'),
  sent: await idsIn(sender, '/api/messages/sent'),
  page: await idsIn(owner, `/api/messages/public/${owner.id}`),
  single: (await bed.call('messages', 'GET', `/api/messages/${id}`)).status,
  reply: (await as(sender, 'GET', `/api/replies/${id}`)).status,
  behind: (await bed.call('messages', 'GET', `/api/ways-back/${wayBack.replace('/r/', '')}`)).status,
  counts: [await stats(owner), await stats(sender)],
});

const LATER = (): Date => new Date(Date.now() + 10 * 60_000);

test('a bulk change reads, publishes and unpublishes own messages only', async () => {
  const [first, second] = [(await send()).id, (await send()).id];
  const foreign = (await bed.sendMessage(sender.id)).id;
  const read = await change([second, foreign, 999_999_999, first], 'read');
  expect(read).toMatchObject({ status: 200, body: { done: [second, first] } });
  expect(await idsIn(owner, '/api/messages?filter=read')).toEqual([second, first]);
  expect(await idsIn(sender, '/api/messages?filter=read')).toEqual([]);
  await change([first, second], 'publish');
  expect(await idsIn(owner, `/api/messages/public/${owner.id}`)).toEqual([second, first]);
  const hidden = await change([first], 'unpublish');
  expect(await idsIn(owner, `/api/messages/public/${owner.id}`)).toEqual([second]);

  expect(await undo(tokenOf(hidden))).toMatchObject({ status: 200, body: [{ id: first, isPublic: true }] });
  expect((await undo(tokenOf(read), sender)).status).toBe(409);
});

const readAll = (account = owner): Promise<Answer> =>
  as(account, 'POST', '/api/messages/bulk', { all: 'unread', action: 'read' });

test('all unread messages of the caller are read at once, and unread again after an undo', async () => {
  const ids = await Promise.all(Array.from({ length: 120 }, async () => (await send()).id));
  const [first = 0, second = 0, ...others] = ids.sort((a, b) => b - a);
  await change([first], 'read');
  await as(sender, 'POST', '/api/messages/bulk', { ids: [second], action: 'read' });
  const foreign = (await bed.sendMessage(sender.id)).id;
  const answer = await readAll();
  expect(answer).toMatchObject({ status: 200, body: { done: [second, ...others] } });
  expect(await stats(owner)).toMatchObject({ received: 120, read: 120, unread: 0 });
  expect(await idsIn(sender, '/api/messages?filter=unread')).toEqual([foreign]);
  expect(await readAll()).toMatchObject({ status: 200, body: { done: [] } });

  await as(owner, 'POST', '/api/replies', { messageId: second, content: 'أهلًا' });
  const undone = await undo(tokenOf(answer));
  expect(undone.body).toHaveLength(100);
  expect(await stats(owner)).toMatchObject({ received: 120, read: 2, unread: 118 });
  expect(await idsIn(owner, '/api/messages?filter=read')).toEqual([first, second]);
});

test('a message that another write changes meanwhile is read as well', async () => {
  const [first, second] = [(await send()).id, (await send()).id];
  const racing: MessagesContext = {
    ...replica,
    inbox: replacing(replica.inbox, {
      listReceived: async (...request) => {
        const found = await replica.inbox.listReceived(...request);
        await as(owner, 'PATCH', `/api/messages/${first}`, { isPublic: true });
        return found;
      },
    }),
  };
  expect((await readEach(racing, owner.id)).done).toEqual([second, first]);
  expect(await idsIn(owner, '/api/messages?filter=read')).toEqual([second, first]);
});

// Threat model: owner-6.
test('an undo answers in the order of the inbox, however messages are stored', async () => {
  const ids = [(await send()).id, (await send()).id, (await send()).id];
  const token = tokenOf(await change(ids, 'delete'));
  const oldestFirst: MessagesContext = {
    ...replica,
    inbox: replacing(replica.inbox, {
      findUndo: async (...undone) => (await replica.inbox.findUndo(...undone)).sort((a, b) => a.id - b.id),
    }),
  };
  expect((await undoChange(oldestFirst, owner.id, token)).map(({ id }) => id)).toEqual(ids.toReversed());
});

test('a partly failed bulk change can be undone, and one that did nothing fails', async () => {
  const [first, second] = [(await send()).id, (await send()).id];
  const failing: MessagesContext = {
    ...replica,
    messages: replacing(replica.messages, {
      changeEach: async (found, decide) => {
        await replica.messages.changeEach(
          found.filter(({ id }) => id === first),
          decide,
        );
        throw new Error('The database is away.');
      },
    }),
  };
  const { done, token } = await changeMessages(failing, owner.id, [first, second], 'delete');
  expect(done).toEqual([first]);
  expect(await idsIn(owner, '/api/messages')).toEqual([second]);
  expect(await undo(token)).toMatchObject({ status: 200, body: [{ id: first }] });
  await expect(changeMessages(failing, owner.id, [second], 'delete')).rejects.toThrow('The database is away.');
  expect(await idsIn(owner, '/api/messages')).toEqual([second, first]);
});

test('the undo of a bulk change starts after its last message, and no clock ends it earlier', async () => {
  const ids = [(await send()).id, (await send()).id];
  const sweepIn = (minutes: number) => finishDeletions(replica, new Date(Date.now() + minutes * 60_000));
  const slow: MessagesContext = {
    ...replica,
    messages: replacing(replica.messages, {
      // As if it took minutes.
      changeEach: async (...change) => {
        const changed = await replica.messages.changeEach(...change);
        await sweepIn(5);
        return changed;
      },
    }),
  };
  const { done, token } = await changeMessages(slow, owner.id, ids, 'delete');
  expect(done).toEqual(ids);
  await sweepIn(1);
  expect((await undo(token)).status).toBe(200);
  expect(await idsIn(owner, '/api/messages')).toEqual(ids.toReversed());
});

describe('a deleted message', () => {
  let id: number;
  let wayBack: string;

  beforeEach(async () => {
    ({ id, wayBack = '' } = await send(dataUrl(await readSample('photo-gps.jpg'), 'image/jpeg')));
    await as(owner, 'PATCH', `/api/messages/${id}`, { isPublic: true });
    await as(owner, 'POST', '/api/replies', { messageId: id, content: 'أهلًا' });
  });

  test('a deleted message is hidden from everyone, and undo restores it', async () => {
    const before = await seen(id, wayBack);
    const asked = Date.now();
    const answer = await change([id], 'delete');
    const { done, undoUntil } = answer.body as { done: number[]; undoUntil: string };
    expect(done).toEqual([id]);
    expect(Date.parse(undoUntil)).toBeGreaterThanOrEqual(asked + 10_000);
    expect(Date.parse(undoUntil)).toBeLessThanOrEqual(Date.now() + 10_000);
    expect(await seen(id, wayBack)).toEqual({
      inbox: [],
      sent: [],
      page: [],
      single: 404,
      reply: 404,
      behind: 404,
      counts: [
        { received: 0, sent: 0, read: 0, unread: 0, toSelf: 0, wave: null },
        { received: 0, sent: 0, read: 0, unread: 0, toSelf: 0, wave: null },
      ],
    });
    for (const [method, path, body] of [
      ['PATCH', `/api/messages/${id}`, { isPublic: true }],
      ['DELETE', `/api/messages/${id}`],
      ['POST', `/api/messages/${id}/restore`],
      ['POST', '/api/replies', { messageId: id, content: 'من جديد' }],
      ['POST', '/api/blocks', { messageId: id }],
    ] as const)
      expect((await as(owner, method, path, body)).status).toBe(404);
    expect((await change([id], 'delete')).body).toMatchObject({ done: [] });

    expect((await undo(tokenOf(answer), sender)).status).toBe(409);
    for (const _ of ['once', 'again']) expect(await undo(tokenOf(answer))).toMatchObject({ status: 200 });
    expect(await seen(id, wayBack)).toEqual(before);
    await finishDeletions(replica, LATER());
    expect(await seen(id, wayBack)).toEqual(before);
  });

  test('a deleted message is removed once with its picture after its undo, also if the process died', async () => {
    const { body } = await as(owner, 'GET', '/api/messages');
    const { imageUrl } = (body as { imageUrl: string }[])[0] ?? { imageUrl: '' };
    const picture = () => bed.call('media', 'GET', `/api${imageUrl}`, { identity: owner.identity });
    expect((await picture()).status).toBe(200);
    const answer = await change([id], 'delete');
    expect((await bed.call('media', 'GET', `/api${imageUrl}`)).status).toBe(404);

    // Another replica finds it, and two at once do no harm.
    await Promise.all([finishDeletions(replica, LATER()), finishDeletions(replica, LATER())]);
    expect(await undo(tokenOf(answer))).toMatchObject({ status: 409, body: { code: 'undo_expired' } });
    const stored = await replica.messages.collection.findOne({ id });
    expect(stored).toMatchObject({ content: '', reply: null, words: [] });
    const deletions = (stored?.['outbox'] as { body: string }[] | undefined)?.filter(({ body: event }) =>
      event.includes('messageDeleted'),
    );
    expect(deletions?.length ?? 1).toBe(1);
    await bed.eventually(async () => {
      expect((await picture()).status).toBe(404);
      expect((await bed.listTracking({ limit: 50 })).map(({ messageId }) => messageId)).not.toContain(id);
    });
    expect(await stats(owner)).toMatchObject({ received: 0 });
  });

  test('a deleted message cannot be restored once moderators removed it', async () => {
    const report = await as(owner, 'POST', '/api/reports', { messageId: id, reason: 'threat' });
    expect(report.status).toBe(201);
    const answer = await change([id], 'delete');
    const { id: reportId } = report.body as { id: number };
    await actOnReport(replica, reportId, { action: 'remove', reason: 'تهديد', days: undefined, actorId: 1 });
    await finishDeletions(replica, new Date());
    expect((await undo(tokenOf(answer))).status).toBe(409);
    expect((await bed.call('messages', 'GET', `/api/messages/${id}`)).status).toBe(404);
  });
});

test.each([
  [{ ids: [], action: 'read' }, { ids: 'required' }],
  [{ ids: Array.from({ length: 101 }, (_, index) => index + 1), action: 'read' }, { ids: 'too_long' }],
  [{ ids: ['1'], action: 'read' }, { 'ids.0': 'required' }],
  [{ action: 'read' }, { ids: 'required' }],
  [{ ids: [1], all: 'unread', action: 'read' }, { ids: 'required' }],
  [{ all: 'unread', action: 'delete' }, { ids: 'required' }],
  [{ ids: [1], action: 'burn' }, { action: 'not_a_choice' }],
])('refuses the bulk change %j', async (body, fields) => {
  expect(await as(owner, 'POST', '/api/messages/bulk', body)).toMatchObject({ status: 422, body: { fields } });
});

test('refuses to undo with an unknown token', async () => {
  for (const token of ['none', `${Date.now() + 9_000}.${randomUUID()}`])
    expect(await undo(token)).toMatchObject({ status: 409, body: { code: 'undo_expired' } });
});
