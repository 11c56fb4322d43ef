import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { LIMITS } from '@najwa/proto/http';
import { readSample, type Answer, type CallerIdentity } from '@najwa/testing';
import { eraseAccount } from '../../src/account/erasure.js';
import { loadConfig } from '../../src/config.js';
import { createContext, type MessagesContext } from '../../src/context.js';
import { deliverDue, sweepReports } from '../../src/moderation/decisions.js';
import {
  act,
  as,
  bed,
  idsIn,
  newVisitor,
  owner,
  publish,
  report,
  send,
  sender,
  useReportBed,
} from '../support/reports.js';
import { buildVoiceForm, photograph } from '../support/submissions.js';

useReportBed();

interface Sent {
  id?: number;
  ornament: string;
  arrivesBy?: string;
  wayBack: string;
}

interface Listed extends Sent {
  id: number;
  content: string;
  createdAt: string;
}

const HOURS_MS = LIMITS.laterHours * 60 * 60 * 1000;

/** Each is as a process of its own. */
let replicas: MessagesContext[];

beforeAll(async () => {
  const config = loadConfig(bed.environmentOf('messages'));
  replicas = await Promise.all([createContext(config), createContext(config)]);
  for (const { database } of replicas) await database.connect();
});

afterAll(async () => {
  for (const { database, deliveries } of replicas) {
    deliveries.stop();
    await database.close();
  }
});

const sendLater = async (from = sender.identity as CallerIdentity, body = {}, key = randomUUID()): Promise<Answer> =>
  bed.call('messages', 'POST', '/api/messages', {
    identity: from,
    headers: { 'idempotency-key': key },
    body: { userId: owner.id, content: 'تصل لاحقًا', later: true, ...body },
  });

/** Its time comes, and every process sees it. */
async function arrive(): Promise<void> {
  const due = { 'aside.reason': 'later', userId: { $in: [-owner.id, -sender.id] } };
  await replicas[0]?.messages.collection.updateMany(due, { $set: { 'aside.deliverAt': new Date(1) } });
  await Promise.all(replicas.map((replica) => deliverDue(replica, new Date())));
}

const list = async (path = '/api/messages', { identity } = owner): Promise<Listed[]> =>
  (await as(identity, 'GET', path)).body as Listed[];
const sentList = () => list('/api/messages/sent', sender);
const tokenPath = ({ body }: Answer): string => `/api/ways-back/${(body as Sent).wayBack.replace('/r/', '')}`;
const open = async (answer: Answer) => (await as(newVisitor(), 'GET', tokenPath(answer))).body;
const receive = (from: string) => as(owner.identity, 'PATCH', '/api/users/receiving', { from });

/** All that its recipient can ask for without knowing it. */
const ownerSees = async () => ({
  inbox: await list(),
  aside: await list('/api/messages?folder=aside'),
  found: await list('/api/messages?q=تصل'),
  ...((await as(owner.identity, 'GET', '/api/messages/stats')).body as object),
  ...((await as(owner.identity, 'GET', '/api/notifications/count')).body as object),
});

