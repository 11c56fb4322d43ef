import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startTestBed, type Answer, type TestBed } from '@najwa/dev-env';
import { photograph } from '../support/submissions.js';

let bed: TestBed;
let owner: { id: number; username: string };
let other: { id: number; username: string };

beforeAll(async () => {
  bed = await startTestBed({ services: ['auth', 'media', 'messages'], env: { RATE_LIMIT_SCALE: '0' } });
});

beforeEach(async () => {
  [owner, other] = await Promise.all([bed.newAccount(), bed.newAccount()]);
});

afterAll(() => bed.stop());

interface Message {
  id: number;
  content: string;
  isRead: boolean;
  isPublic: boolean;
  imageUrl: string | null;
}

const send = (
  body: unknown,
  options: { identity?: { userId?: number; visitorId?: string }; headers?: Record<string, string> } = {},
): Promise<Answer> => bed.call('messages', 'POST', '/api/messages', { body, ...options });

const sendTo = async (userId: number, content = 'رسالة', identity?: { userId: number }): Promise<Message> => {
  const answer = await send({ userId, content }, identity && { identity });
  expect(answer.status).toBe(201);
  return answer.body as Message;
};

const inbox = async (userId: number, query = ''): Promise<Message[]> =>
  (await bed.call('messages', 'GET', `/api/messages${query}`, { identity: { userId } })).body as Message[];

describe('POST /api/messages', () => {
  test('accepts a text from a visitor and shows it to its owner as unread', async () => {
    const answer = await send({ userId: owner.id, content: '  ما الذي لم تقله بعد؟ ' });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      userId: owner.id,
      content: 'ما الذي لم تقله بعد؟',
      isRead: false,
      isPublic: false,
      imageUrl: null,
    });
    expect(await inbox(owner.id)).toEqual([answer.body]);
  });

  test('returns the same fields for messages from accounts and from visitors', async () => {
    await sendTo(owner.id, 'one');
    await sendTo(owner.id, 'two', { userId: other.id });
    const [fromAccount, fromVisitor] = await inbox(owner.id);
    expect(Object.keys(fromAccount ?? {})).toEqual(Object.keys(fromVisitor ?? {}));
    expect(Object.keys(fromVisitor ?? {}).sort()).toEqual([
      'audioDuration',
      'audioPeaks',
      'audioType',
      'audioUrl',
      'content',
      'createdAt',
      'emoji',
      'id',
      'imageUrl',
      'isPublic',
      'isRead',
      'reply',
      'userId',
    ]);
  });

  test('stores a picture with its text', async () => {
    const answer = await send({ userId: owner.id, content: 'انظر', imageUrl: await photograph() });
    expect(answer.status).toBe(201);
    const { imageUrl } = answer.body as Message;
    expect(imageUrl).toMatch(/^\/image\/[\w.-]+$/);
    const asOwner = await bed.call('media', 'GET', `/api${imageUrl ?? ''}`, { identity: { userId: owner.id } });
    expect([asOwner.status, asOwner.headers.get('content-type')]).toEqual([200, 'image/webp']);
    expect((await bed.call('media', 'GET', `/api${imageUrl ?? ''}`)).status).toBe(404);
  });

  test.each<[string, (userId: number) => unknown, number, Record<string, unknown>]>([
    [
      'no text',
      (userId) => ({ userId, content: ' \n ' }),
      422,
      { code: 'invalid_input', fields: { content: 'required' } },
    ],
    [
      '701 characters',
      (userId) => ({ userId, content: 'ن'.repeat(701) }),
      422,
      { code: 'invalid_input', fields: { content: 'too_long' } },
    ],
    [
      'a control character',
      (userId) => ({ userId, content: 'a\u0007' }),
      422,
      { code: 'invalid_input', fields: { content: 'forbidden_characters' } },
    ],
    ['no recipient', () => ({ content: 'a' }), 422, { code: 'invalid_input', fields: { userId: 'required' } }],
    ['a recipient who does not exist', () => ({ userId: 999_999, content: 'a' }), 404, { code: 'user_not_found' }],
    ['a recipient as text', (userId) => ({ userId: String(userId), content: 'a' }), 422, { code: 'invalid_input' }],
    [
      'a field that only the owner may set',
      (userId) => ({ userId, content: 'a', isPublic: true }),
      422,
      { code: 'invalid_input', fields: { isPublic: 'unknown_field' } },
    ],
    [
      'an address in place of a picture',
      (userId) => ({ userId, content: 'a', imageUrl: 'https://example.test/a.png' }),
      422,
      { code: 'unsupported_image' },
    ],
    [
      'an invalid picture',
      (userId) => ({ userId, content: 'a', imageUrl: 'data:image/png;base64,aGVsbG8=' }),
      422,
      { code: 'unsupported_image' },
    ],
    [
      'a picture of more than 5 MB',
      (userId) => ({ userId, content: 'a', imageUrl: `data:image/png;base64,${'A'.repeat(7_200_000)}` }),
      413,
      { code: 'image_too_large' },
    ],
    ['a body that is not an object', () => [1], 422, { code: 'invalid_input' }],
  ])('refuses %s and stores nothing', async (_name, body, status, expected) => {
    expect(await send(body(owner.id))).toMatchObject({ status, body: { message: expect.any(String), ...expected } });
    expect(await inbox(owner.id)).toEqual([]);
  });

  test('stores a repeated submission once', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const body = { userId: owner.id, content: 'مرة واحدة', imageUrl: await photograph() };
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => send(body, { headers, identity: { visitorId: 'v1' } })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
    expect(await inbox(owner.id)).toHaveLength(1);
  });

  test('refuses a key used for another text, but accepts it from another sender', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    await send({ userId: owner.id, content: 'one' }, { headers, identity: { visitorId: 'v1' } });
    expect(await send({ userId: owner.id, content: 'two' }, { headers, identity: { visitorId: 'v1' } })).toMatchObject({
      status: 409,
      body: { code: 'idempotency_conflict' },
    });
    expect((await send({ userId: owner.id, content: 'two' }, { headers, identity: { visitorId: 'v2' } })).status).toBe(
      201,
    );
  });
});

