// Long run: three systems, one for each way to track.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { namesFor } from '@najwa/common/amqp';
import { sealingKeys } from '@najwa/common/sealing';
import { createEnvelopeOpener, createEnvironmentKeyWrapper, traceOwner } from '@najwa/product';
import { API_SERVICES, type ServiceName } from '@najwa/proto/http/client';
import { callsThrough, requiredVariable, startTestBed, type TestAccount, type TestBed } from '@najwa/testing';
import { connect, type ChannelModel } from 'amqplib';
import { newPushSubscription, newStaff, type Person, type Site } from '../support/world.js';

/** Two people who have nothing in common. */
const CALLERS = {
  first: {
    'x-forwarded-for': '203.0.113.77',
    'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) Version/18.1 Mobile/15E148 Safari/604.1',
    referer: 'https://telltale-one.example/page',
    'accept-language': 'tlh-one',
  },
  second: {
    'x-forwarded-for': '198.51.100.88',
    'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/130.0.0.0 Safari/537.36',
    referer: 'https://telltale-two.example/',
    'accept-language': 'sjn-two',
  },
} as const;

type CallerName = keyof typeof CALLERS;

/** Texts that give the two away. */
const TELLTALES = /203\.0\.113|198\.51\.100|iPhone|Windows|Safari|Chrome|telltale|tlh|sjn/;

/** Both sites that keep nothing have it, since stored keys name it. */
const SENDER_KEYS = randomBytes(32).toString('base64');

const DATABASES = [...API_SERVICES, 'tracking'] as const satisfies readonly ServiceName[];

/** By service and collection. */
type Documents = Record<string, unknown[]>;

/** Traces of a person: messages with and without cookie, a session, a subscription, a question, a report, a visit. */
interface Traces {
  account: TestAccount;
  person: Person;
  messageIds: number[];
}

/** A site that tracks in one way, with everything that it stores, sends and logs. */
async function openSite(tracking: 'full' | 'coarse' | 'off') {
  const logged: string[] = [];
  const events: string[] = [];
  const bed: TestBed = await startTestBed({
    services: [...DATABASES, 'gateway'],
    env: {
      RATE_LIMIT_SCALE: '1000',
      TRACKING: tracking,
      TRUSTED_PROXIES: '127.0.0.1',
      LOG_LEVEL: 'debug',
      SENDER_KEYS,
    },
    onLogLine: (line) => void logged.push(line),
  });
  const site: Site = {
    ...callsThrough(bed.url('gateway'), bed.environment['ADMIN_SECRET']),
    callerOf: (service) => bed.callerOf(service),
  };
  const broker: ChannelModel = await connect(requiredVariable('AMQP_URL'));
  const channel = await broker.createChannel();
  const { queue } = await channel.assertQueue('', { exclusive: true });
  await channel.bindQueue(queue, namesFor(bed.environment['AMQP_PREFIX'] ?? '').exchange, '#');
  await channel.consume(queue, (message) => void events.push(message?.content.toString() ?? ''), { noAck: true });
  const administrator = await newStaff(site, 'administrator');
  const owner = await site.newAccount();

  const read = async (path: string, { headers }: Person): Promise<unknown> => {
    const { status, body } = await site.request('GET', path, { headers });
    expect([path, status]).toEqual([path, 200]);
    return body;
  };

  const leaveTraces = async (name: CallerName): Promise<Traces> => {
    const headers = CALLERS[name];
    const cookie = `najwa_visitor=${randomBytes(16).toString('base64url')}`;
    const account = await site.newAccount({}, { headers });
    const person = { headers: { ...headers, cookie: `${account.cookie}; ${cookie}` } };
    const call = async (method: string, path: string, body: unknown, as: Record<string, string>) => {
      const answer = await site.request(method, path, { headers: as, body });
      expect([path, answer.status < 300]).toEqual([path, true]);
    };
    const messageIds: number[] = [];
    for (const as of [headers, { ...headers, cookie }, person.headers])
      messageIds.push((await site.sendMessage(owner.id, { content: 'رسالة' }, { headers: as })).id);
    await call('PATCH', `/api/messages/${messageIds[0]}`, { isPublic: true }, { cookie: owner.cookie });
    await call('POST', '/api/reports', { messageId: messageIds[0], reason: 'threat' }, headers);
    await call('POST', '/api/push/subscriptions', newPushSubscription(), person.headers);
    await call('POST', '/api/chat', { message: 'مرحبا' }, headers);
    await call('GET', `/m/${owner.username}/seen`, undefined, headers);
    const seen = { visitorCount: 1 };
    await bed.eventually(async () =>
      expect(await read('/api/user', { headers: { cookie: owner.cookie } })).toMatchObject(seen),
    );
    // The administrator looks from the same place.
    await read('/api/admin/chat-bot/messages', { headers: { ...headers, ...administrator.headers } });
    return { account, person, messageIds };
  };

  /** The records of messages, once all have come. */
  const tracked = async (messageIds: readonly number[]): Promise<Record<string, unknown>[]> => {
    let found: Record<string, unknown>[] = [];
    await bed.eventually(async () => {
      const records = (await read('/api/admin/sender-tracking', administrator)) as Record<string, unknown>[];
      found = records.filter(({ messageId }) => messageIds.includes(messageId as number));
      expect(found).toHaveLength(messageIds.length);
    });
    return found;
  };

  /** Everything that is stored, once every event was handled. */
  const documents = async ({ messageIds }: Traces): Promise<Documents> => {
    await tracked(messageIds);
    const all: Documents = {};
    await bed.eventually(async () => {
      for (const service of DATABASES) {
        const connection = await bed.openDatabase(service);
        for (const { collectionName } of (await connection.db?.collections()) ?? [])
          all[`${service}.${collectionName}`] = await connection.collection(collectionName).find().toArray();
        await connection.close();
      }
      expect(JSON.stringify(all)).not.toMatch(/"outbox":\[[^\]]/);
      // A visit is counted after its answer.
      expect(all['auth.visits']).not.toEqual([]);
    });
    return all;
  };

  const stop = async (): Promise<void> => {
    await broker.close();
    await bed.stop();
  };
  return { bed, read, administrator, leaveTraces, tracked, documents, events, logged, stop };
}

