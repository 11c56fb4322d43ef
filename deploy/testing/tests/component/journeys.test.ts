import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import {
  dataUrl,
  readSample,
  sharedBed,
  startGateway,
  type Bed,
  type BedAccount,
  type BedGateway,
} from '@najwa/testing';
import { cookieNameOf } from '@najwa/proto/http/client';

let bed: Bed;
let gateway: BedGateway;
let owner: BedAccount;

beforeAll(async () => {
  bed = await sharedBed();
  gateway = await startGateway(bed);
});

beforeEach(async () => {
  owner = await bed.newAccount();
});

afterAll(() => gateway.stop());

interface Message {
  id: number;
  content: string;
  imageUrl: string | null;
  audioUrl: string | null;
  wayBack: string;
}

/** As a browser does: a visitor's, or an account's with its session. */
async function call<Body>(method: string, path: string, body?: object, account?: BedAccount) {
  const isForm = body instanceof FormData;
  const answer = await fetch(`${gateway.origin}${path}`, {
    method,
    headers: {
      'x-requested-with': 'XMLHttpRequest',
      ...(body && !isForm && { 'content-type': 'application/json' }),
      ...(account && { cookie: `${cookieNameOf('session', false)}=${account.token}` }),
    },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  });
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
  return { status: answer.status, body: (isJson ? await answer.json() : await answer.blob()) as Body };
}

async function send(changes: object = {}): Promise<Message> {
  const { status, body } = await call<Message>('POST', '/api/messages', {
    userId: owner.id,
    content: 'كلمة',
    ...changes,
  });
  expect(status).toBe(201);
  return body;
}

const publish = (id: number) => call('PATCH', `/api/messages/${id}`, { isPublic: true }, owner);

/** Waits until strangers get an answer of this status. */
const untilOpen = (path: string, expected: number): Promise<void> =>
  bed.eventually(async () => expect((await call('GET', path)).status).toBe(expected));

test('a text arrives, is answered, and its way back shows the reply until it is deleted', async () => {
  const { id, wayBack } = await send();
  const inbox = await call<Message[]>('GET', '/api/messages', undefined, owner);
  expect(inbox.body).toMatchObject([{ id, content: 'كلمة', isRead: false }]);
  expect(JSON.stringify(inbox.body)).not.toMatch(/sender|ipAddress|userAgent|127\.0\.0\.1/i);
  expect((await call('POST', '/api/replies', { messageId: id, content: 'شكرًا' }, owner)).status).toBe(201);
  const path = `/api/ways-back${wayBack.slice('/r'.length)}`;
  expect((await call('GET', path)).body).toMatchObject({ content: 'كلمة', reply: { content: 'شكرًا' } });
  expect((await call('DELETE', `/api/messages/${id}`, undefined, owner)).status).toBe(204);
  await untilOpen(path, 404);
});

test('a picture is private to its owner until its message is published', async () => {
  const imageUrl = dataUrl(await readSample('photo-gps.jpg'), 'image/jpeg');
  const message = await send({ imageUrl });
  const path = `/api${message.imageUrl}`;
  expect([(await call('GET', path, undefined, owner)).status, (await call('GET', path)).status]).toEqual([200, 404]);
  await publish(message.id);
  await untilOpen(path, 200);
});

test('a voice is altered, and is private to its owner until its message is published', async () => {
  const recording = await readSample('speech-ar-1.webm');
  const form = new FormData();
  form.set('audio', new File([new Uint8Array(recording)], 'recording.webm', { type: 'audio/webm' }));
  for (const [name, value] of Object.entries({ userId: String(owner.id), duration: '4', voiceType: 'female' }))
    form.set(name, value);
  const { status, body } = await call<Message>('POST', '/api/audio/upload', form);
  expect(status).toBe(201);
  const path = `/api${body.audioUrl}`;
  const heard = await call<Blob>('GET', path, undefined, owner);
  expect([heard.status, heard.body.type, (await call('GET', path)).status]).toEqual([200, 'audio/mp4', 404]);
  expect(Buffer.from(await heard.body.arrayBuffer()).includes(recording.subarray(-1_000))).toBe(false);
  await publish(body.id);
  await untilOpen(path, 200);
});

test('a reported message is removed by a moderator, and its reporter sees the outcome', async () => {
  const { id } = await send();
  await publish(id);
  const path = `/api/messages/public/${owner.id}`;
  await bed.eventually(async () => expect((await call('GET', path)).body).toMatchObject([{ id }]));
  const { body } = await call<{ id: number }>('POST', '/api/reports', { messageId: id, reason: 'threat' }, owner);
  const action = await bed.call('admin', 'POST', `/api/admin/reports/${body.id}/actions`, {
    identity: { userId: 1_000_001, isModerator: true },
    body: { action: 'remove', reason: 'تهديد صريح' },
  });
  expect(action.status).toBe(201);
  await bed.eventually(async () => {
    expect((await call('GET', path)).body).toEqual([]);
    expect((await call('GET', '/api/reports', undefined, owner)).body).toMatchObject([{ outcome: 'removed' }]);
  });
});

test('an account that is closed is gone for strangers, and comes back when its owner keeps it', async () => {
  const path = `/api/users/${owner.username}`;
  expect((await call('GET', path)).status).toBe(200);
  expect((await call('POST', '/api/account/deletion', { password: owner.password }, owner)).status).toBe(202);
  await untilOpen(path, 404);
  expect((await call('DELETE', '/api/account/deletion', undefined, owner)).status).toBe(204);
  await untilOpen(path, 200);
});
