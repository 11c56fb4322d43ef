// Long run: clocks of days.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { namesFor } from '@najwa/common/amqp';
import {
  requiredVariable,
  sharedBed,
  type Answer,
  type Bed,
  type BedAccount,
  type CallerIdentity,
} from '@najwa/testing';
import { connect } from 'amqplib';
import type { MessagesContext } from '../../src/context.js';
import { finishEmptied, sweepAside } from '../../src/safety/aside.js';
import { discard } from '../../src/inbox/inbox.js';
import { openReplica } from '../support/replica.js';

const DAY_MS = 24 * 60 * 60 * 1000;

const daysFromNow = (days: number): Date => new Date(Date.now() + days * DAY_MS);

let bed: Bed;
/** A second replica without an open port. */
let replica: MessagesContext;
let owner: BedAccount;

beforeAll(async () => {
  bed = await sharedBed();
  replica = await openReplica(bed);
  owner = await bed.newAccount();
});

afterAll(async () => {
  await replica.database.close();
});

async function idsIn(path: string, { identity } = owner): Promise<number[]> {
  const { body } = await bed.call('messages', 'GET', path, { identity });
  return (body as { id: number }[]).map(({ id }) => id);
}

const send = (identity: CallerIdentity, content: string) => bed.sendMessage(owner.id, { content }, { identity });

test('a message set aside is discarded after thirty days and stays for a sender with access', async () => {
  const account = await bed.newAccount();
  const visitor = { visitorId: randomUUID() };
  await bed.call('messages', 'PUT', '/api/filters', {
    identity: owner.identity,
    body: { words: ['إعلان'], lists: [] },
  });
  const kept = await send(visitor, 'سلام');
  const ofVisitor = await send(visitor, 'إعلان');
  const stored = replica.database.connection.collection('messages');
  // As versions without ways back stored it.
  await stored.updateOne({ id: ofVisitor.id }, { $unset: { wayBack: 1 } });
  const { id: withWayBack, wayBack = '' } = await send(visitor, 'إعلان');
  const ofAccount = await send(account.identity, 'إعلان');
  const aside = () => idsIn('/api/messages?folder=aside');

  await sweepAside(replica, daysFromNow(29));
  expect(await aside()).toEqual([ofAccount.id, withWayBack, ofVisitor.id]);

  await sweepAside(replica, daysFromNow(31));
  expect([await aside(), await idsIn('/api/messages')]).toEqual([[], [kept.id]]);
  expect(await idsIn('/api/messages/sent', account)).toEqual([ofAccount.id]);
  for (const id of [ofVisitor.id, withWayBack, ofAccount.id]) {
    const restored = await bed.call('messages', 'POST', `/api/messages/${id}/restore`, { identity: owner.identity });
    expect(restored.status).toBe(404);
  }
  const behind = await bed.call('messages', 'GET', `/api/ways-back/${wayBack.replace('/r/', '')}`);
  expect(behind).toMatchObject({ status: 200, body: { content: 'إعلان' } });
  // Nothing of the other visitor's message is left, in the text or for administrators.
  expect((await stored.findOne({ id: ofVisitor.id }))?.['content'] ?? '').toBe('');
  await bed.eventually(async () => {
    const tracked = (await bed.listTracking({ limit: 50 })).map(({ messageId }) => messageId);
    const here = [kept.id, ofVisitor.id, withWayBack, ofAccount.id].filter((id) => tracked.includes(id));
    expect(here).toEqual([kept.id, withWayBack, ofAccount.id]);
  });
});

test('discarded messages are not scanned by later sweeps', async () => {
  const person = await bed.newAccount();
  await bed.call('messages', 'PUT', '/api/filters', {
    identity: person.identity,
    body: { words: ['إعلان'], lists: [] },
  });
  const { id, wayBack = '' } = await bed.sendMessage(person.id, { content: 'إعلان' });
  await sweepAside(replica, daysFromNow(31));
  const stored = replica.database.connection.collection('messages');
  const isLookedAt = async (): Promise<boolean> =>
    (await stored.countDocuments({ id, 'aside.at': { $gt: new Date(0) } })) > 0;
  expect(await isLookedAt()).toBe(false);

  expect(await idsIn('/api/messages?folder=aside', person)).toEqual([]);
  expect(await bed.call('messages', 'GET', `/api/ways-back/${wayBack.replace('/r/', '')}`)).toMatchObject({
    status: 200,
  });
});

