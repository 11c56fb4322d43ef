// Long run: replicas.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { create, createPublicCache, loadConfig, type GatewayService } from '@najwa/gateway';
import { sharedBed, startGateway, type Bed, type BedGateway } from '@najwa/testing';
import type { CachedAnswer } from '../../src/public/answer.js';
import { createClock } from '../support/clock.js';
import { checkConsistency } from '../support/consistency.js';
import { forgetPresence } from '../support/presence.js';
import { startUpstream, type Upstream } from '../support/upstream.js';
import { answerAsWebClient } from '../support/web-client.js';

let bed: Bed;
let gateways: BedGateway[];
const clock = createClock();

beforeAll(async () => {
  bed = await sharedBed();
  gateways = await Promise.all([startGateway(bed, clock.now), startGateway(bed, clock.now)]);
});

afterAll(() => Promise.all(gateways.map((gateway) => gateway.stop())));

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0';

interface Account {
  username: string;
  session: string;
}

const call = (
  replica: number,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: unknown,
): Promise<Response> =>
  fetch(`${gateways[replica]?.origin}${path}`, {
    method,
    headers: {
      'user-agent': BROWSER,
      'x-requested-with': 'XMLHttpRequest',
      'content-type': 'application/json',
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

async function newAccount(): Promise<Account> {
  const username = `u-${randomUUID().slice(0, 12)}`;
  const response = await call(
    0,
    'POST',
    '/api/register',
    {},
    { name: 'نورة', username, password: 'correct horse', confirmPassword: 'correct horse', terms: true },
  );
  expect(response.status).toBe(201);
  return { username, session: response.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
}

/** When the earlier state has expired: a visit is no event. */
async function profileOf({ username }: Account): Promise<{ visitorCount: number }> {
  clock.advance(10_000);
  return (await (await call(0, 'GET', `/api/users/${username}`, {})).json()) as { visitorCount: number };
}

const visit = (replica: number, { username }: Account, headers: Record<string, string>) =>
  call(replica, 'GET', `/m/${username}/seen`, headers);
const newVisitor = () => ({ cookie: `najwa_visitor=${randomUUID().replaceAll('-', '').slice(0, 22)}` });

describe('two gateways in front of one auth', () => {
  test('count a visitor through both once, and two visitors twice', async () => {
    const owner = await newAccount();
    const [one, two] = [newVisitor(), newVisitor()];
    for (const replica of [0, 1, 0, 1]) expect((await visit(replica, owner, one)).status).toBe(204);
    await visit(1, owner, two);
    await bed.eventually(async () => expect(await profileOf(owner)).toMatchObject({ visitorCount: 2 }));
  });

  test('do not count the owner, nor a crawler', async () => {
    const owner = await newAccount();
    await visit(0, owner, { cookie: `${owner.session}; ${newVisitor().cookie}` });
    await visit(1, owner, {
      ...newVisitor(),
      'user-agent': 'Mozilla/5.0 (compatible; Bingbot/2.0; +http://www.bing.com/bingbot.htm)',
    });
    await visit(1, owner, newVisitor());
    await bed.eventually(async () => expect(await profileOf(owner)).toMatchObject({ visitorCount: 1 }));
  });

  test('note that an account reads its own pages', async () => {
    const owner = await newAccount();
    await forgetPresence(bed, owner.username);
    const own = async () => (await call(1, 'GET', '/api/user', { cookie: owner.session })).json();
    expect(await own()).toMatchObject({ lastOnline: null });
    expect((await call(1, 'GET', '/api/sessions', { cookie: owner.session })).status).toBe(200);
    await bed.eventually(async () => expect(await own()).toMatchObject({ lastOnline: expect.any(String) }));
  });

  test('refuse a session ended through the other', async () => {
    const owner = await newAccount();
    const statusAt = async (replica: number) =>
      (await call(replica, 'GET', '/api/user', { cookie: owner.session })).status;
    expect([await statusAt(0), await statusAt(1)]).toEqual([200, 200]);
    expect((await call(0, 'POST', '/api/logout', { cookie: owner.session })).status).toBe(204);
    await bed.eventually(async () => expect([await statusAt(0), await statusAt(1)]).toEqual([401, 401]));
  });

  test('show a changed name through both', async () => {
    const owner = await newAccount();
    const nameAt = async (replica: number) =>
      ((await (await call(replica, 'GET', `/api/users/${owner.username}`)).json()) as { name: string }).name;
    expect([await nameAt(0), await nameAt(1)]).toEqual(['نورة', 'نورة']);
    expect((await call(1, 'PATCH', '/api/users', { cookie: owner.session }, { name: 'ليان' })).status).toBe(200);
    await bed.eventually(async () => expect([await nameAt(0), await nameAt(1)]).toEqual(['ليان', 'ليان']));
  });
});

describe('replicas under changes', () => {
  /** Caches expire after ten seconds of their own clocks, so earlier changes come from events. */
  const RUN = { seconds: 8, toleranceMs: 2_000 };

  let web: Upstream;
  const started: GatewayService[] = [];

  async function startReplica(overrides: Parameters<typeof create>[1] = {}): Promise<string> {
    const config = loadConfig({ ...bed.environmentOf('gateway'), WEB_URL: web.url, PORT: '0' });
    const gateway = await create(config, overrides);
    await gateway.start();
    started.push(gateway);
    return `http://127.0.0.1:${gateway.ports().http}`;
  }

  beforeAll(async () => {
    web = await startUpstream('web');
    answerAsWebClient(web);
  });
  afterAll(async () => {
    await Promise.all(started.map((gateway) => gateway.stop()));
    await web.close();
  });

  test('no reader sees a message that is private again, or an older state than before', async () => {
    const replicas = [await startReplica(), await startReplica()];
    const { reads, changes, faults } = await checkConsistency({ bed, replicas, ...RUN });
    expect(faults).toEqual([]);
    expect([reads > 50, changes >= 4]).toEqual([true, true]);
  }, 240_000);

  test('the check notices a replica that misses changes', async () => {
    const publicCache = createPublicCache({ isSubscribed: () => true, maxBytes: 1_000_000 });
    // Receives the first publication, so that it has something to serve.
    let heard = 0;
    const drop = publicCache.drop.bind(publicCache);
    publicCache.drop = (tag) => {
      if (tag.startsWith('messages/')) heard += 1;
      if (!tag.startsWith('messages/') || heard === 1) drop(tag);
    };
    const deaf = await startReplica({ publicCache });
    const { faults } = await checkConsistency({ bed, replicas: [deaf], ...RUN });
    expect(faults.join('\n')).toContain('showed a private message');
  }, 240_000);

  test('the check notices a replica that goes back to an older answer', async () => {
    const publicCache = createPublicCache({ isSubscribed: () => true, maxBytes: 1_000_000 });
    const first = new Map<string, CachedAnswer | undefined>();
    let peeks = 0;
    const peek = publicCache.peek.bind(publicCache);
    publicCache.peek = (key) => {
      const found = peek(key);
      if (!first.has(key) && found !== undefined) first.set(key, { ...found });
      peeks += 1;
      return peeks % 10 === 0 ? (first.get(key) ?? found) : found;
    };
    const forgetful = await startReplica({ publicCache });
    const { faults } = await checkConsistency({ bed, replicas: [forgetful], ...RUN });
    expect(faults.join('\n')).toMatch(/went back from (name|reply)/);
  }, 240_000);
});
