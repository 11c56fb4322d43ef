// Long run: kills.
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { LIMITS } from '@najwa/proto/http/client';
import { inboxOf, PIXEL, startTestSystem, trackedIdsOf, type TestSystem } from '@najwa/testing';
import { SENDERS, startSenders } from '../support/senders.js';

const LATER_MS = LIMITS.laterHours * 60 * 60 * 1000;

/** Users give up on longer spinners. */
const MAX_REFUSAL_MS = 10_000;

let system: TestSystem;

beforeAll(async () => {
  system = await startTestSystem({ ownParts: ['amqp', 'mongo'] });
});

afterAll(() => system.stop());

// Threat model: mongodb-6.
test('neither loses nor duplicates messages of 20 senders while parts are killed, and recovers quickly', async () => {
  const owner = await system.newAccount();
  const { amqp, mongo } = system.infrastructure.parts;
  const senders = startSenders(system, owner.id);
  const goesOn = async (): Promise<void> => {
    const before = senders.accepted.length;
    await system.eventually(() => expect(senders.accepted.length).toBeGreaterThan(before + 2 * SENDERS), 60_000);
  };

  try {
    await goesOn();
    for (const [kill, restart] of [
      [() => system.kill('messages'), () => system.restart('messages')],
      [() => amqp.kill?.(), () => amqp.restart?.()],
      [() => mongo.kill?.(), () => mongo.restart?.()],
      [() => system.kill('media'), () => system.restart('media')],
    ] as const) {
      await kill();
      await restart();
      await goesOn();
    }
  } finally {
    await senders.stop();
  }

  const { accepted, refusals } = senders;
  const byId = (a: { id: number }, b: { id: number }): number => a.id - b.id;
  const stored = await inboxOf(system, owner);
  expect(stored.map(({ id, content }) => ({ id, content }))).toEqual([...accepted].sort(byId));
  expect(new Set(stored.map(({ content }) => content)).size).toBe(stored.length);
  await system.eventually(
    async () => expect(await trackedIdsOf(system, owner.id)).toEqual(stored.map(({ id }) => id)),
    90_000,
  );
  expect(new Set(refusals.map(({ status }) => status))).toEqual(new Set([503]));
  expect(Math.max(...refusals.map(({ milliseconds }) => milliseconds))).toBeLessThan(MAX_REFUSAL_MS);
  expect((await system.request('GET', '/api/messages/stats', { cookie: owner.cookie })).body).toMatchObject({
    received: stored.length,
    sent: 0,
    read: 0,
    unread: stored.length,
  });
});

// Threat model: owner-31.
test('brings 500 messages that come later once each, and drew their times evenly, while parts are killed', async () => {
  const owner = await system.newAccount();
  const { amqp, mongo } = system.infrastructure.parts;
  const words = Array.from({ length: 500 }, (_, index) => `تصل لاحقًا ${index}`);
  const send = async (content: string): Promise<number> =>
    (await system.request('POST', '/api/messages', { body: { userId: owner.id, content, later: true } })).status;
  for (let from = 0; from < words.length; from += SENDERS)
    expect(new Set(await Promise.all(words.slice(from, from + SENDERS).map(send)))).toEqual(new Set([201]));

  const database = await system.openDatabase('messages');
  const messages = database.collection<{ id: number; aside: { at: Date; deliverAt: Date } }>('messages');
  const waiting = await messages.find({ userId: -owner.id }).toArray();
  const shares = waiting.map(({ aside }) => (aside.deliverAt.getTime() - aside.at.getTime()) / LATER_MS);
  const sorted = shares.toSorted((a, b) => a - b);
  const farthest = Math.max(...sorted.map((share, index) => Math.abs(share - (index + 0.5) / sorted.length)));
  // A few may have come. Kolmogorov's distance, which even draws exceed in one of a million runs.
  expect(sorted.length).toBeGreaterThan(words.length - 20);
  expect(farthest).toBeLessThan(0.12);

  // The hours pass in a minute.
  const now = Date.now();
  for (const [index, { id }] of waiting.entries()) {
    const deliverAt = new Date(now + 60_000 * (shares[index] ?? 0));
    await messages.updateOne({ id }, { $set: { 'aside.deliverAt': deliverAt } });
  }
  await database.close();
  for (const [kill, restart] of [
    [() => system.kill('messages'), () => system.restart('messages')],
    [() => mongo.kill?.(), () => mongo.restart?.()],
    [() => amqp.kill?.(), () => amqp.restart?.()],
    [() => system.kill('messages'), () => system.restart('messages')],
  ] as const) {
    const { length } = await inboxOf(system, owner);
    await kill();
    await restart();
    const more = Math.min(length + 1, words.length);
    await system.eventually(
      async () => expect((await inboxOf(system, owner)).length).toBeGreaterThanOrEqual(more),
      60_000,
    );
  }
  await system.eventually(async () => expect(await inboxOf(system, owner)).toHaveLength(words.length), 120_000);
  const arrived = (await inboxOf(system, owner)).map(({ content }) => content);
  expect(arrived.toSorted()).toEqual(words.toSorted());
  await system.eventually(
    async () => expect(new Set(await trackedIdsOf(system, owner.id)).size).toBe(words.length),
    90_000,
  );
}, 600_000);

