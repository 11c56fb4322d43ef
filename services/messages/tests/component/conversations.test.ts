import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { IDENTITY_HEADER, WAY_BACK_HEADER } from '@najwa/common/identity';
import {
  readSample,
  sharedBed,
  uniqueAddress,
  type Answer,
  type Bed,
  type BedAccount,
  type CallerIdentity,
} from '@najwa/testing';
import type { Connection } from 'mongoose';
import { eraseAccount } from '../../src/account/erasure.js';
import { openReplica } from '../support/replica.js';
import { buildVoiceForm, photograph } from '../support/submissions.js';

let bed: Bed;
let database: Connection;
let owner: BedAccount;

interface Sent {
  id: number;
  ornament: string;
  wayBack?: string;
}

interface Turn {
  id: number;
  from: 'sender' | 'recipient';
  content: string;
  imageUrl: string | null;
  audioUrl: string | null;
  ornament: string | null;
}

interface View {
  canWrite: boolean;
  canDelete: boolean;
  hasEnded: boolean;
  content: string;
  turns: Turn[];
}

interface Received {
  id: number;
  conversationId: number | null;
  hasEnded?: true;
}

const MODERATOR: CallerIdentity = { userId: 1_000_001, isModerator: true };
const ADMINISTRATOR: CallerIdentity = { userId: 1_000_002, isAdmin: true };
const REASON = 'يشرح الرسالة';
const GONE = [404, 'message_not_found'];
const NOT_YOUR_TURN = [409, 'not_your_turn'];
const ENDED = [409, 'conversation_ended'];

beforeAll(async () => {
  bed = await sharedBed();
  database = await bed.openDatabase('messages');
});

beforeEach(async () => {
  owner = await bed.newAccount();
});

afterAll(async () => {
  await database.close();
});

const newVisitor = (): CallerIdentity => ({ visitorId: randomUUID(), ip: uniqueAddress() });

const as = (identity: CallerIdentity, method: string, path: string, body?: object, headers = {}): Promise<Answer> =>
  bed.call(path.startsWith('/api/admin') ? 'admin' : 'messages', method, path, {
    identity,
    headers,
    ...(body && { body }),
  });

const asOwner = (method: string, path: string, body?: object): Promise<Answer> =>
  as(owner.identity, method, path, body);

const codeOf = ({ status, body }: Answer) => [status, (body as { code?: string } | null)?.code];
const tokenOf = ({ wayBack = '' }: Sent): string => wayBack.slice('/r/'.length);
const send = async (identity = newVisitor(), content = 'أوّل'): Promise<Sent> =>
  (await bed.sendMessage(owner.id, { content }, { identity })) as unknown as Sent;
const answer = (id: number, content = 'جواب'): Promise<Answer> =>
  asOwner('POST', '/api/replies', { messageId: id, content });
const open = async (sent: Sent): Promise<View> =>
  (await as(newVisitor(), 'GET', `/api/ways-back/${tokenOf(sent)}`)).body as View;
const follow = (sent: Sent, content: string, identity = newVisitor(), headers = {}): Promise<Answer> =>
  as(identity, 'POST', `/api/ways-back/${tokenOf(sent)}/messages`, { content }, headers);
const textsOf = (turns: { from: string; content: string }[]) => turns.map(({ from, content }) => [from, content]);
const received = async (query = ''): Promise<Received[]> =>
  (await asOwner('GET', `/api/messages${query}`)).body as Received[];
/** In the list of sent messages: the ids that another message may follow. */
const writableOf = async ({ identity }: { identity: CallerIdentity }): Promise<number[]> =>
  ((await as(identity, 'GET', '/api/messages/sent')).body as { id: number; canWrite?: true }[])
    .filter(({ canWrite }) => canWrite)
    .map(({ id }) => id);
const conversationIds = async () => (await received()).map(({ conversationId }) => conversationId);
const turnsOf = async (id: number): Promise<Turn[]> =>
  (await asOwner('GET', `/api/messages/${id}/conversation`)).body as Turn[];

/** A message, its answer, and the message after that, from one writer. */
async function converse(identity = newVisitor()): Promise<{ first: Sent; second: Sent }> {
  const first = await send(identity);
  await answer(first.id, 'جواب أوّل');
  const { status, body } = await follow(first, 'ثانٍ', identity);
  expect(status).toBe(201);
  await bed.eventually(async () => expect(await conversationIds()).toEqual([first.id, first.id]));
  return { first, second: body as Sent };
}

