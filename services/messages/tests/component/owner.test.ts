import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createEvent } from '@najwa/common/amqp';
import { dataUrl, readSample, sharedBed, type Answer, type Bed, type BedAccount } from '@najwa/testing';
import { eraseAccount } from '../../src/account/erasure.js';
import type { MessagesContext } from '../../src/context.js';
import { openReplica } from '../support/replica.js';

let bed: Bed;
let owner: BedAccount;
let other: BedAccount;

beforeAll(async () => {
  bed = await sharedBed();
});

beforeEach(async () => {
  [owner, other] = await Promise.all([bed.newAccount(), bed.newAccount()]);
});

const asOwner = () => ({ identity: owner.identity });

const inbox = async (): Promise<unknown> => (await bed.call('messages', 'GET', '/api/messages', asOwner())).body;

describe('the owner of a message', () => {
  const publicList = async (): Promise<unknown[]> =>
    (await bed.call('messages', 'GET', `/api/messages/public/${owner.id}`)).body as unknown[];

  test('the owner can publish and unpublish a message', async () => {
    const { id } = await bed.sendMessage(owner.id);
    expect(await publicList()).toEqual([]);
    expect(
      (await bed.call('messages', 'PATCH', `/api/messages/${id}`, { body: { isPublic: true }, ...asOwner() })).body,
    ).toMatchObject({ id, isPublic: true });
    expect(await publicList()).toMatchObject([{ id, reply: null }]);
    await bed.call('messages', 'PATCH', `/api/messages/${id}`, { body: { isPublic: false }, ...asOwner() });
    expect(await publicList()).toEqual([]);
  });

  test('a reply marks the message as read and is visible once the message is public', async () => {
    const { id } = await bed.sendMessage(owner.id);
    const reply = await bed.call('messages', 'POST', '/api/replies', {
      body: { messageId: id, content: ' شكرًا ' },
      ...asOwner(),
    });
    expect([reply.status, reply.body]).toMatchObject([201, { messageId: id, content: 'شكرًا' }]);
    expect(await inbox()).toMatchObject([{ id, isRead: true }]);
    expect((await bed.call('messages', 'GET', `/api/replies/${id}`, asOwner())).body).toEqual(reply.body);
    await bed.call('messages', 'PATCH', `/api/messages/${id}`, { body: { isPublic: true }, ...asOwner() });
    expect(await publicList()).toMatchObject([{ id, reply: { content: 'شكرًا' } }]);
  });

  test('the reply is in every list with the message and in the answer to an update', async () => {
    const { id } = await bed.sendMessage(owner.id, { content: 'سؤال' }, { identity: other.identity });
    const listed = async (path: string, identity = {}) =>
      (await bed.call('messages', 'GET', path, { identity })).body as unknown[];
    expect(await inbox()).toMatchObject([{ id, reply: null }]);
    const answer = await bed.call('messages', 'POST', '/api/replies', {
      body: { messageId: id, content: 'جواب' },
      ...asOwner(),
    });
    const { content, createdAt } = answer.body as { content: string; createdAt: string };
    const reply = { content, createdAt };
    expect(await inbox()).toMatchObject([{ id, reply }]);
    expect(await listed('/api/messages/sent', other.identity)).toMatchObject([{ id, reply }]);
    const published = await bed.call('messages', 'PATCH', `/api/messages/${id}`, {
      body: { isPublic: true },
      ...asOwner(),
    });
    expect(published.body).toMatchObject({ id, reply });
    expect(await publicList()).toMatchObject([{ id, reply }]);
  });

  test('the owner can replace a reply', async () => {
    const { id } = await bed.sendMessage(owner.id);
    for (const content of ['أولًا', 'ثانيًا'])
      await bed.call('messages', 'POST', '/api/replies', { body: { messageId: id, content }, ...asOwner() });
    expect((await bed.call('messages', 'GET', `/api/replies/${id}`, asOwner())).body).toMatchObject({
      content: 'ثانيًا',
    });
  });

  // Threat model: gateway-11.
  test('a retry of a reply does not restore a replaced reply', async () => {
    const { id } = await bed.sendMessage(owner.id);
    const headers = { 'idempotency-key': randomUUID() };
    const reply = (content: string, more = {}) =>
      bed.call('messages', 'POST', '/api/replies', { ...asOwner(), body: { messageId: id, content }, ...more });
    const first = await reply('أولًا', { headers });
    await reply('ثانيًا');
    const again = await reply('أولًا', { headers });
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(await reply('ثالثًا', { headers })).toMatchObject({ status: 409, body: { code: 'idempotency_conflict' } });
    expect(await bed.call('messages', 'GET', `/api/replies/${id}`, asOwner())).toMatchObject({
      body: { content: 'ثانيًا' },
    });
  });

  test('the owner can delete a message for everybody', async () => {
    const { id } = await bed.sendMessage(owner.id, { content: 'تُحذف' }, { identity: other.identity });
    expect((await bed.call('messages', 'DELETE', `/api/messages/${id}`, asOwner())).status).toBe(204);
    expect(await inbox()).toEqual([]);
    expect((await bed.call('messages', 'GET', '/api/messages/sent', { identity: other.identity })).body).toEqual([]);
    expect((await bed.call('messages', 'DELETE', `/api/messages/${id}`, asOwner())).status).toBe(404);
  });

  test.each<[string, unknown]>([
    ['marking as unread', { isRead: false }],
    ['two changes at once', { isRead: true, isPublic: true }],
    ['a change of the text', { content: 'words in another mouth' }],
    ['nothing', {}],
  ])('the owner cannot update a message with %s', async (_name, body) => {
    const { id } = await bed.sendMessage(owner.id);
    expect(await bed.call('messages', 'PATCH', `/api/messages/${id}`, { body, ...asOwner() })).toMatchObject({
      status: 422,
      body: { code: 'invalid_input' },
    });
    expect(await inbox()).toMatchObject([{ isRead: false, isPublic: false, content: 'رسالة' }]);
  });

  test.each<[string, unknown, number]>([
    ['an empty text', { content: ' ' }, 422],
    ['more than 1000 characters', { content: 'ن'.repeat(1001) }, 422],
    ['a message that does not exist', { messageId: 999_999, content: 'a' }, 404],
  ])('the owner cannot reply with %s', async (_name, changes, status) => {
    const { id } = await bed.sendMessage(owner.id);
    const answer = await bed.call('messages', 'POST', '/api/replies', {
      body: { messageId: id, ...(changes as object) },
      ...asOwner(),
    });
    expect(answer.status).toBe(status);
    expect((await bed.call('messages', 'GET', `/api/replies/${id}`, asOwner())).body).toBeNull();
  });
});