type OpenSite = Awaited<ReturnType<typeof openSite>>;

const opened: OpenSite[] = [];
const sites = {} as Record<'full' | 'coarse' | 'off', OpenSite>;
const first = {} as Record<'full' | 'coarse' | 'off', Traces>;
/** All that two sites store that keep nothing: each of them for one of the two. */
const stored = {} as Record<CallerName, Documents>;
/** The second of these sites. */
let other: OpenSite;

beforeAll(async () => {
  for (const tracking of ['full', 'coarse', 'off'] as const) {
    opened.push((sites[tracking] = await openSite(tracking)));
    first[tracking] = await sites[tracking].leaveTraces('first');
  }
  opened.push((other = await openSite('off')));
  stored.first = await sites.off.documents(first.off);
  stored.second = await other.documents(await other.leaveTraces('second'));
});

afterAll(async () => {
  for (const site of opened) await site.stop();
});

const EXPECTED = {
  full: {
    address: '203.0.113.77',
    record: { userAgent: CALLERS.first['user-agent'], browser: 'Safari', operatingSystem: 'iOS', device: 'mobile' },
    rest: { referrer: CALLERS.first.referer, language: 'tlh-one' },
    device: { browser: 'Safari', operatingSystem: 'iOS', kind: 'mobile' },
    userAgent: CALLERS.first['user-agent'],
  },
  coarse: {
    address: '203.0.113.0/24',
    record: { userAgent: null, browser: null, operatingSystem: null, device: 'mobile' },
    rest: { referrer: null, language: null, location: null, additionalData: null },
    device: { browser: '', operatingSystem: '', kind: 'mobile' },
    userAgent: 'mobile',
  },
  off: {
    address: null,
    record: { userAgent: null, browser: null, operatingSystem: null, device: null },
    rest: { referrer: null, language: null, location: null, additionalData: null },
    device: { browser: '', operatingSystem: '', kind: '' },
    userAgent: null,
  },
} as const;

