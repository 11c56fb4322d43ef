import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { unary } from '@najwa/common/grpc';
import { IDENTITY_HEADER } from '@najwa/common/identity';
import { sharedBed, type Bed, type CallerIdentity } from '@najwa/testing';
import { createContext, type ChatbotContext } from '../../src/context.js';
import { sweep } from '../../src/conversations/conversations.js';
import { loadConfig } from '../../src/index.js';
import { ask, listConversations, newVisitor, picture, upload, urlOf, withClient } from './chat-bed.js';

const DAY_MS = 24 * 60 * 60 * 1000;

let bed: Bed;
/** A second replica that serves nothing. */
let replica: ChatbotContext;

beforeAll(async () => {
  bed = await sharedBed();
  replica = await createContext(loadConfig(bed.environmentOf('chatbot')));
  await replica.database.connect();
});

afterAll(async () => {
  replica.media.close();
  replica.auth.close();
  await replica.database.close();
});

async function statusOf(url: string, identity: CallerIdentity): Promise<number> {
  const response = await fetch(`${bed.url('media')}/api${url}`, {
    headers: { [IDENTITY_HEADER]: await bed.identityToken('media', identity) },
  });
  await response.arrayBuffer();
  return response.status;
}

const admin: CallerIdentity = { userId: 1, isAdmin: true };

describe('a picture upload', () => {
  test('an uploaded picture is readable by its uploader and administrators only', async () => {
    const answer = await upload(bed, await picture(), { identity: { userId: 7 } });
    expect(answer).toMatchObject({
      status: 201,
      body: { success: true, image: { url: expect.stringMatching(/^\/image\//) } },
    });
    expect(await statusOf(urlOf(answer), { userId: 7 })).toBe(200);
    expect(await statusOf(urlOf(answer), admin)).toBe(200);
    expect(await statusOf(urlOf(answer), { userId: 8 })).toBe(404);
    expect(await statusOf(urlOf(answer), {})).toBe(404);
  });

  test('an uploaded picture can be used in a question by its uploader only', async () => {
    const identity = newVisitor();
    const imageUrl = urlOf(await upload(bed, await picture(), { identity }));
    expect(await ask(bed, 'hello', { identity: newVisitor(), imageUrl })).toMatchObject({
      status: 404,
      body: { code: 'media_not_found' },
    });
    expect(await ask(bed, 'hello', { identity: { userId: 9 }, imageUrl })).toMatchObject({ status: 404 });
    expect((await ask(bed, 'hello', { identity, imageUrl })).status).toBe(200);
  });

  test('a repeated upload is stored once', async () => {
    const options = { identity: newVisitor(), headers: { 'idempotency-key': randomUUID() } };
    const answers = await Promise.all([1, 2, 3].map(async () => upload(bed, await picture(), options)));
    expect(new Set(answers.map(urlOf)).size).toBe(1);
    expect(await upload(bed, Buffer.concat([await picture(), Buffer.alloc(1)]), options)).toMatchObject({
      status: 409,
      body: { code: 'idempotency_conflict' },
    });
  });

  test('an upload is refused for anything but a picture within the size limit', async () => {
    expect(await upload(bed, Buffer.from('<svg onload="alert(1)"/>'))).toMatchObject({
      status: 422,
      body: { code: 'unsupported_image' },
    });
    expect(await upload(bed, Buffer.alloc(5 * 1024 * 1024 + 1))).toMatchObject({
      status: 413,
      body: { code: 'image_too_large' },
    });
    expect(await upload(bed, await picture(), { field: 'file' })).toMatchObject({
      status: 400,
      body: { code: 'malformed' },
    });
  });

  test.each([
    ['application/json', '{}', 415],
    ['multipart/form-data', 'x', 400],
    ['multipart/form-data; boundary=a', '--a\r\nbroken', 400],
    ['multipart/form-data; boundary=a', '--a--\r\n', 422],
  ])('an upload of type %s with the body %j is refused', async (type, body, status) => {
    expect(
      (await bed.call('chatbot', 'POST', '/api/chat/upload', { init: { body, headers: { 'content-type': type } } }))
        .status,
    ).toBe(status);
  });
});

describe('a picture is removed', () => {
  test('an uploaded picture is removed after a day without a question about it', async () => {
    const unused = urlOf(await upload(bed, await picture(), { identity: { userId: 7 } }));
    const identity = { userId: 7 };
    const used = urlOf(await upload(bed, await picture(), { identity }));
    await ask(bed, 'hello', { identity, imageUrl: used });
    await sweep(replica, new Date(Date.now() + DAY_MS / 2));
    expect([await statusOf(unused, admin), await statusOf(used, admin)]).toEqual([200, 200]);
    await sweep(replica, new Date(Date.now() + 2 * DAY_MS));
    expect([await statusOf(unused, admin), await statusOf(used, admin)]).toEqual([404, 200]);
  });

  test('a picture is removed with its conversation, unless another conversation uses it', async () => {
    const identity = { userId: 7 };
    const imageUrl = urlOf(await upload(bed, await picture(), { identity }));
    await ask(bed, 'one', { identity, imageUrl });
    await ask(bed, 'two', { identity, imageUrl });
    const [two, one] = await listConversations(bed);
    const remove = (id: number) => withClient(bed, (client) => unary(client.deleteConversation.bind(client))({ id }));
    await remove(two?.id ?? 0);
    expect(await statusOf(imageUrl, admin)).toBe(200);
    await remove(one?.id ?? 0);
    expect(await statusOf(imageUrl, admin)).toBe(404);
    await expect(remove(one?.id ?? 0)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('pictures are removed with all conversations', async () => {
    const identity = { userId: 7 };
    const deleteAll = () => withClient(bed, (client) => unary(client.deleteAllConversations.bind(client))({}));
    await deleteAll();
    const imageUrl = urlOf(await upload(bed, await picture(), { identity }));
    for (const message of ['one', 'two']) await ask(bed, message, { identity, imageUrl });
    expect(await deleteAll()).toMatchObject({ deleted: 2 });
    expect(await listConversations(bed)).toEqual([]);
    expect(await statusOf(imageUrl, admin)).toBe(404);
  });
});

test('a picture kept with its conversation does not lead to an address', async () => {
  const identity: CallerIdentity = { ...newVisitor(), visitorByAddress: true };
  const imageUrl = urlOf(await upload(bed, await picture(), { identity }));
  expect((await ask(bed, 'one', { identity, imageUrl })).status).toBe(200);
  await sweep(replica, new Date(Date.now() + 2 * DAY_MS));
  expect(await statusOf(imageUrl, admin)).toBe(200);
  const name = imageUrl.slice('/image/'.length);
  expect(await replica.database.connection.collection('uploads').findOne({ name })).toMatchObject({ caller: '' });
  // A forgotten address identifies no uploader.
  expect((await ask(bed, 'two', { identity, imageUrl })).status).toBe(404);
});

test('address and user agent of a conversation are removed after retention', async () => {
  await ask(bed, 'how long?', {
    identity: { ...newVisitor(), ip: '198.51.100.9' },
    headers: { 'user-agent': 'Example/1.0' },
  });
  await sweep(replica, new Date(Date.now() + 89 * DAY_MS));
  expect((await listConversations(bed))[0]).toMatchObject({ ipAddress: '198.51.100.9', userAgent: 'Example/1.0' });
  await sweep(replica, new Date(Date.now() + 91 * DAY_MS));
  expect((await listConversations(bed))[0]).toMatchObject({ userMessage: 'how long?', ipAddress: '', userAgent: '' });
});