// Threat model: visitor-3.
test('a change of a message is public only if everybody sees it', async () => {
  const context = await openReplica(bed);
  const { id } = await bed.sendMessage(owner.id, { content: 'سؤال' }, { identity: other.identity });
  const announced: boolean[] = [];
  const note = (messageId: number | undefined, changesPublic = true): void => {
    if (messageId === id) announced.push(changesPublic);
  };
  context.bus.subscribe(
    {
      messageUpdated: ({ message, changesPublic }) => note(message?.id, changesPublic),
      messageDeleted: ({ messageId, changesPublic }) => note(messageId, changesPublic),
      replySaved: ({ messageId, changesPublic }) => note(messageId, changesPublic),
    },
    () => undefined,
  );
  await context.bus.start();
  await bed.eventually(() => Promise.resolve(expect(context.bus.isReceiving()).toBe(true)));
  const call = (method: string, path: string, body?: unknown, identity = owner.identity) =>
    bed.call('messages', method, path, { identity, ...(body !== undefined && { body }) });
  const change = (isPublic: boolean) => call('PATCH', `/api/messages/${id}`, { isPublic });
  const reply = (content: string) => call('POST', '/api/replies', { messageId: id, content });
  const bulk = (action: string) => call('POST', '/api/messages/bulk', { ids: [id], action });
  const expectNews = async (...changes: boolean[]): Promise<void> => {
    await bed.eventually(() => Promise.resolve(expect(announced).toHaveLength(changes.length)));
    expect(announced.splice(0)).toEqual(changes);
  };

  await call('PATCH', `/api/messages/${id}`, { isRead: true });
  await expectNews(false);
  await reply('سرًّا');
  await expectNews(false);
  await change(true);
  await expectNews(true);
  await reply('علنًا');
  await expectNews(true);
  await call('POST', '/api/reports', { messageId: id, reason: 'spam' }, other.identity);
  await expectNews(false);
  await call('DELETE', `/api/messages/${id}`, undefined, other.identity);
  await expectNews(false);
  await bulk('unpublish');
  await expectNews(true);
  await bulk('delete');
  await expectNews(false);
  await context.bus.stop();
  await context.database.close();
});