describe('a conversation', () => {
  test('goes on with one message for each answer, and both see its turns in order', async () => {
    const first = await send();
    expect(codeOf(await follow(first, 'ثانٍ'))).toEqual(NOT_YOUR_TURN);
    await answer(first.id, 'جواب أوّل');
    expect(await open(first)).toMatchObject({ canWrite: true, canDelete: false });
    const second = (await follow(first, 'ثانٍ')).body as Sent;
    expect(second).not.toHaveProperty('wayBack');
    expect(await open(first)).toMatchObject({ canWrite: false, canDelete: true, content: 'أوّل' });
    expect(codeOf(await follow(first, 'ثالث'))).toEqual(NOT_YOUR_TURN);
    await answer(second.id, 'جواب ثانٍ');
    const { turns } = await open(first);
    const said = [
      ['sender', 'أوّل'],
      ['recipient', 'جواب أوّل'],
      ['sender', 'ثانٍ'],
      ['recipient', 'جواب ثانٍ'],
    ];
    expect(textsOf(turns)).toEqual(said);
    expect(turns.map(({ id, ornament }) => [id, ornament])).toEqual([
      [1, first.ornament],
      [2, null],
      [3, second.ornament],
      [4, null],
    ]);
    for (const { id } of [first, second]) {
      const seen = await turnsOf(id);
      expect(textsOf(seen)).toEqual(said);
      expect([seen[0]?.id, seen[2]?.id]).toEqual([first.id, second.id]);
    }
    expect(first.ornament).not.toBe(second.ornament);
    await bed.eventually(async () => expect(await conversationIds()).toEqual([first.id, first.id]));
  });

  test('takes one of several messages at once, and a retry finds its own', async () => {
    const first = await send();
    await answer(first.id);
    const identity = newVisitor();
    const tries = await Promise.all([
      ...['أ', 'ب', 'ج'].map((content) => follow(first, content)),
      follow(first, 'د', identity, { 'idempotency-key': `turn-${first.id}` }),
    ]);
    expect(tries.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409]);
    expect(await received()).toHaveLength(2);

    await answer((await received())[0]?.id ?? 0);
    const again = () => follow(first, 'هـ', identity, { 'idempotency-key': `next-${first.id}` });
    const answers = [...(await Promise.all([again(), again()])), await again()];
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ body }) => (body as Sent).id)).size).toBe(1);
    expect(await received()).toHaveLength(3);
  });

  test('has the pictures and voices of each turn behind the way back alone', async () => {
    const first = await send();
    await answer(first.id);
    const path = `/api/ways-back/${tokenOf(first)}/messages`;
    const picture = await as(newVisitor(), 'POST', path, { content: 'صورة', imageUrl: await photograph() });
    expect(picture.status).toBe(201);
    await answer((picture.body as Sent).id);
    const form = buildVoiceForm(0, { audio: await readSample('speech-0.3s.webm') });
    form.delete('userId');
    const voice = await bed.call('messages', 'POST', path, { identity: newVisitor(), init: { body: form } });
    expect(voice.status).toBe(201);
    const { turns } = await open(first);
    const identity = await bed.identityToken('messages');
    const read = async (url = '') =>
      (await fetch(`${bed.url('messages')}/api${url}`, { headers: { [IDENTITY_HEADER]: identity } })).status;
    const urls = [turns[2]?.imageUrl ?? '', turns[4]?.audioUrl ?? ''];
    expect(await Promise.all(urls.map(read))).toEqual([200, 200]);
    expect(await Promise.all(urls.map((url) => read(url.replace(/=\d+/, '=1'))))).toEqual([404, 404]);
    const other = await send();
    expect(await Promise.all(urls.map((url) => read(url.replace(tokenOf(first), tokenOf(other)))))).toEqual([404, 404]);
    // The recipient's addresses of the same files are not in it.
    const own = (await turnsOf(first.id)).flatMap(({ imageUrl, audioUrl }) => [imageUrl ?? [], audioUrl ?? []].flat());
    expect(own).toHaveLength(2);
    for (const url of own) expect(JSON.stringify(turns)).not.toContain(url);
  });

  // Threat model: sender-25.
  test('is not that of another message whose sender derived the same token', async () => {
    const token = randomUUID().replaceAll('-', '').slice(0, 22);
    const sent = { userId: owner.id, content: 'أوّل' };
    for (let times = 0; times < 2; times += 1)
      expect((await as(newVisitor(), 'POST', '/api/messages', sent, { [WAY_BACK_HEADER]: token })).status).toBe(201);
    expect(textsOf((await open({ id: 0, ornament: '', wayBack: `/r/${token}` })).turns)).toEqual([['sender', 'أوّل']]);
  });

  test('is read in pages of fifty turns', async () => {
    const first = await send();
    await answer(first.id);
    const messages = database.collection('messages');
    const stored = await messages.findOne({ id: first.id }, { projection: { _id: 0, outbox: 0 } });
    await messages.insertMany(
      Array.from({ length: 27 }, (_, index) => ({
        ...stored,
        id: 2_000_000_000 + first.id * 30 + index,
        submission: { key: `${first.id} ${index}`, content: '' },
        conversation: { id: first.id, sentId: first.id, turn: index + 2 },
        content: `رسالة ${index + 1}`,
        ...(index === 26 && { reply: null }),
      })),
    );
    const { turns } = await open(first);
    expect([turns.length, turns[0]?.id, turns.at(-1)?.id]).toEqual([50, 6, 55]);
    const earlier = await as(newVisitor(), 'GET', `/api/ways-back/${tokenOf(first)}?before=6`);
    expect((earlier.body as View).turns.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
    const page = await asOwner('GET', `/api/messages/${first.id}/conversation`);
    expect(page.body).toHaveLength(49);
    expect(textsOf(page.body as Turn[]).at(-1)).toEqual(['sender', 'رسالة 27']);
    const next = /<([^>]+)>/.exec(page.headers.get('link') ?? '')?.[1] ?? '';
    const rest = await asOwner('GET', next);
    expect(textsOf(rest.body as Turn[])[0]).toEqual(['sender', 'أوّل']);
    expect([(rest.body as Turn[]).length, rest.headers.get('link')]).toEqual([6, null]);
  });

  test('names the field of a fault', async () => {
    const first = await send();
    await answer(first.id);
    const path = `/api/ways-back/${tokenOf(first)}/messages`;
    expect(await as(newVisitor(), 'POST', path, { content: ' ' })).toMatchObject({
      status: 422,
      body: { fields: { content: 'required' } },
    });
    const form = buildVoiceForm(0, { audio: null });
    form.delete('userId');
    expect(await bed.call('messages', 'POST', path, { identity: newVisitor(), init: { body: form } })).toMatchObject({
      status: 422,
      body: { fields: { audio: 'required' } },
    });
    expect(
      codeOf(await as(newVisitor(), 'POST', `/api/ways-back/${'A'.repeat(22)}/messages`, { content: 'ن' })),
    ).toEqual(GONE);
    expect((await open(first)).canWrite).toBe(true);
  });
});

