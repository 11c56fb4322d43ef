// Long run: timing by distribution.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { EventBus } from '@najwa/common/amqp';
import { createLogger } from '@najwa/common/logging';
import { Metrics } from '@najwa/common/metrics';
import { OPERATION_IDS, ROUTES, acceptedTypes, type Route } from '@najwa/proto/http/client';
import { eventually, requiredVariable, sharedBed, startGateway, type Bed, type BedGateway } from '@najwa/testing';
import { startGatewayBed, type GatewayBed } from '../support/bed.js';
import { forgetPresence } from '../support/presence.js';

let bed: GatewayBed;
let listener: EventBus;
const seen: number[] = [];

beforeAll(async () => {
  bed = await startGatewayBed();
  listener = new EventBus({
    url: requiredVariable('AMQP_URL'),
    prefix: bed.prefix,
    subscribers: [],
    service: 'test',
    logger: createLogger({ service: 'test', level: 'silent' }),
    metrics: new Metrics('test'),
  });
  listener.subscribe(
    {
      userSeen: ({ updates }) => {
        for (const { userId } of updates) seen.push(userId);
      },
    },
    () => undefined,
  );
  await listener.start();
  await eventually(() => expect(listener.isConnected()).toBe(true));
});

afterAll(async () => {
  await listener.stop();
  await bed.stop();
});

/** With an account that makes no other call. */
async function call(id: (typeof OPERATION_IDS)[number], userId: number, query = ''): Promise<void> {
  const { method, path, body }: Route = ROUTES[id];
  const { headers } = bed.signIn({ userId, isAdmin: true, sessionId: randomUUID() });
  const type = acceptedTypes({ body })[0];
  const response = await bed.fetch(`${path.replaceAll(/\{\w+\}/g, '7')}${query}`, {
    method,
    headers: { ...headers, 'x-requested-with': 'test', ...(type && { 'content-type': type }) },
    ...(type && { body: '{}' }),
  });
  expect(response.status).toBe(200);
}

// Threat model: owner-8.
test('an account is online only by reading its inbox or its sessions', async () => {
  const userIdOf = new Map(OPERATION_IDS.map((id, index) => [id, index + 1]));
  for (const [id, userId] of userIdOf) if (id !== 'listMessages') await call(id, userId);
  // An open page rereads messages that others changed.
  await call('listMessages', 600, '?ids=7,8');
  const { headers } = bed.signIn({ userId: 500 });
  for (const path of ['/', '/m/layla']) await bed.fetch(path, { headers });

  // Events are ordered, so earlier updates have arrived too.
  await call('listMessages', userIdOf.get('listMessages') ?? 0);
  await eventually(() => expect(seen).toContain(userIdOf.get('listMessages')), 10_000);
  expect(new Set(seen)).toEqual(new Set([userIdOf.get('listMessages'), userIdOf.get('listSessions')]));
});

describe('with the real services', () => {
  let system: Bed;
  let gateway: BedGateway;
  beforeAll(async () => {
    system = await sharedBed();
    gateway = await startGateway(system);
  });
  afterAll(() => gateway.stop());

  const request = (method: string, path: string, token?: string, body?: object) =>
    fetch(`${gateway.origin}${path}`, {
      method,
      headers: {
        'x-requested-with': 'XMLHttpRequest',
        ...(token !== undefined && { cookie: `najwa_session=${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });

  const profileOf = async ({ username }: { username: string }) =>
    (await (await request('GET', `/api/users/${username}`)).json()) as { isOnline: boolean; lastOnline: string | null };

  const lastOnlineOf = async (token: string) =>
    ((await (await request('GET', '/api/user', token)).json()) as { lastOnline: string | null }).lastOnline;

  // Threat model: owner-8.
  test('visiting a page, sending a message and reading a reply is not presence', async () => {
    const [sender, recipient] = [await system.newAccount(), await system.newAccount()];
    for (const { username } of [sender, recipient]) await forgetPresence(system, username);
    const opened = ['/api/auth-status', '/api/user', `/api/users/${recipient.username}`];
    for (const path of [...opened, `/api/messages/public/${recipient.id}`])
      expect((await request('GET', path, sender.token)).status).toBe(200);
    const message = { userId: recipient.id, content: 'مرحبا' };
    expect((await request('POST', '/api/messages', sender.token, message)).status).toBe(201);
    for (const path of ['/api/user', '/api/messages/sent', '/api/messages/stats'])
      expect((await request('GET', path, sender.token)).status).toBe(200);

    // Updates are ordered: the sender's would be there before the recipient's.
    expect((await request('GET', '/api/messages', recipient.token)).status).toBe(200);
    await system.eventually(async () => expect(await lastOnlineOf(recipient.token)).not.toBeNull());
    expect(await lastOnlineOf(sender.token)).toBeNull();
    expect(await profileOf(sender)).toMatchObject({ isOnline: false, lastOnline: null });
  });

  // Threat model: owner-7.
  test('an owner who polls two suspects while one of them sends forty times learns nothing', async () => {
    const owner = await system.newAccount();
    const suspects = [await system.newAccount(), await system.newAccount()] as const;
    for (const { username } of [owner, ...suspects]) await forgetPresence(system, username);
    /** As the owner sees them, from the gateway's cache and past it. */
    const look = () =>
      Promise.all(
        suspects.map(async ({ username }) => {
          const profile = await request('GET', `/api/users/${username}`, owner.token);
          const { body } = await system.call('auth', 'GET', `/api/users/${username}`);
          return [await profile.json(), profile.headers.get('etag'), body];
        }),
      );
    const before = await look();
    for (let count = 0; count < 40; count += 1) {
      const { token } = suspects[Math.random() < 0.5 ? 0 : 1];
      if (count < 5)
        for (const path of [`/m/${owner.username}`, '/api/user']) await (await request('GET', path, token)).text();
      const message = { userId: owner.id, content: `message ${count}` };
      expect((await request('POST', '/api/messages', token, message)).status).toBe(201);
      expect(await look()).toEqual(before);
    }
    // Updates are ordered: those of the suspects would be there before the owner's.
    expect((await request('GET', '/api/messages', owner.token)).status).toBe(200);
    await system.eventually(async () => expect(await lastOnlineOf(owner.token)).not.toBeNull());
    expect(await look()).toEqual(before);
  });
});
