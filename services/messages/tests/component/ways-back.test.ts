import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { AppError } from '@najwa/common/errors';
import { IDENTITY_HEADER } from '@najwa/common/identity';
import {
  buildMessage,
  readSample,
  sharedBed,
  uniqueAddress,
  type Answer,
  type Bed,
  type BedAccount,
  type CallerIdentity,
} from '@najwa/testing';
import type { Connection } from 'mongoose';
import { loadConfig } from '../../src/config.js';
import { createContext, type MessagesContext } from '../../src/context.js';
import { unsubscribeWayBack } from '../../src/push/subscriptions.js';
import { openWayBack } from '../../src/sender-links/ways-back.js';
import { photograph, sendVoice } from '../support/submissions.js';

let bed: Bed;
let database: Connection;
let owner: BedAccount;

interface Sent {
  id: number;
  ornament: string;
  wayBack: string;
  imageUrl: string | null;
  audioUrl: string | null;
}

beforeAll(async () => {
  bed = await sharedBed();
  database = await bed.openDatabase('messages');
});

beforeEach(async () => {
  owner = await bed.newAccount({ name: 'نورة' });
});

afterAll(async () => {
  await database.close();
});

const asOwner = (method: string, path: string, body?: object): Promise<Answer> =>
  bed.call('messages', method, path, { identity: owner.identity, ...(body && { body }) });

const newVisitor = (): CallerIdentity => ({ visitorId: randomUUID() });

async function send(identity = newVisitor(), changes: { imageUrl?: string; userId?: number } = {}): Promise<Sent> {
  return (await bed.sendMessage(changes.userId ?? owner.id, changes, { identity })) as unknown as Sent;
}

const pathOf = ({ wayBack }: Pick<Sent, 'wayBack'>): string => `/api/ways-back${wayBack.slice('/r'.length)}`;
const open = (sent: Pick<Sent, 'wayBack'>): Promise<Answer> => bed.call('messages', 'GET', pathOf(sent));
const remove = (sent: Sent): Promise<Answer> => bed.call('messages', 'DELETE', pathOf(sent));
const codeOf = ({ status, body }: Answer) => [status, (body as { code?: string } | null)?.code];
const GONE = [404, 'message_not_found'];

const idsIn = async (path: string): Promise<number[]> =>
  ((await asOwner('GET', path)).body as { id: number }[]).map(({ id }) => id);

async function hideReading(): Promise<void> {
  await bed.call('messages', 'PATCH', '/api/users/receiving', {
    identity: owner.identity,
    body: { readReceipts: false },
  });
}