describe('a message that comes later', () => {
  // Threat model: owner-31.
  test('shows its recipient nothing until it comes, once, as one that is sent then', async () => {
    const before = await ownerSees();
    const key = randomUUID();
    const answer = await sendLater(sender.identity, { imageUrl: await photograph() }, key);
    const { wayBack: _wayBack, ...sent } = answer.body as Sent;
    expect(answer.status).toBe(201);
    expect(sent).not.toHaveProperty('id');
    const left = Date.parse(sent.arrivesBy ?? '') - Date.now();
    expect(left).toBeGreaterThan(HOURS_MS - 60_000);
    expect(left).toBeLessThanOrEqual(HOURS_MS);
    const next = await send(newVisitor(), owner.id, 'بينهما');
    await as(owner.identity, 'DELETE', `/api/messages/${next.id}`);
    await bed.eventually(async () => expect(await ownerSees()).toEqual(before));
    const [waiting] = await sentList();
    expect(waiting).toMatchObject({ arrivesBy: sent.arrivesBy, ornament: sent.ornament, isRead: false });
    expect(await open(answer)).toMatchObject({ arrivesBy: sent.arrivesBy, canDelete: true, canWrite: false });
    const early = waiting?.id ?? 0;
    for (const [method, path, body] of [
      ['PATCH', `/api/messages/${early}`, { isRead: true }],
      ['DELETE', `/api/messages/${early}`],
      ['GET', `/api/messages/${early}/conversation`],
      ['GET', `/api/replies/${early}`],
      ['POST', '/api/replies', { messageId: early, content: 'ردّ' }],
      ['POST', '/api/blocks', { messageId: early }],
      ['POST', '/api/reports', { messageId: early, reason: 'threat' }],
    ] as const)
      expect([method, path, (await as(owner.identity, method, path, body)).status]).toEqual([method, path, 404]);

    const at = Date.now();
    await arrive();
    await arrive();
    const [message, ...others] = await list();
    expect(others).toEqual([]);
    expect(message).toMatchObject({ content: 'تصل لاحقًا', ornament: sent.ornament, conversationId: null });
    expect(message).not.toHaveProperty('arrivesBy');
    expect(message?.id).toBeGreaterThan(next.id);
    // Two processes brought it, and left no gap.
    const after = await send(newVisitor(), owner.id, 'بعدها');
    expect(after.id).toBe((message?.id ?? 0) + 1);
    await as(owner.identity, 'DELETE', `/api/messages/${after.id}`);
    expect(Date.parse(message?.createdAt ?? '')).toBeGreaterThanOrEqual(at - 60_000);
    await bed.eventually(async () => expect(await ownerSees()).toMatchObject({ received: 1, unread: 1 }));
    // Its sender has the same one by now, and the answer to a repetition is the first one.
    const [known] = await sentList();
    expect(known).toMatchObject({ id: message?.id, ornament: sent.ornament });
    expect(known).not.toHaveProperty('arrivesBy');
    expect((await sendLater(sender.identity, { imageUrl: await photograph() }, key)).body).toEqual(sent);
    await as(owner.identity, 'POST', '/api/replies', { messageId: message?.id, content: 'ردّ' });
    expect(await open(answer)).toMatchObject({ reply: { content: 'ردّ' }, ornament: sent.ornament, canWrite: true });
    expect(await open(answer)).not.toHaveProperty('arrivesBy');
    await publish(message?.id ?? 0);
    expect(await list(`/api/messages/public/${owner.id}`)).toMatchObject([
      { id: message?.id, ornament: sent.ornament },
    ]);
    expect((await as(sender.identity, 'DELETE', `/api/messages/${early}`)).status).toBe(404);
  });

  test('has its time evenly from the hours ahead', async () => {
    for (let index = 0; index < 40; index += 1) await sendLater(newVisitor());
    const stored = await replicas[0]?.messages.collection
      .find<{ aside: { at: Date; deliverAt: Date } }>({ userId: -owner.id })
      .toArray();
    const shares = (stored ?? []).map(({ aside }) => (aside.deliverAt.getTime() - aside.at.getTime()) / HOURS_MS);
    expect(shares).toHaveLength(40);
    expect(Math.min(...shares)).toBeGreaterThan(0);
    expect(Math.max(...shares)).toBeLessThanOrEqual(1.001);
    // By chance in 1 of 10^11 runs.
    expect(shares.some((share) => share < 0.5) && shares.some((share) => share > 0.5)).toBe(true);
  });

  test('can be a voice, whose form says so before or after the recording', async () => {
    for (const order of ['audio first', 'audio last'] as const) {
      const audio = await readSample('speech-0.3s.webm');
      const form = buildVoiceForm(owner.id, { audio, order, fields: { later: 'true' } });
      const answer = await bed.call('messages', 'POST', '/api/audio/upload', {
        identity: newVisitor(),
        init: { body: form },
      });
      expect([answer.status, Object.keys(answer.body as object).includes('arrivesBy')]).toEqual([201, true]);
    }
    expect(await list()).toEqual([]);
    await arrive();
    expect(await list()).toMatchObject([{ content: '' }, { content: '' }]);
  });

  test('is refused with another value than true', async () => {
    expect(await sendLater(sender.identity, { later: 'yes' })).toMatchObject({
      status: 422,
      body: { fields: { later: 'not_a_choice' } },
    });
  });

  test('is judged by the blocks and filters of its arrival, which its sender does not notice', async () => {
    const first = await send(sender.identity, owner.id, 'أولى');
    const [mine, other] = [await sendLater(), await sendLater(newVisitor(), { content: 'فيها مرجان' })];
    await as(owner.identity, 'POST', '/api/blocks', { messageId: first.id });
    await as(owner.identity, 'PATCH', '/api/filters', { words: { add: ['مرجان'] } });
    await arrive();
    expect(await idsIn('/api/messages')).toEqual([first.id]);
    const aside = (await list('/api/messages?folder=aside')) as unknown as { reason: string }[];
    expect(aside.map(({ reason }) => reason).toSorted()).toEqual(['blocked', 'filtered']);
    expect((await sentList())[0]).not.toHaveProperty('arrivesBy');
    for (const answer of [mine, other]) expect(await open(answer)).not.toHaveProperty('arrivesBy');
  });

  test('of an account that was suspended meanwhile looks arrived to it alone', async () => {
    const first = await send(sender.identity, owner.id, 'مؤذية');
    const answer = await sendLater();
    expect((await act(await report(first.id), 'suspend')).status).toBe(201);
    await arrive();
    expect(await idsIn('/api/messages')).toEqual([first.id]);
    expect((await sentList())[0]).not.toHaveProperty('arrivesBy');
    expect(await open(answer)).toMatchObject({ isRead: false, canDelete: true });
  });

  test('waits for a page that takes none, and comes once it takes them', async () => {
    const answer = await sendLater();
    await receive('nobody');
    await arrive();
    expect(await list()).toEqual([]);
    expect(await open(answer)).toHaveProperty('arrivesBy');
    await receive('everyone');
    await arrive();
    expect(await list()).toHaveLength(1);
    await receive('nobody');
    expect((await sendLater()).body).toMatchObject({ code: 'receiving_paused' });
  });

  test('is deleted before it comes by its sender, and by no other', async () => {
    const [byList, byLink] = [await sendLater(), await sendLater(newVisitor())];
    const id = (await sentList())[0]?.id ?? 0;
    const [stranger, visitor] = [await bed.newAccount(), newVisitor()];
    const remove = (who: CallerIdentity) => as(who, 'DELETE', `/api/messages/${id}`);
    expect([(await remove(stranger.identity)).status, (await remove(owner.identity)).status]).toEqual([404, 404]);
    expect((await remove(visitor)).status).toBe(401);
    expect((await remove(sender.identity)).status).toBe(204);
    expect((await as(newVisitor(), 'DELETE', tokenPath(byLink))).status).toBe(204);
    for (const answer of [byList, byLink]) expect((await as(newVisitor(), 'GET', tokenPath(answer))).status).toBe(404);
    expect(await sentList()).toEqual([]);
    await arrive();
    expect(await list()).toEqual([]);
  });

  test('to oneself is deleted from the sent list', async () => {
    await sendLater(sender.identity, { userId: sender.id });
    expect((await as(sender.identity, 'DELETE', `/api/messages/${(await sentList())[0]?.id}`)).status).toBe(204);
    await arrive();
    expect(await list('/api/messages', sender)).toEqual([]);
  });

  test('goes with the account that sent it', async () => {
    await sendLater();
    const [replica] = replicas;
    if (replica === undefined) throw new Error('There are two.');
    await eraseAccount(replica, sender.id);
    await arrive();
    expect(await list()).toEqual([]);
  });

  test('answers no question that is withdrawn by then', async () => {
    const ask = (method: string, path = '', body?: object) =>
      bed.call('auth', method, `/api/prompts${path}`, { identity: owner.identity, ...(body && { body }) });
    const ids: number[] = [];
    for (const content of ['تبقى؟', 'تُسحب؟'])
      ids.push(((await ask('POST', '', { content })).body as { id: number }).id);
    for (const promptId of ids) await sendLater(newVisitor(), { promptId, content: String(promptId) });
    await ask('DELETE', `/${ids[1]}`);
    await bed.eventually(async () =>
      expect(await sendLater(newVisitor(), { promptId: ids[1] })).toMatchObject({ body: { code: 'prompt_not_found' } }),
    );
    await arrive();
    // One that was sent before the withdrawal was known may have arrived as well.
    const arrived = new Map((await list()).map((message) => [message.content, message]));
    const [asked, withdrawn] = ids.map((id) => arrived.get(String(id)));
    expect(asked).toHaveProperty('prompt');
    expect(withdrawn).toBeDefined();
    expect(withdrawn).not.toHaveProperty('prompt');
  });

  test('has a timer again in a process that starts', async () => {
    await sendLater();
    const [replica] = replicas;
    if (replica === undefined) throw new Error('There are two.');
    const due = new Date();
    await replica.messages.collection.updateOne({ userId: -owner.id }, { $set: { 'aside.deliverAt': due } });
    // By this time nothing is due, so the sweep itself brings nothing.
    await sweepReports(replica, new Date(due.getTime() - 1));
    await bed.eventually(async () => expect(await list()).toHaveLength(1));
  });
});

