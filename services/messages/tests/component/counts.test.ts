import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { OutboxEntry } from '@najwa/common/amqp';
import { IDENTITY_HEADER } from '@najwa/common/identity';
import { sharedBed, type Bed } from '@najwa/testing';
import { loadConfig } from '../../src/config.js';
import type { MessagesContext } from '../../src/context.js';
import { create } from '../../src/service.js';
import { CountRepository } from '../../src/store/counts.js';
import { openReplica } from '../support/replica.js';

let bed: Bed;
/** A second replica without an open port. */
let replica: MessagesContext;
let owner: number;
let other: number;

const call = async (method: string, path: string, userId?: number, body?: unknown): Promise<unknown> => {
  const answer = await bed.call('messages', method, path, {
    ...(userId !== undefined && { identity: { userId } }),
    ...(body !== undefined && { body }),
  });
  expect(answer.status).toBeLessThan(300);
  return answer.body;
};

const send = async (from?: number): Promise<number> =>
  ((await call('POST', '/api/messages', from, { userId: owner, content: 'رسالة' })) as { id: number }).id;
const change = (id: number, body: unknown): Promise<unknown> => call('PATCH', `/api/messages/${id}`, owner, body);
const remove = (id: number, userId: number): Promise<unknown> => call('DELETE', `/api/messages/${id}`, userId);

/** The counts that the owner, the sender and the public see. */
async function counts(): Promise<{ received: number; read: number; unread: number; published: number; sent: number }> {
  const { received, read, unread } = (await call('GET', '/api/messages/stats', owner)) as {
    received: number;
    read: number;
    unread: number;
  };
  const { sent } = (await call('GET', '/api/messages/stats', other)) as { sent: number };
  const page = await bed.call('messages', 'GET', `/api/messages/public/${owner}?limit=1`);
  return { received, read, unread, published: Number(page.headers.get('x-total-count')), sent };
}

/** The expected counts, from the full lists. */
async function countFromLists(): Promise<Awaited<ReturnType<typeof counts>>> {
  const inbox = (await call('GET', '/api/messages?limit=100', owner)) as { isRead: boolean; isPublic: boolean }[];
  const sent = (await call('GET', '/api/messages/sent?limit=100', other)) as unknown[];
  const read = inbox.filter(({ isRead }) => isRead).length;
  return {
    received: inbox.length,
    read,
    unread: inbox.length - read,
    published: inbox.filter(({ isPublic }) => isPublic).length,
    sent: sent.length,
  };
}

beforeAll(async () => {
  bed = await sharedBed();
  replica = await openReplica(bed);
});

afterAll(async () => {
  await replica.database.close();
});

beforeEach(async () => {
  [owner, other] = (await Promise.all([bed.newAccount(), bed.newAccount()])).map(({ id }) => id) as [number, number];
});

