// Long run: kills.
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { inboxOf, PIXEL, startTestSystem, trackedIdsOf, type TestSystem } from '@najwa/testing';
import { SENDERS, startSenders } from '../support/senders.js';

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
