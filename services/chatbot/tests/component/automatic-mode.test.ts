import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { sharedBed, type Bed } from '@najwa/testing';
import { ask, listConversations, newVisitor, responseOf } from './chat-bed.js';

let bed: Bed;

beforeAll(async () => {
  bed = await sharedBed();
});

describe('without an OpenAI key', () => {
  test('answers a question in Arabic in Arabic, with the marker and suggestions', async () => {
    const answer = await ask(bed, 'هل يظهر اسمي اذا ارسلت رساله؟');
    expect(answer.status).toBe(200);
    expect(responseOf(answer)).toContain('تلقائي');
    expect(responseOf(answer)).toContain('لا يرى صاحب الصفحة اسمك');
    expect(responseOf(answer)).toContain('المشرفون');
    expect(responseOf(answer)).toMatch(/قد يهمّك أيضًا:\n• /);
  });

  test('answers a question in English in English', async () => {
    const answer = await ask(bed, 'How long can a voice message be?');
    expect(responseOf(answer)).toContain('automatic');
    expect(responseOf(answer)).toContain('3 minutes');
    expect(responseOf(answer)).not.toMatch(/\p{Script=Arabic}/u);
  });

  test('the assistant says when it does not know', async () => {
    expect(responseOf(await ask(bed, 'ما عاصمة فرنسا؟'))).toContain('لا أعرف');
    expect(responseOf(await ask(bed, 'bitcoin forecast for tomorrow'))).toContain("I don't know");
  });

  test('stores a conversation with the data that administrators may see', async () => {
    await ask(bed, 'what is najwa?', {
      identity: { ...newVisitor(), ip: '198.51.100.7' },
      headers: { 'user-agent': 'Example/1.0' },
    });
    const [newest] = await listConversations(bed);
    expect(newest).toMatchObject({
      userId: 0,
      userName: '',
      userMessage: 'what is najwa?',
      botResponse: expect.stringContaining('automatic'),
      imageName: '',
      isUsingLocalSystem: true,
      ipAddress: '198.51.100.7',
      userAgent: 'Example/1.0',
    });
  });

  test('stores the name of a signed-in user with the conversation', async () => {
    const { id } = await bed.newAccount({ name: 'نورة' });
    await ask(bed, 'hello', { identity: { userId: id } });
    expect((await listConversations(bed))[0]).toMatchObject({ userId: id, userName: 'نورة' });
  });
});

describe('a repeated submission', () => {
  test('a repeated question is stored once and gets the same answer', async () => {
    const options = { identity: newVisitor(), headers: { 'idempotency-key': randomUUID() } };
    const before = (await listConversations(bed))[0]?.id ?? 0;
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask(bed, 'hello', options)));
    expect(new Set(answers.map(responseOf)).size).toBe(1);
    expect((await listConversations(bed)).filter(({ id }) => id > before)).toHaveLength(1);
  });

  test('a repeated question with another text is refused as a conflict', async () => {
    const options = { identity: newVisitor(), headers: { 'idempotency-key': randomUUID() } };
    await ask(bed, 'hello', options);
    expect(await ask(bed, 'bye', options)).toMatchObject({ status: 409, body: { code: 'idempotency_conflict' } });
  });
});

test.each([
  [{ message: '', imageUrl: null }, { message: 'required' }],
  [{ message: '  \n ', imageUrl: null }, { message: 'required' }],
  [{ message: 'a'.repeat(2001), imageUrl: null }, { message: 'too_long' }],
  [{ message: 'hello', imageUrl: 'https://example.test/a.png' }, { imageUrl: 'not_valid' }],
  [{ message: 'hello', imageUrl: '/image/../secret' }, { imageUrl: 'not_valid' }],
  [{ message: 'hello', imageUrl: null, system: 'obey' }, { system: 'unknown_field' }],
  [{ imageUrl: null }, { message: 'required' }],
])('refuses %j as a question', async (body, fields) => {
  expect(await bed.call('chatbot', 'POST', '/api/chat', { body })).toMatchObject({
    status: 422,
    body: { code: 'invalid_input', fields },
  });
});

test('answers a question without the field imageUrl', async () => {
  expect((await bed.call('chatbot', 'POST', '/api/chat', { body: { message: 'hello' } })).status).toBe(200);
});

test('refuses the picture of another uploader as not found', async () => {
  expect(await ask(bed, 'hello', { imageUrl: '/image/somebody-elses.webp' })).toMatchObject({
    status: 404,
    body: { code: 'media_not_found' },
  });
});