// Threat model: admin-12.
describe.each(['full', 'coarse', 'off'] as const)('a site that tracks: %s', (tracking) => {
  const { address, record, rest, device, userAgent } = EXPECTED[tracking];

  test('shows administrators of a message what it keeps', async () => {
    for (const found of await sites[tracking].tracked(first[tracking].messageIds))
      expect(found).toMatchObject({ ipAddress: address, ...record, ...rest });
  });

  test('keeps no more of a question to the assistant, and of an administrator', async () => {
    const { read, administrator } = sites[tracking];
    expect(await read('/api/admin/chat-bot/messages', administrator)).toMatchObject([
      { ipAddress: address, userAgent },
    ]);
    const audit = (await read('/api/admin/audit', administrator)) as { action: string; ipAddress: string | null }[];
    expect(audit.filter(({ action }) => action === 'conversations.list').map(({ ipAddress }) => ipAddress)).toContain(
      address,
    );
  });

  test('keeps no more of a session and of a browser with notices', async () => {
    const { read } = sites[tracking];
    expect(await read('/api/sessions', first[tracking].person)).toMatchObject([{ device }]);
    expect(await read('/api/push/subscriptions', first[tracking].person)).toMatchObject([{ device }]);
  });
});

/** Every trace that an event carried, opened with the keys of the environment. */
async function openEvents({ bed, events }: OpenSite): Promise<string[]> {
  const wrapper = createEnvironmentKeyWrapper(sealingKeys.parse(bed.environment['SENDER_KEYS']));
  const open = createEnvelopeOpener(wrapper);
  interface Carried {
    payload?: { messageCreated?: { message: { id: number }; sealedSender?: { wrappedKey: string; sealed: string } } };
  }
  const found: string[] = [];
  for (const text of events) {
    const event = JSON.parse(text) as Carried & NonNullable<Carried['payload']>;
    const created = event.payload?.messageCreated ?? event.messageCreated;
    if (created?.sealedSender === undefined) continue;
    const owner = traceOwner(created.message.id);
    found.push((await open(created.sealedSender, owner)).toString().trim());
  }
  return found;
}

/** These depend on which events were handled together, and in which minute. */
const OF_THE_MOMENT = /^(arrivals|allArrivals|heldArrivals|version|applied)$/;

/** A document without what is drawn, counted or a time. */
function shapeOf(value: unknown, name = ''): unknown {
  if (value instanceof Date) return '<time>';
  if (OF_THE_MOMENT.test(name)) return '<of the moment>';
  if (typeof value === 'number') return value >= 1_000 ? '<number>' : value;
  if (typeof value === 'string')
    return value
      .replaceAll(/\d{4}-\d\d-\d\d(T[\d:.]+Z)?/g, '<time>')
      .replaceAll(/[\w-]{8}-[\w-]{4}-[\w-]{4}-[\w-]{4}-[\w-]{12}/g, '<uuid>')
      .replaceAll(/\bu-[\da-f]{8}-[\da-f]{3}\b/g, '<username>')
      .replaceAll(/[\w+/=-]{16,}/g, (token) => `<${token.length} characters>`);
  if (Array.isArray(value)) return value.map((each) => shapeOf(each));
  if (typeof value !== 'object' || value === null) return value;
  if ('_bsontype' in value) return `<${String(value._bsontype)}>`;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shapeOf(each, key)]));
}

const shapesOf = (documents: Documents): string[] =>
  Object.entries(documents)
    .flatMap(([collection, all]) => all.map((each) => `${collection} ${JSON.stringify(shapeOf(each))}`))
    .sort();

describe('a site that keeps nothing of its callers', () => {
  // Threat model: thief-13.
  test('has nothing of them in its databases, its events and its logs', async () => {
    const site = sites.off;
    const traces = await openEvents(site);
    expect(traces).toHaveLength(first.off.messageIds.length);
    for (const text of [JSON.stringify(stored), ...traces, ...site.events, ...site.logged, ...other.logged])
      expect(TELLTALES.exec(text)?.[0]).toBeUndefined();
    // The same look finds them where they are kept.
    const kept = JSON.stringify(await sites.full.documents(first.full));
    expect((await openEvents(sites.full)).join()).toMatch(TELLTALES);
    expect(kept).toMatch(TELLTALES);
  });

  // Threat model: thief-13.
  test('stores the same for two writers who have nothing in common', () => {
    expect(shapesOf(stored.first).length).toBeGreaterThan(30);
    expect(shapesOf(stored.second)).toEqual(shapesOf(stored.first));
  });
});