test('finishes a deletion that a crash interrupted, in every service', async () => {
  const owner = await system.newAccount();
  const { amqp } = system.infrastructure.parts;
  const sent = await system.request('POST', '/api/messages', {
    body: { userId: owner.id, content: 'تُحذف', imageUrl: PIXEL },
  });
  expect(sent.status).toBe(201);
  const { id, imageUrl } = sent.body as { id: number; imageUrl: string };
  const picture = async (): Promise<number> =>
    (await system.request('GET', `/api${imageUrl}`, { cookie: owner.cookie })).status;
  await system.eventually(async () => expect(await trackedIdsOf(system, owner.id)).toEqual([id]), 60_000);
  expect(await picture()).toBe(200);

  // Without media and the broker, the deletion is stored but cannot be announced.
  await amqp.kill?.();
  await system.kill('media');
  expect((await system.request('DELETE', `/api/messages/${id}`, { cookie: owner.cookie })).status).toBe(204);
  await system.kill('messages');
  await amqp.restart?.();
  await system.restart('media');
  expect(await picture()).toBe(200);

  await system.restart('messages');
  await system.eventually(
    async () => expect([await picture(), await trackedIdsOf(system, owner.id)]).toEqual([404, []]),
    60_000,
  );
  expect(await inboxOf(system, owner)).toEqual([]);
  expect((await system.request('GET', '/api/messages/stats', { cookie: owner.cookie })).body).toMatchObject({
    received: 0,
  });
});

test('hides unpublished and deleted pictures at once while the broker is down', async () => {
  const owner = await system.newAccount();
  const { amqp } = system.infrastructure.parts;
  const sent = await system.request('POST', '/api/messages', {
    body: { userId: owner.id, content: 'صورة', imageUrl: PIXEL },
  });
  const { id, imageUrl } = sent.body as { id: number; imageUrl: string };
  const pictureFor = async (cookie?: string): Promise<number> =>
    (await system.request('GET', `/api${imageUrl}`, cookie === undefined ? {} : { cookie })).status;
  const setPublic = async (isPublic: boolean): Promise<void> => {
    expect(
      (await system.request('PATCH', `/api/messages/${id}`, { body: { isPublic }, cookie: owner.cookie })).status,
    ).toBe(200);
  };

  await amqp.kill?.();
  await setPublic(true);
  expect([await pictureFor(), await pictureFor(owner.cookie)]).toEqual([200, 200]);
  await setPublic(false);
  expect([await pictureFor(), await pictureFor(owner.cookie)]).toEqual([404, 200]);
  expect((await system.request('DELETE', `/api/messages/${id}`, { cookie: owner.cookie })).status).toBe(204);
  expect(await pictureFor(owner.cookie)).toBe(404);

  await amqp.restart?.();
  await system.eventually(
    async () =>
      expect((await system.request('GET', '/api/messages/stats', { cookie: owner.cookie })).body).toMatchObject({
        received: 0,
      }),
    60_000,
  );
});

test('a killed gateway loses no notification of an open page', async () => {
  const owner = await system.newAccount();
  const seen = new Set<number>();
  const end = new AbortController();
  /** Reconnects with the last id, as browsers do. */
  const follow = async (): Promise<void> => {
    let last = 0;
    while (!end.signal.aborted) {
      try {
        const response = await fetch(`${system.url}/api/notifications/stream`, {
          signal: end.signal,
          headers: { cookie: owner.cookie, ...(last > 0 && { 'last-event-id': String(last) }) },
        });
        let text = '';
        for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
          text += Buffer.from(chunk).toString();
          for (const [, id] of text.matchAll(/^id: (\d+)\n/gm)) seen.add((last = Number(id)));
        }
      } catch {
        await setTimeout(200);
      }
    }
  };
  const following = follow();
  const send = (): Promise<unknown> => system.sendMessage(owner.id);
  try {
    // A stream without an id has no history, and the first one may end while the gateway finds the broker again.
    let sent = 0;
    for (; seen.size === 0; sent += 1) {
      await send();
      await system.eventually(() => expect(seen.size).toBeGreaterThan(0), 10_000).catch(() => undefined);
    }
    await Promise.all([send(), send(), send()]);
    await system.kill('gateway');
    await system.restart('gateway');
    await send();
    const listed = async (): Promise<number[]> => {
      const { body } = await system.request('GET', '/api/notifications', { cookie: owner.cookie });
      return (body as { id: number }[]).map(({ id }) => id);
    };
    await system.eventually(async () => {
      const ids = await listed();
      expect(ids).toHaveLength(sent + 4);
      expect(seen.size).toBeGreaterThanOrEqual(5);
      expect(new Set(ids.slice(0, seen.size))).toEqual(seen);
    }, 60_000);
  } finally {
    end.abort();
    await following;
  }
});