describe('a message that is set aside', () => {
  const reasons: [string, (sender: CallerIdentity, first: Sent) => Promise<CallerIdentity>][] = [
    [
      'blocked',
      async (sender, { id: messageId }) => {
        await asOwner('POST', '/api/blocks', { messageId });
        return sender;
      },
    ],
    [
      'blocked, from another device',
      async (_sender, { id: messageId }) => {
        await asOwner('POST', '/api/blocks', { messageId });
        return newVisitor();
      },
    ],
    [
      'filtered',
      async (sender) => {
        await asOwner('PUT', '/api/filters', { words: ['ثانٍ'], lists: [] });
        return sender;
      },
    ],
    [
      'held',
      async (_sender, { id: messageId }) => {
        const { body } = await asOwner('POST', '/api/reports', { messageId, reason: 'threat' });
        const blocked = await as(ADMINISTRATOR, 'POST', `/api/admin/reports/${(body as Sent).id}/actions`, {
          action: 'block',
          reason: REASON,
        });
        expect(blocked.status).toBe(201);
        return newVisitor();
      },
    ],
  ];

  // Threat model: sender-24.
  test.each(reasons)('takes its turn and looks unread: %s', async (reason, prepare) => {
    const sender = newVisitor();
    const first = await send(sender);
    await answer(first.id, 'جواب أوّل');
    const writer = await prepare(sender, first);
    const usual = await send();
    await answer(usual.id, 'جواب أوّل');
    const seen = await Promise.all(
      [
        [first, writer],
        [usual, newVisitor()],
      ].map(async ([sent, identity]) => {
        const { status, body, headers } = await follow(sent as Sent, 'ثانٍ', identity as CallerIdentity);
        const { turns, ...view } = (await open(sent as Sent)) as View & Record<string, unknown>;
        return {
          status,
          keys: Object.keys(body as object),
          headers: [...headers.keys()].sort(),
          view: { ...view, createdAt: '', ornament: '', reply: null },
          turns: textsOf(turns),
          refused: codeOf(await follow(sent as Sent, 'ثالث', newVisitor())),
        };
      }),
    );
    // A filter stops both.
    expect(seen[0]).toEqual(seen[1]);
    expect(seen[0]).toMatchObject({ status: 201, refused: NOT_YOUR_TURN, view: { canDelete: true, hasEnded: false } });
    await bed.eventually(async () => expect(await received()).toHaveLength(reason === 'filtered' ? 2 : 3));
    expect((await received()).find(({ id }) => id === first.id)?.conversationId).toBeNull();
    expect(textsOf(await turnsOf(first.id))).toEqual([
      ['sender', 'أوّل'],
      ['recipient', 'جواب أوّل'],
    ]);
  });

  test('joins the conversation when its recipient takes it back', async () => {
    const first = await send();
    await answer(first.id);
    await asOwner('PUT', '/api/filters', { words: ['ثانٍ'], lists: [] });
    const { id } = (await follow(first, 'ثانٍ')).body as Sent;
    expect(await received('?folder=aside')).toMatchObject([{ id, conversationId: first.id }]);
    expect((await asOwner('POST', `/api/messages/${id}/restore`)).status).toBe(200);
    await bed.eventually(async () => expect(await conversationIds()).toEqual([first.id, first.id]));
    await answer(id);
    expect((await open(first)).canWrite).toBe(true);
  });
});

