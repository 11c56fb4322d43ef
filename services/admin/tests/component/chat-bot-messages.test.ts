import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sharedBed, type Bed } from '@najwa/testing';
import { administrator, readAudit } from './admin-bed.js';

let bed: Bed;

beforeAll(async () => {
  bed = await sharedBed();
});

const ask = (message: string) =>
  bed.call('chatbot', 'POST', '/api/chat', {
    body: { message, imageUrl: null },
    identity: { ip: '192.0.2.9' },
    headers: { 'user-agent': 'Example/1.0' },
  });
const call = (method: string, path = '') =>
  bed.call('admin', method, `/api/admin/chat-bot/messages${path}`, { identity: administrator });
const list = async (query = '') => (await call('GET', query)).body as { id: number; userMessage: string }[];

beforeEach(async () => {
  await call('DELETE');
  for (const message of ['one', 'two', 'three']) await ask(message);
});

describe('conversations', () => {
  test('conversations are listed newest first with all fields', async () => {
    const [newest, ...older] = await list();
    expect(older.map(({ userMessage }) => userMessage)).toEqual(['two', 'one']);
    expect(newest).toEqual({
      id: expect.any(Number),
      userId: null,
      userName: null,
      isVisitor: true,
      userMessage: 'three',
      botResponse: expect.stringContaining('automatic'),
      hasImage: false,
      imageUrl: null,
      isUsingLocalSystem: true,
      ipAddress: '192.0.2.9',
      userAgent: 'Example/1.0',
      createdAt: expect.any(String),
    });
  });

  test('conversations are paged by the Link header', async () => {
    const first = await call('GET', '?limit=2');
    expect(first.headers.get('x-total-count')).toBe('3');
    const second = await bed.call('admin', 'GET', /^<([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '', {
      identity: administrator,
    });
    expect((second.body as { userMessage: string }[]).map(({ userMessage }) => userMessage)).toEqual(['one']);
  });

  test('conversations can be deleted one at a time', async () => {
    const [, two] = await list();
    expect(await call('DELETE', `/${two?.id}`)).toMatchObject({ status: 200, body: { deleted: 1 } });
    expect((await list()).map(({ userMessage }) => userMessage)).toEqual(['three', 'one']);
    expect(await call('DELETE', `/${two?.id}`)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await call('DELETE', '/x')).toMatchObject({ status: 422 });
  });

  test('conversations can be deleted all at once', async () => {
    expect(await call('DELETE')).toMatchObject({ status: 200, body: { deleted: 3 } });
    expect(await list()).toEqual([]);
    expect(await call('DELETE')).toMatchObject({ status: 200, body: { deleted: 0 } });
  });
});

test('reads and deletions are recorded in the audit log', async () => {
  const [newest] = await list();
  await call('DELETE', `/${newest?.id}`);
  await call('DELETE', `/${newest?.id}`);
  await call('DELETE');
  expect((await readAudit(bed)).slice(0, 4)).toMatchObject([
    { action: 'conversations.delete_all', outcome: 'done', details: { deleted: 2 } },
    { action: 'conversation.delete', outcome: 'refused', details: { conversationId: newest?.id, code: 'not_found' } },
    { action: 'conversation.delete', outcome: 'done', details: { conversationId: newest?.id } },
    { action: 'conversations.list', outcome: 'done', details: { conversations: 3 } },
  ]);
});
