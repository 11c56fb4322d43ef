import { startTestSystem, type TestSystem } from '@najwa/dev-env';
import { startChildServer } from './child.js';
import { guardInbox } from './guarded-inbox.js';
import { sentPerSecond } from './load.js';
import type { BenchResult } from './result.js';
import { openSeededInbox, SEARCHED } from './seeded-inbox.js';
import { median, rounded } from './statistics.js';

const SIZES = [1_000, 10_000, 100_000, 1_000_000];
const READS = 120;
const WARM_UP_READS = 20;

const ROUNDS = 5;
/** Clients that open one link at the same time. */
const CONNECTIONS = 200;
const ROUND = { connections: CONNECTIONS, seconds: 6 };
const WARM_UP = { connections: CONNECTIONS, seconds: 3 };

const REGISTRATION = {
  name: 'ليلى',
  password: 'correct horse battery',
  confirmPassword: 'correct horse battery',
  terms: true,
};
const CONTENT = 'ما الشيء الذي تمنيت لو أنك قلته لي يوم التقينا أول مرة، ولم تقله؟';

interface Account {
  id: number;
  cookie: string;
}

async function register(system: TestSystem, username: string): Promise<Account> {
  const { status, headers, body } = await system.request('POST', '/api/register', {
    body: { ...REGISTRATION, username },
  });
  if (status !== 201) throw new Error(`Registration failed with status ${status}.`);
  const cookie = headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  return { id: (body as { id: number }).id, cookie };
}

async function timed(system: TestSystem, path: string, cookie: string): Promise<number> {
  const begun = performance.now();
  const { status } = await system.request('GET', path, { cookie });
  if (status !== 200) throw new Error(`A page failed with status ${status}.`);
  return performance.now() - begun;
}

const searchOf = ({ word }: { word: string }) => `/api/messages?q=${encodeURIComponent(word)}`;

type Reads = Record<
  | 'first'
  | 'middle'
  | 'unread'
  | 'public'
  | 'stats'
  | 'searchEvery'
  | 'searchSome'
  | 'searchFew'
  | 'searchTwo'
  | 'account',
  number
>;

/**
 * Alternates two reads: pages of an inbox, and the account, which does not depend on the inbox. @returns milliseconds
 * of each
 */