describe('who may write and read', () => {
  // Threat model: sender-25.
  test('an account goes on by its own messages, and no one else does', async () => {
    const [sender, stranger] = [await bed.newAccount(), await bed.newAccount()];
    const first = await send(sender.identity);
    await answer(first.id);
    const path = (id: number) => `/api/messages/${id}/follow-ups`;
    const write = (identity: CallerIdentity, id = first.id) => as(identity, 'POST', path(id), { content: 'ثانٍ' });
    for (const identity of [stranger.identity, owner.identity, MODERATOR, ADMINISTRATOR])
      expect(codeOf(await write(identity))).toEqual(GONE);
    expect(codeOf(await write({}))).toEqual([401, 'not_signed_in']);
    expect(codeOf(await write(sender.identity, 2_000_000_000))).toEqual(GONE);
    expect(codeOf(await write(sender.identity, (await send()).id))).toEqual(GONE);
    expect(await writableOf(sender)).toEqual([first.id]);
    const second = (await write(sender.identity)).body as Sent;
    expect(await writableOf(sender)).toEqual([]);
    expect(codeOf(await write(sender.identity))).toEqual(NOT_YOUR_TURN);
    await answer(second.id);
    expect(await writableOf(sender)).toEqual([second.id]);
    // By a later message of the conversation as well.
    expect((await write(sender.identity, second.id)).status).toBe(201);
    const sent = (await as(sender.identity, 'GET', '/api/messages/sent')).body as { content: string }[];
    expect(sent.map(({ content }) => content)).toEqual(['ثانٍ', 'ثانٍ', 'أوّل']);
    expect((await open(first)).turns).toHaveLength(5);
  });

  test('only its account lists a sent message by its id', async () => {
    const sender = await bed.newAccount();
    const { id } = await send(sender.identity);
    const list = (identity: CallerIdentity) => as(identity, 'GET', `/api/messages/sent?ids=${id},2000000000`);
    expect((await list(sender.identity)).body).toMatchObject([{ id, content: 'أوّل', recipient: { name: 'نورة' } }]);
    for (const identity of [owner.identity, (await bed.newAccount()).identity, MODERATOR, ADMINISTRATOR])
      expect((await list(identity)).body).toEqual([]);
    expect(codeOf(await list({}))).toEqual([401, 'not_signed_in']);
    await as(sender.identity, 'DELETE', `/api/messages/${id}`);
    expect((await list(sender.identity)).body).toEqual([]);
  });

  // Threat model: owner-30.
  test('only the recipient reads and ends a conversation by the id of a message', async () => {
    const sender = await bed.newAccount();
    const stranger = await bed.newAccount();
    const { first, second } = await converse(sender.identity);
    for (const { id } of [first, second])
      for (const identity of [sender.identity, stranger.identity, MODERATOR, ADMINISTRATOR]) {
        expect(codeOf(await as(identity, 'GET', `/api/messages/${id}/conversation`))).toEqual(GONE);
        expect(codeOf(await as(identity, 'POST', `/api/messages/${id}/end`))).toEqual(GONE);
      }
    expect(codeOf(await as({}, 'GET', `/api/messages/${first.id}/conversation`))).toEqual([401, 'not_signed_in']);
    expect(codeOf(await as({}, 'POST', `/api/messages/${first.id}/end`))).toEqual([401, 'not_signed_in']);
    expect((await open(first)).hasEnded).toBe(false);
  });

  // Threat model: owner-30.
  test("the recipient's view of an account's conversation is that of a visitor's", async () => {
    const views = [];
    for (const identity of [newVisitor(), (await bed.newAccount()).identity]) {
      owner = await bed.newAccount();
      const { first } = await converse(identity);
      const listed = await received();
      const nameOf = (id: number) => id - first.id;
      views.push({
        listed: listed.map((message) => [Object.keys(message), message.conversationId === first.id]),
        turns: (await turnsOf(first.id)).map((turn) => [Object.keys(turn), turn.from, turn.content]),
        ids: listed.map(({ id }) => nameOf(id)),
      });
    }
    expect(views[0]).toEqual(views[1]);
  });

  // Threat model: visitor-8.
  test('nothing public ties two messages of a conversation', async () => {
    const { first, second } = await converse();
    const single = await send();
    for (const { id } of [first, second, single]) await asOwner('PATCH', `/api/messages/${id}`, { isPublic: true });
    const { body } = await as(newVisitor(), 'GET', `/api/messages/public/${owner.id}`);
    const published = body as Record<string, unknown>[];
    expect(published).toHaveLength(3);
    for (const message of published) expect(Object.keys(message)).toEqual(Object.keys(published[0] ?? {}));
    expect(JSON.stringify(published)).not.toContain('conversation');
    const one = await as(newVisitor(), 'GET', `/api/messages/${second.id}`);
    expect(JSON.stringify(one.body)).not.toContain('conversation');
  });

  // Threat model: moderator-12.
  test('moderators read the conversation of a reported message after a logged reason', async () => {
    const { second } = await converse();
    const { body } = await asOwner('POST', '/api/reports', { messageId: second.id, reason: 'threat' });
    const { id: reportId } = body as Sent;
    const path = `/api/admin/reports/${reportId}/conversation`;
    const look = (identity: CallerIdentity, reason?: string) => as(identity, 'POST', path, { reason });
    expect(codeOf(await look({}, REASON))).toEqual([401, 'not_signed_in']);
    expect(codeOf(await look(owner.identity, REASON))).toEqual([403, 'not_allowed']);
    expect(await look(MODERATOR)).toMatchObject({ status: 422, body: { fields: { reason: 'required' } } });
    expect(codeOf(await look({ ...owner.identity, isModerator: true }, REASON))).toEqual([404, 'report_not_found']);
    const seen = await look(MODERATOR, REASON);
    expect([seen.status, textsOf(seen.body as Turn[])]).toEqual([
      200,
      [
        ['sender', 'أوّل'],
        ['recipient', 'جواب أوّل'],
        ['sender', 'ثانٍ'],
      ],
    ]);
    const log = (await as(ADMINISTRATOR, 'GET', '/api/admin/audit?limit=1')).body;
    expect(log).toMatchObject([
      { action: 'report.conversation', outcome: 'done', details: { reportId, reason: REASON, turns: 3 } },
    ]);
  });
});