// Threat model: visitor-3.
test('a published message shows as read, so that reading it later changes nothing public', async () => {
  const { id } = await bed.sendMessage(owner.id);
  await bed.call('messages', 'PATCH', `/api/messages/${id}`, { body: { isPublic: true }, ...asOwner() });
  const seen = async () => (await bed.call('messages', 'GET', `/api/messages/public/${owner.id}`)).body;
  expect(await seen()).toMatchObject([{ id, isRead: true }]);
  expect((await bed.call('messages', 'GET', `/api/messages/${id}`)).body).toMatchObject({ isRead: true });
  expect(await inbox()).toMatchObject([{ id, isRead: false }]);
});

// Threat model: minio-2.
test('published files are withheld while the account is closed', async () => {
  const imageUrl = dataUrl(await readSample('photo-gps.jpg'), 'image/jpeg');
  const { id } = await bed.sendMessage(owner.id, { content: 'صورة', imageUrl }, { identity: other.identity });
  await bed.call('messages', 'PATCH', `/api/messages/${id}`, { body: { isPublic: true }, ...asOwner() });
  const [{ imageUrl: address }] = (await bed.call('messages', 'GET', `/api/messages/public/${owner.id}`)).body as [
    { imageUrl: string },
  ];
  const status = async () => (await bed.call('media', 'GET', `/api${address}`)).status;
  await bed.eventually(async () => expect(await status()).toBe(200));
  const body = { password: owner.password };
  expect((await bed.call('auth', 'POST', '/api/account/deletion', { body, ...asOwner() })).status).toBe(202);
  await bed.eventually(async () => expect(await status()).toBe(404));
  // Acts of its sender meanwhile change nothing.
  await bed.call('messages', 'DELETE', `/api/messages/${id}`, { identity: other.identity });
  await bed.call('auth', 'DELETE', '/api/account/deletion', asOwner());
  await bed.eventually(async () => expect(await status()).toBe(200));
});

// Threat model: owner-6.
test('listing by ids returns own messages in the inbox only, newest first', async () => {
  const send = async (userId: number): Promise<number> => (await bed.sendMessage(userId)).id;
  const [first, second, deleted] = [await send(owner.id), await send(owner.id), await send(owner.id)];
  const foreign = await send(other.id);
  await bed.call('messages', 'PATCH', `/api/messages/${second}`, { ...asOwner(), body: { isPublic: true } });
  const bulk = { ids: [deleted], action: 'delete' };
  await bed.call('messages', 'POST', '/api/messages/bulk', { ...asOwner(), body: bulk });
  const ask = (ids: string): Promise<Answer> => bed.call('messages', 'GET', `/api/messages?ids=${ids}`, asOwner());
  const found = await ask([first, second, deleted, foreign, 999_999].join(','));
  expect(found.status).toBe(200);
  const states = (found.body as { id: number; isPublic: boolean }[]).map(({ id, isPublic }) => [id, isPublic]);
  expect(states).toEqual([
    [second, true],
    [first, false],
  ]);
  for (const wrong of ['', 'a', '1,', '1;2', '0', Array(101).fill(1).join(',')]) {
    const refused = await ask(wrong);
    expect([refused.status, refused.body]).toEqual([422, expect.objectContaining({ fields: { ids: 'not_an_id' } })]);
  }
});