describe('counts', () => {
  test('counts are zero for an account without messages', async () => {
    expect(await counts()).toEqual({ received: 0, read: 0, unread: 0, published: 0, sent: 0 });
  });

  test('counts are right after every change', async () => {
    const id = await send(other);
    expect(await counts()).toEqual({ received: 1, read: 0, unread: 1, published: 0, sent: 1 });
    await change(id, { isRead: true });
    expect(await counts()).toEqual({ received: 1, read: 1, unread: 0, published: 0, sent: 1 });
    await change(id, { isPublic: true });
    expect(await counts()).toEqual({ received: 1, read: 1, unread: 0, published: 1, sent: 1 });
    await change(id, { isPublic: true });
    await change(id, { isPublic: false });
    expect(await counts()).toEqual({ received: 1, read: 1, unread: 0, published: 0, sent: 1 });
    await remove(id, other);
    expect(await counts()).toEqual({ received: 1, read: 1, unread: 0, published: 0, sent: 0 });
    await remove(id, owner);
    expect(await counts()).toEqual({ received: 0, read: 0, unread: 0, published: 0, sent: 0 });
  });

  test('counts include the number of messages to oneself', async () => {
    const toSelf = async (): Promise<unknown> =>
      ((await call('GET', '/api/messages/stats', owner)) as { toSelf: unknown }).toSelf;
    const id = await send(owner);
    await send(other);
    await send(owner);
    expect(await toSelf()).toBe(2);
    await remove(id, owner);
    expect(await toSelf()).toBe(1);
    expect((await call('GET', '/api/messages/stats', other)) as object).toMatchObject({ toSelf: 0 });
  });

  test('counts are read only so often by one account', async () => {
    const limits = { RATE_LIMIT_SCALE: '1', STATS_LIMIT: '2/600' };
    const limited = await create(loadConfig({ ...bed.environmentOf('messages'), ...limits }));
    await limited.start();
    const url = `http://127.0.0.1:${limited.ports().http}/api/messages/stats`;
    const statuses: number[] = [];
    for (const userId of [owner, owner, owner, other]) {
      const headers = { [IDENTITY_HEADER]: await bed.identityToken('messages', { userId }) };
      statuses.push((await fetch(url, { headers })).status);
    }
    await limited.stop();
    expect(statuses).toEqual([200, 200, 429, 200]);
  });

  test('counts that two replicas add concurrently are each included once', async () => {
    const accounts = await Promise.all(Array.from({ length: 12 }, () => bed.newAccount()));
    await Promise.all(
      accounts.flatMap(({ id }, index) =>
        Array.from({ length: 1 + (index % 3) }, () =>
          call('POST', '/api/messages', other, { userId: id, content: 'رسالة' }),
        ),
      ),
    );
    const pending = { userId: { $in: accounts.map(({ id }) => id) }, 'outbox.at': { $gt: new Date(0) } };
    await bed.eventually(async () => {
      // As the other replica's relay does meanwhile.
      const found = await replica.messages.collection.find(pending).toArray();
      await replica.counts.apply(found.flatMap(({ outbox }) => outbox as OutboxEntry[]));
      expect(await replica.messages.collection.countDocuments(pending)).toBe(0);
    });
    const found = await Promise.all(accounts.map(({ id }) => replica.counts.summary(id)));
    expect(found.map(({ counts: { received } }) => received)).toEqual(accounts.map((_, index) => 1 + (index % 3)));
    expect(await counts()).toMatchObject({ sent: 24 });
  });

  test('a change is counted once while other writes move the messages that wait', async () => {
    const connection = await bed.openDatabase('messages');
    const moving = connection.collection('moving_messages');
    try {
      await moving.createIndex({ 'outbox.counts.userId': 1 });
      const entry = () => ({ id: randomUUID(), at: new Date(), body: '', counts: [{ userId: owner, received: 1 }] });
      await moving.insertMany(Array.from({ length: 300 }, (_, id) => ({ id, outbox: [entry()] })));
      const repository = new CountRepository(connection, moving, { count: 100, seconds: 60 } as never);
      for (let round = 0; round < 5; round += 1) {
        const [{ received }] = await Promise.all([
          repository.of(owner),
          ...Array.from({ length: 10 }, (_, part) =>
            moving.updateMany({ id: { $mod: [10, part] } }, { $inc: { round: 1 } }),
          ),
        ]);
        expect(received).toBe(300);
      }
    } finally {
      await moving.drop();
      await connection.close();
    }
  });

  test('counts treat a replied message as read and drop a deleted one from both lists', async () => {
    const id = await send(other);
    await call('POST', '/api/replies', owner, { messageId: id, content: 'جواب' });
    expect(await counts()).toEqual({ received: 1, read: 1, unread: 0, published: 0, sent: 1 });
    await remove(id, owner);
    expect(await counts()).toEqual({ received: 0, read: 0, unread: 0, published: 0, sent: 0 });
  });

  test('counts stay correct under concurrent and repeated sends, reads, publications and deletions', async () => {
    const ids = await Promise.all(Array.from({ length: 40 }, (_, index) => send(index % 2 === 0 ? other : undefined)));
    const reads: Promise<unknown>[] = [];
    const several = (from: number, to: number, act: (id: number) => Promise<unknown>): Promise<unknown>[] =>
      ids.slice(from, to).flatMap((id) => [act(id), act(id)]);
    const maybe = async (id: number, userId: number): Promise<unknown> =>
      bed.call('messages', 'DELETE', `/api/messages/${id}`, { identity: { userId } });
    const changes = [
      ...several(0, 20, (id) => change(id, { isRead: true })),
      ...several(10, 30, (id) => change(id, { isPublic: true })),
      ...several(30, 36, (id) => maybe(id, owner)),
      ...several(20, 40, (id) => (ids.indexOf(id) % 2 === 0 ? maybe(id, other) : Promise.resolve())),
      ...Array.from({ length: 20 }, () => send(other)),
    ];
    for (let count = 0; count < 20; count += 1) reads.push(counts());
    await Promise.all([...changes, ...reads]);
    const expected = await countFromLists();
    expect(await counts()).toEqual(expected);
    expect(expected).toMatchObject({ received: 54, read: 20, published: 20 });
  });
});