describe('a further message that comes later', () => {
  /** A first message with an answer, and what follows on its way. */
  async function follow() {
    const first = await send(sender.identity, owner.id, 'أوّل');
    await as(owner.identity, 'POST', '/api/replies', { messageId: first.id, content: 'جواب' });
    const path = `/api/messages/${first.id}/follow-ups`;
    const further = () => as(sender.identity, 'POST', path, { content: 'ثانٍ', later: true });
    const answer = await further();
    expect([answer.status, answer.body]).toEqual([201, expect.objectContaining({ arrivesBy: expect.any(String) })]);
    return { first: { ...answer, body: first } as unknown as Answer, id: first.id, further };
  }

  test('takes its turn at once, and shows with its conversation when it comes', async () => {
    const { first, id, further } = await follow();
    expect(await further()).toMatchObject({ status: 409, body: { code: 'not_your_turn' } });
    expect(await open(first)).toMatchObject({ arrivesBy: expect.any(String), canDelete: true, canWrite: false });
    expect(await list()).toMatchObject([{ id, conversationId: null }]);
    expect(await list(`/api/messages/${id}/conversation`)).toHaveLength(2);
    await arrive();
    await bed.eventually(async () =>
      expect(await list()).toMatchObject([
        { content: 'ثانٍ', conversationId: id },
        { id, conversationId: id },
      ]),
    );
    expect(await list(`/api/messages/${id}/conversation`)).toHaveLength(3);
    expect(await open(first)).not.toHaveProperty('arrivesBy');
  });

  test('does not come once its conversation has ended, or what it follows is gone', async () => {
    const { first, id } = await follow();
    await as(owner.identity, 'POST', `/api/messages/${id}/end`);
    await arrive();
    expect(await idsIn('/api/messages')).toEqual([id]);
    expect(await open(first)).toMatchObject({ hasEnded: true, turns: [{}, {}] });

    const other = await follow();
    await as(owner.identity, 'DELETE', `/api/messages/${other.id}`);
    await arrive();
    expect(await idsIn('/api/messages')).toEqual([id]);
  });

  test('is blocked with its conversation, from whatever device it came', async () => {
    const { id } = await follow();
    await as(owner.identity, 'POST', '/api/blocks', { messageId: id });
    await arrive();
    expect(await idsIn('/api/messages')).toEqual([id]);
    expect(await list('/api/messages?folder=aside')).toMatchObject([{ reason: 'blocked' }]);
  });
});
