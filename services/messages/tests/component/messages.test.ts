import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sharedBed, type Answer, type Bed, type BedAccount } from '@najwa/testing';
import { messageOf } from '../support/answers.js';
import { photograph } from '../support/submissions.js';

let bed: Bed;
let owner: BedAccount;

beforeAll(async () => {
  bed = await sharedBed();
});

beforeEach(async () => {
  owner = await bed.newAccount();
});

interface Message {
  imageUrl: string | null;
}

const send = (
  body: unknown,
  options: { identity?: { userId?: number; visitorId?: string }; headers?: Record<string, string> } = {},
): Promise<Answer> => bed.call('messages', 'POST', '/api/messages', { body, ...options });

const inbox = async (): Promise<Message[]> =>
  (await bed.call('messages', 'GET', '/api/messages', { identity: owner.identity })).body as Message[];

describe('GET /api/messages/{id}', () => {
  const read = (id: number): Promise<Answer> => bed.call('messages', 'GET', `/api/messages/${id}`);

  test('shows a published message with its reply and its page to anyone', async () => {
    const { id } = await bed.sendMessage(owner.id, { content: 'سؤال' });
    const identity = { userId: owner.id };
    await bed.call('messages', 'PATCH', `/api/messages/${id}`, { identity, body: { isPublic: true } });
    await bed.call('messages', 'POST', '/api/replies', { identity, body: { messageId: id, content: 'جواب' } });
    const { status, body } = await read(id);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id,
      content: 'سؤال',
      reply: { content: 'جواب' },
      recipient: { username: owner.username },
    });
    expect(JSON.stringify(body)).not.toContain('sender');
  });

  test('refuses to show a private, unpublished or missing message', async () => {
    const { id } = await bed.sendMessage(owner.id);
    const publish = (isPublic: boolean) =>
      bed.call('messages', 'PATCH', `/api/messages/${id}`, { identity: { userId: owner.id }, body: { isPublic } });
    expect(await read(id)).toMatchObject({ status: 404, body: { code: 'message_not_found' } });
    // Not even to its owner: this is what everyone sees.
    const own = await bed.call('messages', 'GET', `/api/messages/${id}`, { identity: { userId: owner.id } });
    expect(own.status).toBe(404);
    await publish(true);
    expect((await read(id)).status).toBe(200);
    await publish(false);
    expect((await read(id)).status).toBe(404);
    expect((await read(999_999_999)).status).toBe(404);
  });
});

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
    expect(await inbox()).toEqual([{ ...messageOf(answer), conversationId: null }]);
  });

  test('a new message has the same fields from accounts and from visitors', async () => {
    await bed.sendMessage(owner.id);
    await bed.sendMessage(owner.id, {}, { identity: (await bed.newAccount()).identity });
    const [fromAccount, fromVisitor] = await inbox();
    expect(Object.keys(fromAccount ?? {})).toEqual(Object.keys(fromVisitor ?? {}));
    expect(Object.keys(fromVisitor ?? {}).sort()).toEqual([
      'audioDuration',
      'audioPeaks',
      'audioType',
      'audioUrl',
      'content',
      'conversationId',
      'createdAt',
      'emoji',
      'id',
      'imageUrl',
      'isPublic',
      'isRead',
      'ornament',
      'reply',
      'userId',
    ]);
  });

  test('stores a picture with the text of a message', async () => {
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
  ])('refuses a message with %s and stores nothing', async (_name, body, status, expected) => {
    expect(await send(body(owner.id))).toMatchObject({ status, body: { message: expect.any(String), ...expected } });
    expect(await inbox()).toEqual([]);
  });

  test('stores a repeated submission once', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const body = { userId: owner.id, content: 'مرة واحدة', imageUrl: await photograph() };
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => send(body, { headers, identity: { visitorId: 'v1' } })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map((answer) => JSON.stringify(messageOf(answer)))).size).toBe(1);
    expect(await inbox()).toHaveLength(1);
  });

  test('refuses an idempotency key used for another text, but accepts it from another sender', async () => {
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

test('OPTIONS is refused with the common error body', async () => {
  const answer = await fetch(`${bed.url('messages')}/api/messages`, { method: 'OPTIONS' });
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([405, 'no-store']);
  expect(await answer.json()).toEqual({ message: expect.any(String), code: 'method_not_allowed' });
});
