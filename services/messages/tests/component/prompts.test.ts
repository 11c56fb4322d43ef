import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { sharedBed, type Answer, type Bed, type BedAccount } from '@najwa/testing';

let bed: Bed;
let owner: BedAccount;

beforeAll(async () => {
  bed = await sharedBed();
});

beforeEach(async () => {
  owner = await bed.newAccount();
});

const prompts = (method: string, path = '', body?: unknown, account = owner): Promise<Answer> =>
  bed.call('auth', method, `/api/prompts${path}`, { identity: account.identity, ...(body !== undefined && { body }) });

const write = async (content: string): Promise<number> =>
  ((await prompts('POST', '', { content })).body as { id: number }).id;

const answer = (promptId: unknown): Promise<Answer> =>
  bed.call('messages', 'POST', '/api/messages', { body: { userId: owner.id, content: 'كتاب', promptId } });

const profile = async (): Promise<unknown> => (await bed.call('auth', 'GET', `/api/users/${owner.username}`)).body;

test('an account has up to ten prompts, each text once, and its profile shows them', async () => {
  expect(await profile()).not.toHaveProperty('prompts');
  expect(await prompts('POST', '', { content: '  ماذا أقرأ بعد؟ ' })).toMatchObject({
    status: 201,
    body: { id: expect.any(Number) as unknown, content: 'ماذا أقرأ بعد؟' },
  });
  const id = await write('ماذا أقرأ بعد؟');
  expect((await prompts('GET')).body).toMatchObject([{ id, content: 'ماذا أقرأ بعد؟' }]);
  await Promise.all(Array.from({ length: 12 }, (_, index) => write(`سؤال ${index}`)));
  const all = (await prompts('GET')).body as { id: number; content: string }[];
  expect(all).toHaveLength(10);
  expect(await profile()).toMatchObject({ prompts: all.map(({ id: of, content }) => ({ id: of, content })) });
  expect(await prompts('POST', '', { content: 'زائد' })).toMatchObject({ status: 409, body: { code: 'prompts_full' } });
  expect(await prompts('DELETE', `/${id}`)).toMatchObject({ status: 204 });
  expect(await prompts('DELETE', `/${id}`)).toMatchObject({ status: 404, body: { code: 'prompt_not_found' } });
  expect(await prompts('POST', '', { content: 'زائد' })).toMatchObject({ status: 201 });
  for (const [content, fault] of [
    ['', 'required'],
    ['س'.repeat(101), 'too_long'],
  ] as const)
    expect(await prompts('POST', '', { content })).toMatchObject({ status: 422, body: { fields: { content: fault } } });
  const stranger = await bed.newAccount();
  const [other] = (await prompts('GET')).body as { id: number }[];
  expect((await prompts('DELETE', `/${other?.id ?? 0}`, undefined, stranger)).status).toBe(404);
});

test('a message keeps the question that it answers, wherever it shows', async () => {
  const id = await write('ماذا أقرأ بعد؟');
  const prompt = { id, content: 'ماذا أقرأ بعد؟' };
  const sent = await answer(id);
  expect(sent).toMatchObject({ status: 201, body: { prompt } });
  await prompts('DELETE', `/${id}`);
  const { id: messageId, wayBack } = sent.body as { id: number; wayBack: string };
  const { identity } = owner;
  await bed.call('messages', 'PATCH', `/api/messages/${messageId}`, { identity, body: { isPublic: true } });
  for (const path of ['/api/messages', `/api/messages/public/${owner.id}`])
    expect((await bed.call('messages', 'GET', path, { identity })).body).toMatchObject([{ prompt }]);
  for (const path of [`/api/messages/${messageId}`, `/api/ways-back/${wayBack.replace('/r/', '')}`])
    expect((await bed.call('messages', 'GET', path)).body).toMatchObject({ prompt });
});

test('refuses a deleted, invented or foreign question, and accepts a new one', async () => {
  const id = await write('الأول');
  expect((await answer(id)).status).toBe(201);
  expect((await answer(await write('الثاني'))).status).toBe(201);
  await prompts('DELETE', `/${id}`);
  const stranger = await bed.newAccount();
  const { body } = await prompts('POST', '', { content: 'لغيره' }, stranger);
  for (const unknown of [999_999_999, (body as { id: number }).id])
    expect(await answer(unknown)).toMatchObject({ status: 404, body: { code: 'prompt_not_found' } });
  expect(await answer('x')).toMatchObject({ status: 422, body: { fields: { promptId: 'required' } } });
  expect((await answer(null)).status).toBe(201);
});