describe('the answer to a message', () => {
  test('returns the way back in the first response only', async () => {
    const identity = newVisitor();
    const submit = () =>
      bed.call('messages', 'POST', '/api/messages', {
        identity,
        headers: { 'idempotency-key': `way-back-${owner.id}` },
        body: buildMessage(owner.id),
      });
    const answers = [...(await Promise.all([submit(), submit(), submit()])), await submit()];
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    const ways = answers.flatMap(({ body }) => (body as Partial<Sent>).wayBack ?? []);
    expect(ways).toEqual([expect.stringMatching(/^\/r\/[\w-]{22}$/)]);
    expect((await open({ wayBack: ways[0] ?? '' })).status).toBe(200);
  });

  // Threat model: owner-15.
  test('a voice message has a way back as well, which its recipient finds in no list', async () => {
    const voice = await sendVoice(bed, owner.id, { audio: await readSample('speech-0.3s.webm') });
    expect((voice.body as Sent).wayBack).toMatch(/^\/r\/[\w-]{22}$/);
    expect(JSON.stringify((await asOwner('GET', '/api/messages')).body)).not.toMatch(/wayBack|ways-back|\/r\//);
  });
});

describe('a way back', () => {
  test('a way back shows the message to the holder of its token, step by step', async () => {
    const sent = await send();
    const created = (await open(sent)).body as { createdAt: string; turns: object[] };
    const { createdAt } = created;
    expect(created).toEqual({
      recipient: { id: owner.id, username: owner.username, name: 'نورة', avatar: null },
      ornament: sent.ornament,
      content: 'رسالة',
      imageUrl: null,
      audioUrl: null,
      audioDuration: null,
      audioPeaks: null,
      createdAt: expect.any(String),
      isRead: false,
      isPublic: false,
      reply: null,
      canDelete: true,
      turns: [
        {
          id: 1,
          from: 'sender',
          content: 'رسالة',
          ornament: sent.ornament,
          createdAt,
          imageUrl: null,
          audioUrl: null,
          audioDuration: null,
          audioPeaks: null,
        },
      ],
      isLastRead: false,
      canWrite: false,
      hasEnded: false,
    });
    await asOwner('PATCH', `/api/messages/${sent.id}`, { isRead: true });
    expect((await open(sent)).body).toEqual({ ...created, isRead: true, isLastRead: true, canDelete: false });
    await asOwner('POST', '/api/replies', { messageId: sent.id, content: 'جواب' });
    await asOwner('PATCH', `/api/messages/${sent.id}`, { isPublic: true });
    const reply = { content: 'جواب', createdAt: expect.any(String) };
    const turns = [...created.turns, expect.objectContaining({ id: 2, from: 'recipient', ...reply })];
    expect((await open(sent)).body).toEqual({
      ...created,
      isRead: true,
      isPublic: true,
      canDelete: false,
      reply,
      turns,
      isLastRead: true,
      canWrite: true,
    });
  });

  // Threat model: thief-5.
  test('a way back is stored as a hash alone', async () => {
    const { id, wayBack } = await send();
    const stored = await database.collection('messages').findOne({ id });
    const token = wayBack.slice('/r/'.length);
    expect(stored?.['wayBack']).toBe(createHash('sha256').update(token).digest('base64url'));
    expect(JSON.stringify(stored)).not.toContain(token);
  });

  // Threat model: sender-9, sender-11.
  test('a way back returns one 404 for unknown, malformed and deleted links', async () => {
    const sent = await send();
    await asOwner('DELETE', `/api/messages/${sent.id}`);
    const ways = [sent.wayBack, `/r/${'A'.repeat(22)}`, sent.wayBack.slice(0, -1), `${sent.wayBack}A`, '/r/%24ne'];
    const answers = await Promise.all(ways.map((wayBack) => open({ ...sent, wayBack })));
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
    expect(answers.map(codeOf)).toEqual(ways.map(() => GONE));
    expect(codeOf(await remove(sent))).toEqual(GONE);
  });

  test('a way back shows the picture and plays the sound while they are private', async () => {
    const picture = await send(newVisitor(), { imageUrl: await photograph() });
    const voice = (await sendVoice(bed, owner.id, { audio: await readSample('speech-0.3s.webm') })).body as Sent;
    const [imageName, audioName] = [picture.imageUrl, voice.audioUrl].map((url) => url?.split('/').at(-1) ?? '');
    const shown = [(await open(picture)).body, (await open(voice)).body] as Pick<Sent, 'imageUrl' | 'audioUrl'>[];
    // The recipient's addresses of the same files are not in them.
    expect(JSON.stringify(shown)).not.toContain(imageName);
    expect(JSON.stringify(shown)).not.toContain(audioName);

    const identity = await bed.identityToken('messages');
    const read = (url: string | null | undefined, headers: Record<string, string> = {}) =>
      fetch(`${bed.url('messages')}/api${url}`, { headers: { [IDENTITY_HEADER]: identity, ...headers } });
    const image = await bed.call('messages', 'GET', `/api${shown[0]?.imageUrl}`);
    expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/webp']);
    const sound = await read(shown[1]?.audioUrl);
    expect([sound.status, sound.headers.get('content-type')]).toEqual([200, 'audio/mp4']);
    const bytes = Buffer.from(await sound.arrayBuffer());
    const part = await read(shown[1]?.audioUrl, { range: 'bytes=10-19' });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 10-19/${bytes.length}`]);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(10, 20));
    expect((await read(shown[1]?.audioUrl, { range: `bytes=${bytes.length}-` })).status).toBe(416);
    for (const { headers } of [image, sound, part]) expect(headers.get('cache-control')).toBe('no-store');
    for (const url of [picture.imageUrl, voice.audioUrl])
      expect((await bed.call('media', 'GET', `/api${url}`)).status).toBe(404);

    const wrong = await read(shown[0]?.imageUrl?.replace('image', 'audio'));
    expect([wrong.status, ((await wrong.json()) as { code: string }).code]).toEqual([404, 'media_not_found']);
    await asOwner('DELETE', `/api/messages/${picture.id}`);
    expect((await read(shown[0]?.imageUrl)).status).toBe(404);
  });
});

describe('deleting through the way back', () => {
  test('deleting by way back removes an unread message for everyone, with its file and tracking record', async () => {
    const sent = await send(newVisitor(), { imageUrl: await photograph() });
    const kept = await send();
    const tracked = async () => (await bed.listTracking({ limit: 50 })).map(({ messageId }) => messageId);
    await bed.eventually(async () => expect(await tracked()).toContain(sent.id));
    expect((await remove(sent)).status).toBe(204);
    expect(await idsIn('/api/messages')).toEqual([kept.id]);
    expect((await asOwner('GET', '/api/messages/stats')).body).toMatchObject({ received: 1, unread: 1 });
    expect(codeOf(await asOwner('PATCH', `/api/messages/${sent.id}`, { isRead: true }))).toEqual(GONE);
    const picture = await bed.call('media', 'GET', `/api${sent.imageUrl}`, { identity: owner.identity });
    expect(picture.status).toBe(404);
    await bed.eventually(async () => expect(await tracked()).not.toContain(sent.id));
    expect([codeOf(await open(sent)), codeOf(await remove(sent))]).toEqual([GONE, GONE]);
  });

  test("deleting by way back removes the message from the sender's list", async () => {
    const { identity } = await bed.newAccount();
    const sent = await send(identity);
    expect((await remove(sent)).status).toBe(204);
    expect((await bed.call('messages', 'GET', '/api/messages/sent', { identity })).body).toEqual([]);
    expect((await bed.call('messages', 'GET', '/api/messages/stats', { identity })).body).toMatchObject({ sent: 0 });
  });

  test.each<[string, (id: number) => Promise<Answer>]>([
    ['read', (id) => asOwner('PATCH', `/api/messages/${id}`, { isRead: true })],
    ['published', (id) => asOwner('PATCH', `/api/messages/${id}`, { isPublic: true })],
    ['answered', (id) => asOwner('POST', '/api/replies', { messageId: id, content: 'جواب' })],
  ])('deleting by way back is refused once the message is %s', async (_state, change) => {
    const sent = await send();
    expect((await change(sent.id)).status).toBeLessThan(300);
    expect(codeOf(await remove(sent))).toEqual([409, 'already_read']);
    expect(await idsIn('/api/messages')).toEqual([sent.id]);
  });

  test('deleting by way back concurrent with reading either succeeds or was too late', async () => {
    for (let round = 0; round < 10; round += 1) {
      const sent = await send();
      const [read, removed] = await Promise.all([
        asOwner('PATCH', `/api/messages/${sent.id}`, { isRead: true }),
        remove(sent),
      ]);
      expect([
        [200, 409],
        [404, 204],
      ]).toContainEqual([read.status, removed.status]);
      expect(await idsIn('/api/messages')).toEqual(removed.status === 204 ? [] : [sent.id]);
      await asOwner('DELETE', `/api/messages/${sent.id}`);
    }
  });

  test('deleting by way back leaves a reported message with its picture to the moderators', async () => {
    const sent = await send(newVisitor(), { imageUrl: await photograph() });
    await asOwner('POST', '/api/reports', { messageId: sent.id, reason: 'threat' });
    expect((await remove(sent)).status).toBe(204);
    const moderator = { userId: 1_000_001, isModerator: true };
    const queue = await bed.call('admin', 'GET', '/api/admin/reports?limit=100', { identity: moderator });
    const reported = (queue.body as { message: { imageUrl: string | null } }[]).map(({ message }) => message.imageUrl);
    expect(reported).toContain(sent.imageUrl);
    const seeing = async (identity: CallerIdentity) =>
      (await bed.call('media', 'GET', `/api${sent.imageUrl}`, { identity })).status;
    await bed.eventually(async () =>
      expect([await seeing(owner.identity), await seeing(moderator)]).toEqual([404, 200]),
    );
  });
});

describe('where the recipient does not tell of reading', () => {
  // Threat model: sender-8.
  test('without read receipts, a way back deletes for ten minutes and reveals no reading', async () => {
    await hideReading();
    const [unread, read] = [await send(), await send()];
    await asOwner('PATCH', `/api/messages/${read.id}`, { isRead: true });
    const view = async (sent: Sent) => ({
      ...((await open(sent)).body as object),
      ornament: '',
      createdAt: '',
      turns: [],
    });
    await bed.eventually(async () => expect(await view(unread)).toMatchObject({ isRead: null, canDelete: true }));
    expect(await view(read)).toEqual(await view(unread));

    const tenMinutesAgo = new Date(Date.now() - 10 * 60_000 - 1);
    const late = [await send(), await send()];
    await asOwner('PATCH', `/api/messages/${late[0]?.id}`, { isRead: true });
    await database
      .collection('messages')
      .updateMany({ id: { $in: late.map(({ id }) => id) } }, { $set: { createdAt: tenMinutesAgo } });
    for (const sent of late) {
      expect(await view(sent)).toMatchObject({ isRead: null, canDelete: false });
      expect(codeOf(await remove(sent))).toEqual([409, 'too_late']);
    }
    for (const sent of [unread, read]) expect((await remove(sent)).status).toBe(204);
    expect(await idsIn('/api/messages')).toEqual(late.map(({ id }) => id).reverse());
  });
});

describe('the way back of a message that was set aside', () => {
  const setAside: [string, () => Promise<Sent>][] = [
    [
      'blocked',
      async () => {
        const identity = newVisitor();
        await asOwner('POST', '/api/blocks', { messageId: (await send(identity)).id });
        return send(identity);
      },
    ],
    [
      'filtered',
      async () => {
        await asOwner('PUT', '/api/filters', { words: ['رسالة'], lists: [] });
        return send();
      },
    ],
    [
      'filtered later',
      async () => {
        const sent = await send();
        await asOwner('PUT', '/api/filters', { words: ['رسالة'], lists: [] });
        return sent;
      },
    ],
    [
      'suspended',
      async () => {
        const { identity } = await bed.newAccount();
        const { id: messageId } = await send(identity);
        const { body } = await asOwner('POST', '/api/reports', { messageId, reason: 'threat' });
        const decided = await bed.call('admin', 'POST', `/api/admin/reports/${(body as Sent).id}/actions`, {
          identity: { userId: 1_000_002, isAdmin: true },
          body: { action: 'suspend', reason: 'سبب' },
        });
        expect(decided.status).toBe(201);
        return send(identity);
      },
    ],
  ];

  // Threat model: sender-5.
  test.each(setAside)('a way back shows a message set aside as unread and deletes it: %s', async (_why, prepare) => {
    const view = async (sent: Sent) => {
      const { status, body, headers } = await open(sent);
      return {
        status,
        body: { ...(body as object), ornament: '', createdAt: '', turns: [] },
        headers: [...headers.keys()].sort(),
      };
    };
    const ordinary = await view(await send());
    const sent = await prepare();
    expect(await idsIn('/api/messages')).not.toContain(sent.id);
    expect(await view(sent)).toEqual(ordinary);
    // Nor does it show that the recipient emptied the folder.
    await asOwner('DELETE', '/api/messages?folder=aside');
    expect(await idsIn('/api/messages?folder=aside')).toEqual([]);
    expect(await view(sent)).toEqual(ordinary);
    expect((await remove(sent)).status).toBe(204);
    expect(codeOf(await open(sent))).toEqual(GONE);
  });

  test('the way back of a message set aside deletes it from the folder', async () => {
    const identity = newVisitor();
    await asOwner('POST', '/api/blocks', { messageId: (await send(identity)).id });
    const sent = await send(identity);
    expect(await idsIn('/api/messages?folder=aside')).toEqual([sent.id]);
    expect((await remove(sent)).status).toBe(204);
    expect(await idsIn('/api/messages?folder=aside')).toEqual([]);
    expect(codeOf(await asOwner('POST', `/api/messages/${sent.id}/restore`))).toEqual(GONE);
  });
});

describe('with limits', () => {
  /** As a process whose limits are low. */
  let context: MessagesContext;

  beforeAll(async () => {
    const limits = { RATE_LIMIT_SCALE: '1', WAY_BACK_LIMIT: '3/600', PUSH_LIMIT: '1/600' };
    context = await createContext(loadConfig({ ...bed.environmentOf('messages'), ...limits }));
    await context.database.connect();
  });

  afterAll(async () => {
    context.auth.close();
    await context.database.close();
  });

  const newToken = async (): Promise<string> => (await send()).wayBack.slice('/r/'.length);
  const resultOf = (call: Promise<unknown>): Promise<string> =>
    call.then(
      () => 'done',
      ({ code }: AppError) => code,
    );

  // Threat model: owner-28.
  test('opening a way back uses up its own limit, and none that a neighbour could notice', async () => {
    const [token, guess] = [await newToken(), randomBytes(16).toString('base64url')];
    const network = uniqueAddress();
    const openFromThere = (way: string) => resultOf(openWayBack(context, context.limits, { token: way, network }));
    const results = [];
    for (const way of [token, token, token, token, guess]) results.push(await openFromThere(way));
    expect(results).toEqual(['done', 'done', 'done', 'too_many_requests', 'message_not_found']);
  });

  test('a way back changes only so many subscriptions', async () => {
    const [token, other] = [await newToken(), await newToken()];
    const results = [];
    for (const way of [token, token, other]) {
      const caller = { token: way, network: uniqueAddress() };
      results.push(await resultOf(unsubscribeWayBack(context, context.limits, caller, 'unknown')));
    }
    expect(results).toEqual(['not_found', 'too_many_requests', 'not_found']);
  });
});
