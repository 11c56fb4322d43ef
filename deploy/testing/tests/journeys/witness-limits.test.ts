// Long run: limits that are used up in two worlds for each secret.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { callsThrough, startTestBed, uniqueAddress, type TestAccount, type TestBed } from '@najwa/testing';
import { newPushSubscription, newStaff, type Person, type Site } from '../support/world.js';

/**
 * The witness with limits: an observer spends what is left of each limit, and reads at which call it is refused. That must be the
 * same whether or not there is a secret.
 */
const WORD = 'مرجان';
/** More than any limit here. */
const MANY = 9;

let bed: TestBed;
let site: Site;
let judge: Person;

beforeAll(async () => {
  bed = await startTestBed({
    services: ['auth', 'media', 'messages', 'admin', 'gateway'],
    env: {
      TRUSTED_PROXIES: '127.0.0.1',
      MESSAGE_SENDER_LIMIT: '4/600',
      MESSAGE_RECIPIENT_LIMIT: '7/600',
      MESSAGE_SITE_LIMIT: '6/600',
      WAY_BACK_LIMIT: '6/600',
      PUSH_LIMIT: '4/600',
      NETWORK_LIMIT: '10000/600',
    },
  });
  site = {
    ...callsThrough(bed.url('gateway'), bed.environment['ADMIN_SECRET']),
    callerOf: (service) => bed.callerOf(service),
  };
  judge = await newStaff(site, 'administrator');
});

afterAll(() => bed.stop());

const visitorCookie = (): string => `najwa_visitor=${randomBytes(16).toString('base64url')}`;

interface Someone {
  headers: Record<string, string>;
}

/** An account at an address. */
async function newAccountAt(address: string): Promise<Someone & { account: TestAccount }> {
  const headers = { 'x-forwarded-for': address };
  const account = await site.newAccount({}, { headers });
  return { account, headers: { ...headers, cookie: `${account.cookie}; ${visitorCookie()}` } };
}

const visitorAt = (address: string): Someone => ({ headers: { 'x-forwarded-for': address, cookie: visitorCookie() } });

async function openWorld() {
  const [home, elsewhere] = [uniqueAddress(), uniqueAddress()];
  const owner = await newAccountAt(uniqueAddress());
  const stranger = await newAccountAt(uniqueAddress());
  const sender = await newAccountAt(home);
  const otherSender = await newAccountAt(elsewhere);
  const [visitor, neighbour] = [visitorAt(home), visitorAt(home)];
  const call = async ({ headers }: Someone, method: string, path: string, body?: unknown) =>
    site.request(method, path, { headers, ...(body !== undefined && { body }) });
  const send = (from: Someone, to: TestAccount, content = WORD) => site.sendMessage(to.id, { content }, from);
  const message = await send(sender, owner.account);
  const wayBacks = new Map<Someone, string>();
  for (const one of [visitor, neighbour]) {
    const { wayBack = '' } = await send(one, stranger.account);
    wayBacks.set(one, wayBack.replace('/r/', ''));
  }
  const { id: messageId } = await send(sender, stranger.account, 'تهديد');
  const reported = await call(stranger, 'POST', '/api/reports', { messageId, reason: 'threat' });
  const reportId = (reported.body as { id: number }).id;
  const openWayBack = (who: Someone) => call(who, 'GET', `/api/ways-back/${wayBacks.get(who)}`);
  const subscribe = (who: Someone) =>
    call(who, 'POST', '/api/push/subscriptions', { ...newPushSubscription(), wayBack: wayBacks.get(who) });
  const write = (who: Someone) => call(who, 'POST', '/api/messages', { userId: owner.account.id, content: WORD });
  return { owner, sender, otherSender, visitor, neighbour, message, reportId, call, openWayBack, subscribe, write };
}

type World = Awaited<ReturnType<typeof openWorld>>;

const repeat = async (act: () => Promise<unknown>): Promise<void> => {
  for (let count = 0; count < MANY; count += 1) await act();
};

/** Each as often as one person may. */
const SECRETS = {
  'the sender is blocked': ({ call, owner, message }) => call(owner, 'POST', '/api/blocks', { messageId: message.id }),
  'what the sender writes is filtered': ({ call, owner }) =>
    call(owner, 'PATCH', '/api/filters', { words: { add: [WORD] } }),
  'the sender is suspended': ({ call, reportId }) =>
    call(judge, 'POST', `/api/admin/reports/${reportId}/actions`, { action: 'suspend', reason: 'تهديد', days: 7 }),
  'a visitor opens a way back': ({ openWayBack, visitor }) => repeat(() => openWayBack(visitor)),
  'a visitor is told of a reply': ({ subscribe, visitor }) => repeat(() => subscribe(visitor)),
} as const satisfies Record<string, (world: World) => Promise<unknown>>;

/** Calls that an observer can spend. Misses are few: they are counted by chance, and a quarter of them is never refused. */
const OBSERVERS = {
  sender: ({ write, sender }) => [() => write(sender)],
  otherSender: ({ write, otherSender }) => [() => write(otherSender)],
  sameNetwork: ({ openWayBack, subscribe, write, neighbour }) => [
    () => openWayBack(neighbour),
    () => subscribe(neighbour),
    () => write(neighbour),
  ],
} as const satisfies Record<string, (world: World) => readonly (() => ReturnType<World['write']>)[]>;

type ObserverName = keyof typeof OBSERVERS;

/** How each call is answered, again and again. */
async function spend(observer: ObserverName, world: World): Promise<string[][]> {
  const seen: string[][] = [];
  for (const act of OBSERVERS[observer](world)) {
    const answers: string[] = [];
    for (let count = 0; count < MANY; count += 1) {
      const { status, body } = await act();
      answers.push(`${status} ${(body as { code?: string }).code ?? ''}`);
    }
    seen.push(answers);
  }
  return seen;
}

const withoutSecret = new Map<ObserverName, string[][]>();

describe.each(Object.keys(SECRETS) as (keyof typeof SECRETS)[])('with limits, that %s', (secret) => {
  // Threat model: network-6.
  test.each(Object.keys(OBSERVERS) as ObserverName[])('is hidden from %s', async (observer) => {
    const plain = withoutSecret.get(observer) ?? (await spend(observer, await openWorld()));
    withoutSecret.set(observer, plain);
    expect(plain.flat().filter((answer) => answer.startsWith('429')).length).toBeGreaterThan(0);
    const world = await openWorld();
    await SECRETS[secret](world);
    expect(await spend(observer, world)).toEqual(plain);
  });
});