describe('lists', () => {
  test('pages through the whole inbox in both orders without gaps or repeats', async () => {
    const sent: number[] = [];
    for (let count = 0; count < 7; count += 1) sent.push((await sendTo(owner.id, `message ${count}`)).id);
    for (const [sort, expected] of [
      ['newest', sent.toReversed()],
      ['oldest', sent],
    ] as const) {
      const seen: number[] = [];
      let next: string | undefined = `/api/messages?sort=${sort}&limit=3`;
      while (next !== undefined) {
        const answer = await bed.call('messages', 'GET', next, { identity: { userId: owner.id } });
        seen.push(...(answer.body as Message[]).map(({ id }) => id));
        next = /^<(.+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
      }
      expect(seen).toEqual(expected);
    }
  });

  test('filters by read state', async () => {
    const [first, second] = [await sendTo(owner.id, 'first'), await sendTo(owner.id, 'second')];
    await bed.call('messages', 'PATCH', `/api/messages/${first.id}`, {
      body: { isRead: true },
      identity: { userId: owner.id },
    });
    expect((await inbox(owner.id, '?filter=read')).map(({ id }) => id)).toEqual([first.id]);
    expect((await inbox(owner.id, '?filter=unread')).map(({ id }) => id)).toEqual([second.id]);
    expect((await bed.call('messages', 'GET', '/api/messages/stats', { identity: { userId: owner.id } })).body).toEqual(
      { received: 2, sent: 0, read: 1, unread: 1 },
    );
  });

  test('shows an account its sent messages with their recipients', async () => {
    await sendTo(owner.id, 'من حساب', { userId: other.id });
    const answer = await bed.call('messages', 'GET', '/api/messages/sent', { identity: { userId: other.id } });
    expect(answer.body).toMatchObject([
      { content: 'من حساب', senderUserId: other.id, recipient: { username: owner.username } },
    ]);
  });

  test('filters sent messages by whether they were read', async () => {
    const asSender = { identity: { userId: other.id } };
    const [first, second] = [
      await sendTo(owner.id, 'first', asSender.identity),
      await sendTo(owner.id, 'second', asSender.identity),
    ];
    await bed.call('messages', 'PATCH', `/api/messages/${first.id}`, {
      body: { isRead: true },
      identity: { userId: owner.id },
    });
    for (const [filter, expected] of [
      ['read', [first.id]],
      ['unread', [second.id]],
      ['all', [second.id, first.id]],
    ] as const) {
      const answer = await bed.call('messages', 'GET', `/api/messages/sent?filter=${filter}`, asSender);
      expect((answer.body as Message[]).map(({ id }) => id)).toEqual(expected);
    }
    expect(await bed.call('messages', 'GET', '/api/messages/sent?filter=mine', asSender)).toMatchObject({
      status: 422,
      body: { code: 'invalid_input', fields: { filter: 'not_a_choice' } },
    });
  });

  test.each([
    '?limit=0',
    '?limit=101',
    '?limit=ten',
    '?before=x',
    '?before=-1',
    '?sort=random',
    '?filter=mine',
    '?filter=read&filter=unread',
  ])('refuses %p', async (query) => {
    expect(
      await bed.call('messages', 'GET', `/api/messages${query}`, { identity: { userId: owner.id } }),
    ).toMatchObject({ status: 422, body: { code: 'invalid_input' } });
  });
});

describe('the owner of a message', () => {
  const asOwner = () => ({ identity: { userId: owner.id } });
  const publicList = async (): Promise<unknown[]> =>
    (await bed.call('messages', 'GET', `/api/messages/public/${owner.id}`)).body as unknown[];

  test('can publish and unpublish it', async () => {
    const { id } = await sendTo(owner.id);
    expect(await publicList()).toEqual([]);
    expect(
      (await bed.call('messages', 'PATCH', `/api/messages/${id}`, { body: { isPublic: true }, ...asOwner() })).body,
    ).toMatchObject({ id, isPublic: true });
    expect(await publicList()).toMatchObject([{ id, reply: null }]);
    await bed.call('messages', 'PATCH', `/api/messages/${id}`, { body: { isPublic: false }, ...asOwner() });
    expect(await publicList()).toEqual([]);
  });

  test('can reply, which marks the message as read; the reply is visible once the message is public', async () => {
    const { id } = await sendTo(owner.id);
    const reply = await bed.call('messages', 'POST', '/api/replies', {
      body: { messageId: id, content: ' شكرًا ' },
      ...asOwner(),
    });
    expect([reply.status, reply.body]).toMatchObject([201, { messageId: id, content: 'شكرًا' }]);
    expect(await inbox(owner.id)).toMatchObject([{ id, isRead: true }]);
    expect((await bed.call('messages', 'GET', `/api/replies/${id}`, asOwner())).body).toEqual(reply.body);
    await bed.call('messages', 'PATCH', `/api/messages/${id}`, { body: { isPublic: true }, ...asOwner() });
    expect(await publicList()).toMatchObject([{ id, reply: { content: 'شكرًا' } }]);
  });

  test('gets the reply in every list with the message and in the answer to an update', async () => {
    const { id } = await sendTo(owner.id, 'سؤال', { userId: other.id });
    const listed = async (path: string, identity = {}) =>
      (await bed.call('messages', 'GET', path, { identity })).body as unknown[];
    expect(await inbox(owner.id)).toMatchObject([{ id, reply: null }]);
    const answer = await bed.call('messages', 'POST', '/api/replies', {
      body: { messageId: id, content: 'جواب' },
      ...asOwner(),
    });
    const { content, createdAt } = answer.body as { content: string; createdAt: string };
    const reply = { content, createdAt };
    expect(await inbox(owner.id)).toMatchObject([{ id, reply }]);
    expect(await listed('/api/messages/sent', { userId: other.id })).toMatchObject([{ id, reply }]);
    const published = await bed.call('messages', 'PATCH', `/api/messages/${id}`, {
      body: { isPublic: true },
      ...asOwner(),
    });
    expect(published.body).toMatchObject({ id, reply });
    expect(await publicList()).toMatchObject([{ id, reply }]);
  });

  test('can replace a reply', async () => {
    const { id } = await sendTo(owner.id);
    for (const content of ['أولًا', 'ثانيًا'])
      await bed.call('messages', 'POST', '/api/replies', { body: { messageId: id, content }, ...asOwner() });
    expect((await bed.call('messages', 'GET', `/api/replies/${id}`, asOwner())).body).toMatchObject({
      content: 'ثانيًا',
    });
  });

  test('can delete a message for everybody', async () => {
    const { id } = await sendTo(owner.id, 'تُحذف', { userId: other.id });
    expect((await bed.call('messages', 'DELETE', `/api/messages/${id}`, asOwner())).status).toBe(204);
    expect(await inbox(owner.id)).toEqual([]);
    expect((await bed.call('messages', 'GET', '/api/messages/sent', { identity: { userId: other.id } })).body).toEqual(
      [],
    );
    expect((await bed.call('messages', 'DELETE', `/api/messages/${id}`, asOwner())).status).toBe(404);
  });

  test.each<[string, unknown]>([
    ['marking as unread', { isRead: false }],
    ['two changes at once', { isRead: true, isPublic: true }],
    ['a change of the text', { content: 'words in another mouth' }],
    ['nothing', {}],
  ])('cannot ask for %s', async (_name, body) => {
    const { id } = await sendTo(owner.id);
    expect(await bed.call('messages', 'PATCH', `/api/messages/${id}`, { body, ...asOwner() })).toMatchObject({
      status: 422,
      body: { code: 'invalid_input' },
    });
    expect(await inbox(owner.id)).toMatchObject([{ isRead: false, isPublic: false, content: 'رسالة' }]);
  });

  test.each<[string, unknown, number]>([
    ['an empty text', { content: ' ' }, 422],
    ['more than 1000 characters', { content: 'ن'.repeat(1001) }, 422],
    ['a message that does not exist', { messageId: 999_999, content: 'a' }, 404],
  ])('cannot reply with %s', async (_name, changes, status) => {
    const { id } = await sendTo(owner.id);
    const answer = await bed.call('messages', 'POST', '/api/replies', {
      body: { messageId: id, ...(changes as object) },
      ...asOwner(),
    });
    expect(answer.status).toBe(status);
    expect((await bed.call('messages', 'GET', `/api/replies/${id}`, asOwner())).body).toBeNull();
  });
});

describe('permissions', () => {
  test.each<[string, string, (id: number) => string, unknown]>([
    ['reads', 'GET', (id) => `/api/replies/${id}`, undefined],
    ['marks or publishes', 'PATCH', (id) => `/api/messages/${id}`, { isPublic: true }],
    ['deletes', 'DELETE', (id) => `/api/messages/${id}`, undefined],
    ['replies', 'POST', () => '/api/replies', { content: 'a' }],
  ])('nobody but the owner %s a private message', async (_name, method, path, body) => {
    const { id } = await sendTo(owner.id, 'سرّ', { userId: other.id });
    const stranger = await bed.newAccount();
    const attempt = (identity: Record<string, unknown>) =>
      bed.call('messages', method, path(id), {
        identity,
        ...(body !== undefined && { body: method === 'POST' ? { messageId: id, ...(body as object) } : body }),
      });
    expect((await attempt({ userId: stranger.id })).status).toBe(404);
    expect((await attempt({ userId: stranger.id, isAdmin: true })).status).toBe(404);
    expect([401, 404]).toContain((await attempt({})).status);
    expect(await inbox(owner.id)).toMatchObject([{ content: 'سرّ', isRead: false, isPublic: false }]);
  });

  test('a signed-in sender can only read the reply to their message', async () => {
    const { id } = await sendTo(owner.id, 'سؤال', { userId: other.id });
    await bed.call('messages', 'POST', '/api/replies', {
      body: { messageId: id, content: 'جواب' },
      identity: { userId: owner.id },
    });
    const asSender = { identity: { userId: other.id } };
    expect((await bed.call('messages', 'GET', `/api/replies/${id}`, asSender)).body).toMatchObject({ content: 'جواب' });
    expect(
      (await bed.call('messages', 'PATCH', `/api/messages/${id}`, { body: { isPublic: true }, ...asSender })).status,
    ).toBe(404);
    expect((await bed.call('messages', 'DELETE', `/api/messages/${id}`, asSender)).status).toBe(204);
    expect((await bed.call('messages', 'GET', '/api/messages/sent', asSender)).body).toEqual([]);
    expect(await inbox(owner.id)).toMatchObject([{ id, content: 'سؤال' }]);
  });

  test.each(['/api/messages', '/api/messages/sent', '/api/messages/stats'])(
    'a visitor is told to sign in at %s',
    async (path) => {
      expect(await bed.call('messages', 'GET', path)).toMatchObject({ status: 401, body: { code: 'not_signed_in' } });
    },
  );

  test('OPTIONS is refused with the common error body', async () => {
    const answer = await fetch(`${bed.url('messages')}/api/messages`, { method: 'OPTIONS' });
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([405, 'no-store']);
    expect(await answer.json()).toEqual({ message: expect.any(String), code: 'method_not_allowed' });
  });
});