describe('the end of a conversation', () => {
  test('by its recipient shows on both sides, and nothing more is taken', async () => {
    const { first, second } = await converse();
    await answer(second.id);
    for (let times = 0; times < 2; times += 1)
      expect((await asOwner('POST', `/api/messages/${second.id}/end`)).status).toBe(204);
    expect(await open(first)).toMatchObject({ canWrite: false, hasEnded: true });
    expect(codeOf(await follow(first, 'ثالث'))).toEqual(ENDED);
    expect((await received()).map(({ hasEnded }) => hasEnded)).toEqual([true, true]);
  });

  // Threat model: owner-30.
  test('by its sender takes the way back, and its recipient sees only that it ended', async () => {
    const sender = await bed.newAccount();
    const { first, second } = await converse(sender.identity);
    await answer(second.id);
    const path = `/api/ways-back/${tokenOf(first)}`;
    expect((await as(newVisitor(), 'DELETE', `${path}/conversation`)).status).toBe(204);
    for (const [method, end] of [
      ['GET', ''],
      ['DELETE', ''],
      ['DELETE', '/conversation'],
    ] as const)
      expect(codeOf(await as(newVisitor(), method, path + end))).toEqual(GONE);
    expect(codeOf(await follow(first, 'ثالث'))).toEqual(GONE);
    const further = await as(sender.identity, 'POST', `/api/messages/${first.id}/follow-ups`, { content: 'ثالث' });
    expect(codeOf(further)).toEqual(ENDED);
    expect(await writableOf(sender)).toEqual([]);
    expect((await received()).map(({ hasEnded }) => hasEnded)).toEqual([true, true]);
    const stored = await database
      .collection('messages')
      .find({ id: { $in: [first.id, second.id] } })
      .toArray();
    expect(stored.map((document) => 'wayBack' in document)).toEqual([false, false]);
  });

  test('is what a sender meets whose recipient takes no further messages', async () => {
    const { first, second } = await converse();
    await answer(second.id);
    const settings = await asOwner('PATCH', '/api/users/receiving', { conversations: false });
    expect(settings.body).toMatchObject({ conversations: false });
    await bed.eventually(async () => expect(await open(first)).toMatchObject({ canWrite: false, hasEnded: true }));
    expect(codeOf(await follow(first, 'ثالث'))).toEqual(ENDED);
    await asOwner('PATCH', '/api/users/receiving', { conversations: true });
    await bed.eventually(async () => expect((await follow(first, 'ثالث')).status).toBe(201));
  });

  test('comes with the deletion of the last message by its recipient', async () => {
    const { first, second } = await converse();
    expect((await asOwner('DELETE', `/api/messages/${second.id}`)).status).toBe(204);
    expect(await open(first)).toMatchObject({ canWrite: false, hasEnded: true });
    expect(textsOf((await open(first)).turns)).toHaveLength(2);
    expect(codeOf(await follow(first, 'مرة أخرى'))).toEqual(ENDED);
  });

  test('does not come with a deletion that is taken back', async () => {
    const { first, second } = await converse();
    const { body } = await asOwner('POST', '/api/messages/bulk', { ids: [second.id], action: 'delete' });
    expect(await open(first)).toMatchObject({ canWrite: false, hasEnded: false });
    expect(codeOf(await follow(first, 'مرة أخرى'))).toEqual(NOT_YOUR_TURN);
    await asOwner('POST', '/api/messages/undo', { undoToken: (body as { undoToken: string }).undoToken });
    await answer(second.id);
    expect((await follow(first, 'ثالث')).status).toBe(201);
  });

  test('does not come with the deletion of an unread message by its sender, who may then write another', async () => {
    const { first, second } = await converse();
    expect((await as(newVisitor(), 'DELETE', `/api/ways-back/${tokenOf(first)}`)).status).toBe(204);
    expect(await open(first)).toMatchObject({ canWrite: true, hasEnded: false });
    expect((await received()).map(({ id }) => id)).toEqual([first.id]);
    const again = await follow(first, 'بعبارة أخرى');
    expect(again.status).toBe(201);
    expect((again.body as Sent).id).not.toBe(second.id);
  });

  test('leaves the later messages to the way back when the first one is deleted', async () => {
    const { first, second } = await converse();
    await answer(second.id);
    await asOwner('DELETE', `/api/messages/${first.id}`);
    expect(textsOf((await open(first)).turns)).toEqual([
      ['sender', 'ثانٍ'],
      ['recipient', 'جواب'],
    ]);
    expect((await follow(first, 'ثالث')).status).toBe(201);
    expect((await turnsOf(second.id)).map(({ content }) => content)).toEqual(['ثانٍ', 'جواب', 'ثالث']);
  });

  // Threat model: owner-30.
  test('does not show that the account of its sender was deleted', async () => {
    const sender = await bed.newAccount();
    const { first, second } = await converse(sender.identity);
    await answer(second.id);
    const before = [await received(), await turnsOf(first.id)];
    const context = await openReplica(bed);
    await eraseAccount(context, sender.id);
    for (const client of [context.auth, context.media, context.chatbot]) client.close();
    await context.database.close();
    expect(codeOf(await as(newVisitor(), 'GET', `/api/ways-back/${tokenOf(first)}`))).toEqual(GONE);
    expect([await received(), await turnsOf(first.id)]).toEqual(before);
    expect(codeOf(await follow(first, 'ثالث'))).toEqual(GONE);
  });
});