async function readTimes(system: TestSystem, { id, cookie }: Account, somewhere: () => number): Promise<Reads> {
  const paths: Record<keyof Reads, () => string> = {
    first: () => '/api/messages',
    middle: () => `/api/messages?before=${somewhere()}`,
    unread: () => `/api/messages?filter=unread&sort=oldest&before=${somewhere()}`,
    // A different page each time, so that none is in the gateway's cache.
    public: () => `/api/messages/public/${id}?before=${somewhere()}`,
    stats: () => '/api/messages/stats',
    searchEvery: () => searchOf(SEARCHED.every),
    searchSome: () => searchOf(SEARCHED.some),
    searchFew: () => searchOf(SEARCHED.few),
    searchTwo: () => searchOf({ word: `${SEARCHED.every.word} ${SEARCHED.few.word}` }),
    account: () => '/api/user',
  };
  const names = Object.keys(paths) as (keyof Reads)[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<keyof Reads, number[]>;
  for (let count = -WARM_UP_READS; count < READS; count += 1) {
    for (const name of names) {
      const time = await timed(system, paths[name](), cookie);
      if (count >= 0) times[name].push(time);
    }
  }
  return Object.fromEntries(names.map((name) => [name, rounded(median(times[name]))])) as Reads;
}

/** The cost of a page relative to the account read. They alternate, so that other load affects both alike. */
const pageCost = ({ first, middle, unread, public: published, stats, account }: Reads): number =>
  (first + middle + unread + published + stats) / 5 / account;

/** The same for searches, from a word in every message to one in a thousand. */
const searchCost = ({ searchEvery, searchSome, searchFew, searchTwo, account }: Reads): number =>
  (searchEvery + searchSome + searchFew + searchTwo) / 4 / account;

async function pageCosts(
  system: TestSystem,
  owner: Account,
): Promise<{ messages: number; milliseconds: Reads; cost: number; searchCost: number }[]> {
  const inbox = await openSeededInbox({
    url: system.infrastructure.env['MONGO_URL'] ?? '',
    database: system.databaseOf('messages'),
    userId: owner.id,
    capacity: Math.max(...SIZES),
  });
  try {
    const costs = [];
    for (const messages of SIZES) {
      await inbox.growTo(messages);
      const milliseconds = await readTimes(system, owner, () =>
        inbox.idAt(100 + Math.floor(Math.random() * (messages - 100))),
      );
      costs.push({
        messages,
        milliseconds,
        cost: rounded(pageCost(milliseconds)),
        searchCost: rounded(searchCost(milliseconds)),
      });
    }
    return costs;
  } finally {
    await inbox.close();
  }
}

/** Messages accepted per second by the whole system and by a server that only inserts, in alternating rounds. */
async function acceptance(system: TestSystem, userId: number) {
  const plain = await startChildServer(new URL('./plain-insert-server.js', import.meta.url), {
    url: system.infrastructure.env['MONGO_URL'],
    name: `${system.databaseOf('messages')}_plain`,
  });
  const send = (url: string, load: typeof ROUND) =>
    sentPerSecond(`${url}/api/messages`, { userId, content: CONTENT }, load);
  try {
    for (const url of [system.url, plain.url]) await send(url, WARM_UP);
    const rounds = [];
    for (let round = 0; round < ROUNDS; round += 1)
      rounds.push({ plain: await send(plain.url, ROUND), ours: await send(system.url, ROUND) });
    return rounds;
  } finally {
    plain.stop();
  }
}

/** Messages accepted per second to an account without blocks and words, and to one with many, in alternating rounds. */
async function guardedAcceptance(system: TestSystem, open: number, guarded: number) {
  await guardInbox(
    { url: system.infrastructure.env['MONGO_URL'] ?? '', database: system.databaseOf('messages') },
    guarded,
    { blocks: 1_000, words: 100 },
  );
  const send = (userId: number, load: typeof ROUND) =>
    sentPerSecond(`${system.url}/api/messages`, { userId, content: CONTENT }, load);
  for (const userId of [open, guarded]) await send(userId, WARM_UP);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1)
    rounds.push({ open: await send(open, ROUND), guarded: await send(guarded, ROUND) });
  return rounds;
}

/**
 * The cost of an inbox page as the inbox grows, and messages accepted per second relative to a server that only inserts them.
 */
export async function run(): Promise<BenchResult> {
  // Limits are counted as in production, but never reached.
  const system = await startTestSystem({ env: { RATE_LIMIT_SCALE: '100000' }, ownParts: ['mongo', 'amqp'] });
  try {
    const accepted = await acceptance(system, (await register(system, 'layla')).id);
    const guarded = await guardedAcceptance(
      system,
      (await register(system, 'huda')).id,
      (await register(system, 'amal')).id,
    );
    const costs = await pageCosts(system, await register(system, 'salma'));
    const of = (pick: (round: (typeof accepted)[number]) => number): number => rounded(median(accepted.map(pick)), 2);
    return {
      bench: 'inbox',
      aims: {
        page_cost_last_to_first: {
          value: rounded((costs.at(-1)?.cost ?? Number.NaN) / (costs[0]?.cost ?? Number.NaN)),
          aim: 1.3,
          better: 'lower',
        },
        search_cost_last_to_first: {
          value: rounded((costs.at(-1)?.searchCost ?? Number.NaN) / (costs[0]?.searchCost ?? Number.NaN)),
          aim: 1.3,
          better: 'lower',
        },
        accepted_to_plain_ratio: {
          value: of(({ ours, plain }) => ours.perSecond / plain.perSecond),
          aim: 0.5,
          better: 'higher',
        },
        /** With a thousand blocks and a hundred words, beside without. */
        accepted_guarded_ratio: {
          value: rounded(median(guarded.map(({ open, guarded: many }) => many.perSecond / open.perSecond)), 2),
          aim: 0.95,
          better: 'higher',
        },
      },
      pages: costs,
      accepted_per_second: of(({ ours }) => ours.perSecond),
      accepted_p99_milliseconds: of(({ ours }) => ours.p99),
      plain_per_second: of(({ plain }) => plain.perSecond),
      plain_p99_milliseconds: of(({ plain }) => plain.p99),
      connections: CONNECTIONS,
      rounds: ROUNDS,
    };
  } finally {
    await system.stop();
  }
}