describe('emptying the folder', () => {
  let person: BedAccount;

  const call = (method: string, path: string, body?: object): Promise<Answer> =>
    bed.call('messages', method, path, { identity: person.identity, ...(body && { body }) });
  const sendAd = () => bed.sendMessage(person.id, { content: 'إعلان' }, { identity: { visitorId: randomUUID() } });

  beforeEach(async () => {
    person = await bed.newAccount();
    await call('PUT', '/api/filters', { words: ['إعلان'], lists: [] });
  });

  /** Collects events of messages until the function ends. */
  async function withEvents(look: (isAnnounced: (message: { id: number }) => boolean) => Promise<void>): Promise<void> {
    const broker = await connect(requiredVariable('AMQP_URL'));
    try {
      const channel = await broker.createChannel();
      const { queue } = await channel.assertQueue('', { exclusive: true });
      await channel.bindQueue(queue, namesFor(bed.environment['AMQP_PREFIX'] ?? '').exchange, 'message.#');
      const events: string[] = [];
      await channel.consume(queue, (message) => message && events.push(message.content.toString()), { noAck: true });
      await look(({ id }) =>
        events.some((text) => text.includes('"changesInbox":true') && new RegExp(`"id":"?${id}\\b`).test(text)),
      );
    } finally {
      await broker.close();
    }
  }

  test("emptying the folder notifies the owner's open tabs of each discarded message", async () => {
    const [one, two] = [await sendAd(), await sendAd()];
    await withEvents(async (isAnnounced) => {
      expect((await call('DELETE', `/api/messages/${one.id}`)).status).toBe(204);
      await bed.eventually(() => expect([isAnnounced(one), isAnnounced(two)]).toEqual([true, false]));
      expect((await call('DELETE', '/api/messages?folder=aside')).status).toBe(204);
      await bed.eventually(() => expect(isAnnounced(two)).toBe(true));
    });
  });

  test('emptying the folder keeps what a replica with a slow clock sets aside concurrently', async () => {
    const shown = await sendAd();
    expect((await call('DELETE', '/api/messages?folder=aside')).status).toBe(204);
    await bed.eventually(async () => expect(await replica.rules.emptied(person.id)).toBeUndefined());
    const minutesAgo = new Date(Date.now() - 3 * 60_000);
    await replica.rules.noteEmptied({ userId: person.id, emptiedAt: minutesAgo, emptiedIds: [shown.id] });
    const unseen = await sendAd();
    await replica.messages.collection.updateOne(
      { id: unseen.id },
      { $set: { 'aside.at': new Date(minutesAgo.getTime() + 1) } },
    );
    expect(await idsIn('/api/messages?folder=aside', person)).toEqual([unseen.id]);
    await finishEmptied(replica);
    expect(await idsIn('/api/messages?folder=aside', person)).toEqual([unseen.id]);
    expect((await call('POST', `/api/messages/${shown.id}/restore`)).status).toBe(404);
  });

  test('emptying the folder hides all in one write, and another process finishes it', async () => {
    const [one, two, earlier] = [await sendAd(), await sendAd(), await sendAd()];
    const stored = replica.messages.collection;
    // As stored by versions without ways back: accessible to its owner only.
    await stored.updateOne({ id: earlier.id }, { $unset: { wayBack: 1 } });
    // All that its own process came to.
    await replica.rules.noteEmptied({ userId: person.id, emptiedAt: new Date(), emptiedIds: [] });
    expect(await idsIn('/api/messages?folder=aside', person)).toEqual([]);
    expect(await idsIn('/api/messages?folder=aside&q=إعلان', person)).toEqual([]);
    expect((await call('POST', `/api/messages/${one.id}/restore`)).status).toBe(404);
    const late = await sendAd();
    expect(await idsIn('/api/messages?folder=aside', person)).toEqual([late.id]);

    await withEvents(async (isAnnounced) => {
      await Promise.all([finishEmptied(replica), finishEmptied(replica)]);
      await bed.eventually(() => expect([one, two, late].map(isAnnounced)).toEqual([true, true, false]));
    });
    expect((await stored.findOne({ id: earlier.id }))?.['content'] ?? '').toBe('');
    for (const { id } of [one, two, earlier])
      expect((await call('POST', `/api/messages/${id}/restore`)).status).toBe(404);
    for (const { wayBack = '' } of [one, two]) {
      const behind = await bed.call('messages', 'GET', `/api/ways-back/${wayBack.replace('/r/', '')}`);
      expect(behind).toMatchObject({ status: 200, body: { content: 'إعلان' } });
    }
    expect(await replica.rules.emptied(person.id)).toBeUndefined();
    expect(await idsIn('/api/messages?folder=aside', person)).toEqual([late.id]);
  });
});

test('a message restored while the folder is emptied is not removed', async () => {
  const { id } = await send({ visitorId: randomUUID() }, 'إعلان');
  const stored = replica.database.connection.collection('messages');
  await stored.updateOne({ id }, { $unset: { wayBack: 1 } });
  const found = await replica.messages.find(id);
  await bed.call('messages', 'POST', `/api/messages/${id}/restore`, { identity: owner.identity });
  if (found !== null) await discard(replica, found);
  expect(await idsIn('/api/messages')).toContain(id);
});