describe('a deleted account', () => {
  /** A second replica without an open port. */
  let replica: MessagesContext;

  beforeAll(async () => {
    replica = await openReplica(bed);
  });

  afterAll(async () => {
    for (const client of [replica.auth, replica.media, replica.chatbot]) client.close();
    await replica.database.close();
  });

  const sendAd = (identity: BedAccount['identity']) => bed.sendMessage(owner.id, { content: 'إعلان' }, { identity });
  const filterAds = () =>
    bed.call('messages', 'PUT', '/api/filters', { ...asOwner(), body: { words: ['إعلان'], lists: [] } });
  const discard = async (id: number): Promise<void> =>
    expect((await bed.call('messages', 'DELETE', `/api/messages/${id}`, asOwner())).status).toBe(204);

  test('what a deleted account received is gone but for the lists of its senders', async () => {
    const kept = await bed.sendMessage(owner.id, { content: 'كتبتها' }, { identity: other.identity });
    await bed.sendMessage(owner.id);
    const auth = await bed.openDatabase('auth');
    await auth.collection('users').deleteOne({ id: owner.id });
    await auth.close();
    const value = { userId: owner.id, avatarName: '' };
    await bed.publish([createEvent(randomUUID(), { $case: 'accountDeleted', value })]);
    await bed.eventually(async () => expect(await inbox()).toEqual([]));
    const sent = await bed.call('messages', 'GET', '/api/messages/sent', { identity: other.identity });
    expect(sent.body).toEqual([expect.objectContaining({ id: kept.id, content: 'كتبتها', recipient: null })]);
  });

  test('a message that its recipient discarded is deleted with the account that sent it', async () => {
    await filterAds();
    const { id } = await sendAd(other.identity);
    await discard(id);
    await eraseAccount(replica, other.id);
    expect((await replica.messages.collection.findOne({ id }))?.['content'] ?? '').toBe('');
  });

  // Threat model: owner-29.
  test("discarding publishes one event, whether the sender's account is deleted or not", async () => {
    const gone = await bed.newAccount();
    await filterAds();
    const ids = [(await sendAd(other.identity)).id, (await sendAd(gone.identity)).id];
    await eraseAccount(replica, gone.id);
    const seen: unknown[] = [];
    const removed: number[] = [];
    replica.bus.subscribe(
      {
        messageUpdated({ message, changesInbox }) {
          if (message?.userId === owner.id && changesInbox) seen.push(['updated', message.id]);
        },
        messageDeleted({ messageId, userId }) {
          if (ids.includes(messageId)) removed.push(messageId);
          if (userId === owner.id) seen.push(['deleted', messageId]);
        },
      },
      () => undefined,
    );
    await replica.bus.start();
    await bed.eventually(() => expect(replica.bus.isReceiving()).toBe(true));
    for (const id of ids) await discard(id);
    await bed.eventually(() => expect(removed).toEqual([ids[1]]));
    await bed.eventually(() => expect(seen).toEqual(ids.map((id) => ['updated', id])));
    await replica.bus.stop();
  });
});

describe('permissions', () => {
  test.each<[string, string, (id: number) => string, unknown]>([
    ['reads', 'GET', (id) => `/api/replies/${id}`, undefined],
    ['marks or publishes', 'PATCH', (id) => `/api/messages/${id}`, { isPublic: true }],
    ['deletes', 'DELETE', (id) => `/api/messages/${id}`, undefined],
    ['replies', 'POST', () => '/api/replies', { content: 'a' }],
  ])('only the owner %s a private message', async (_name, method, path, body) => {
    const { id } = await bed.sendMessage(owner.id, { content: 'سرّ' }, { identity: other.identity });
    const stranger = await bed.newAccount();
    const attempt = (identity: Record<string, unknown>) =>
      bed.call('messages', method, path(id), {
        identity,
        ...(body !== undefined && { body: method === 'POST' ? { messageId: id, ...(body as object) } : body }),
      });
    expect((await attempt({ userId: stranger.id })).status).toBe(404);
    expect((await attempt({ userId: stranger.id, isAdmin: true })).status).toBe(404);
    expect([401, 404]).toContain((await attempt({})).status);
    expect(await inbox()).toMatchObject([{ content: 'سرّ', isRead: false, isPublic: false }]);
  });

  test('a signed-in sender can only read the reply to the message', async () => {
    const { id } = await bed.sendMessage(owner.id, { content: 'سؤال' }, { identity: other.identity });
    await bed.call('messages', 'POST', '/api/replies', {
      body: { messageId: id, content: 'جواب' },
      ...asOwner(),
    });
    const asSender = { identity: other.identity };
    expect((await bed.call('messages', 'GET', `/api/replies/${id}`, asSender)).body).toMatchObject({ content: 'جواب' });
    expect(
      (await bed.call('messages', 'PATCH', `/api/messages/${id}`, { body: { isPublic: true }, ...asSender })).status,
    ).toBe(404);
    expect((await bed.call('messages', 'DELETE', `/api/messages/${id}`, asSender)).status).toBe(204);
    expect((await bed.call('messages', 'GET', '/api/messages/sent', asSender)).body).toEqual([]);
    expect(await inbox()).toMatchObject([{ id, content: 'سؤال' }]);
  });

  test.each(['/api/messages', '/api/messages/sent', '/api/messages/stats'])(
    'a visitor gets not_signed_in at %s',
    async (path) => {
      expect(await bed.call('messages', 'GET', path)).toMatchObject({ status: 401, body: { code: 'not_signed_in' } });
    },
  );
});
