import { sizes } from '@najwa/dev/bootstrap/smoke';
import type { Step } from '@najwa/dev/reporter';
import { dropDatabase, type TestAccount, type TestSystem } from '@najwa/testing';
import type { SystemBenchmark } from './benchmark.js';
import { startChildServer } from './child.js';
import { guardInbox } from './guarded-inbox.js';
import { serve, type Load } from './load.js';
import { openSeededInbox, SEARCHED } from './seeded-inbox.js';
import { median, rounded } from './statistics.js';

/** Messages in the inbox that the growing one is compared with. */
const SMALL = sizes({ full: 1_000, smoke: 310 });
const SIZES = sizes({ full: [10_000, 100_000, 1_000_000], smoke: [320] });
const READS = sizes({ full: 120, smoke: 2 });
const WARM_UP_READS = sizes({ full: 20, smoke: 0 });

const ROUNDS = sizes({ full: 5, smoke: 1 });
/** Clients that open one link at the same time. */
const CONNECTIONS = sizes({ full: 200, smoke: 4 });
const ROUND = sizes<Load>({
  full: { connections: CONNECTIONS, seconds: 6 },
  smoke: { connections: CONNECTIONS, amount: 20 },
});
const WARM_UP = sizes<Load>({
  full: { connections: CONNECTIONS, seconds: 3 },
  smoke: { connections: CONNECTIONS, amount: 4 },
});
/** For the events of a round. */
const EVENTS_MS = 120_000;

const CONTENT = 'ما الشيء الذي تمنيت لو أنك قلته لي يوم التقينا أول مرة، ولم تقله؟';

async function timed(system: TestSystem, path: string, cookie: string): Promise<number> {
  const begun = performance.now();
  const { status } = await system.request('GET', path, { cookie });
  if (status !== 200) throw new Error(`A page failed with status ${status}.`);
  return performance.now() - begun;
}

const searchOf = ({ word }: { word: string }) => `/api/messages?q=${encodeURIComponent(word)}`;

interface Inbox extends TestAccount {
  seeded: Awaited<ReturnType<typeof openSeededInbox>>;
  size: number;
}

/** Reads of an inbox, each of another page where there is one, so that none is in the gateway's cache. */
function readsOf({ id, seeded, size }: Inbox) {
  const somewhere = (): number => seeded.idAt(100 + Math.floor(Math.random() * (size - 100)));
  return {
    first: () => '/api/messages',
    middle: () => `/api/messages?before=${somewhere()}`,
    unread: () => `/api/messages?filter=unread&sort=oldest&before=${somewhere()}`,
    public: () => `/api/messages/public/${id}?before=${somewhere()}`,
    stats: () => '/api/messages/stats',
    searchEvery: () => searchOf(SEARCHED.every),
    searchSome: () => searchOf(SEARCHED.some),
    searchFew: () => searchOf(SEARCHED.few),
    searchTwo: () => searchOf({ word: `${SEARCHED.every.word} ${SEARCHED.few.word}` }),
  };
}

type Reads = Record<keyof ReturnType<typeof readsOf>, number>;

/** Alternates between inboxes, so that other load affects all alike. @returns milliseconds of each */
async function readTimes(system: TestSystem, inboxes: readonly Inbox[]): Promise<Reads[]> {
  const readers = inboxes.map((inbox) => {
    const reads = Object.entries(readsOf(inbox)).map(([name, path]) => ({ name, path, times: [] as number[] }));
    return { cookie: inbox.cookie, reads };
  });
  for (let count = -WARM_UP_READS; count < READS; count += 1) {
    for (const { cookie, reads } of readers) {
      for (const { path, times } of reads) {
        const time = await timed(system, path(), cookie);
        if (count >= 0) times.push(time);
      }
    }
  }
  return readers.map(
    ({ reads }) => Object.fromEntries(reads.map(({ name, times }) => [name, rounded(median(times))])) as Reads,
  );
}

const pageTime = ({ first, middle, unread, public: published, stats }: Reads): number =>
  first + middle + unread + published + stats;

/** From a word in every message to one in three of them all. */
const searchTime = ({ searchEvery, searchSome, searchFew, searchTwo }: Reads): number =>
  searchEvery + searchSome + searchFew + searchTwo;

/** Reads of an inbox as it grows, beside those of one that stays small. */
async function pageCosts(system: TestSystem, accounts: { small: TestAccount; growing: TestAccount }, step: Step) {
  const open = async (account: TestAccount, capacity: number): Promise<Inbox> => {
    const url = system.infrastructure.env['MONGO_URL'] ?? '';
    const database = system.databaseOf('messages');
    const seeded = await openSeededInbox({ url, database, userId: account.id, capacity });
    return { ...account, seeded, size: 0 };
  };
  const fill = async (inbox: Inbox, size: number): Promise<void> => {
    await inbox.seeded.growTo(size);
    inbox.size = size;
  };
  const small = await open(accounts.small, SMALL);
  const growing = await open(accounts.growing, Math.max(...SIZES));
  try {
    await fill(small, SMALL);
    const costs = [];
    for (const messages of SIZES) {
      step.doing(`reading an inbox of ${messages} messages`);
      await fill(growing, messages);
      const [beside, milliseconds] = await readTimes(system, [small, growing]);
      if (!beside || !milliseconds) throw new Error('An inbox was not read.');
      costs.push({
        messages,
        milliseconds,
        small: beside,
        pagesToSmall: rounded(pageTime(milliseconds) / pageTime(beside), 2),
        searchesToSmall: rounded(searchTime(milliseconds) / searchTime(beside), 2),
      });
    }
    return costs;
  } finally {
    await small.seeded.close();
    await growing.seeded.close();
  }
}

/** Otherwise the plain server would share the machine with what the round before left to do. */
const noEventsWait = (system: TestSystem): Promise<void> =>
  system.eventually(async () => {
    const { waiting } = await system.events();
    if (waiting > 0) throw new Error(`${waiting} events wait.`);
  }, EVENTS_MS);

/** Sends messages to an account. @throws if one is refused */
const send = (url: string, userId: number, load: Load) =>
  serve(`${url}/api/messages`, load, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-requested-with': 'XMLHttpRequest' },
    body: JSON.stringify({ userId, content: CONTENT }),
  });

/** Messages accepted per second by the whole system and by a server that only inserts, in alternating rounds. */
async function acceptance(system: TestSystem, userId: number) {
  const database = {
    url: system.infrastructure.env['MONGO_URL'] ?? '',
    name: `${system.databaseOf('messages')}_plain`,
  };
  const plain = await startChildServer(new URL('./plain-insert-server.js', import.meta.url), database);
  try {
    for (const url of [system.url, plain.url]) await send(url, userId, WARM_UP);
    const rounds = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await noEventsWait(system);
      rounds.push({ plain: await send(plain.url, userId, ROUND), ours: await send(system.url, userId, ROUND) });
    }
    return rounds;
  } finally {
    plain.stop();
    await dropDatabase(database.url, database.name);
  }
}

/** Messages accepted per second to an account without blocks and words, and to one with many, in alternating rounds. */
async function guardedAcceptance(system: TestSystem, accounts: Record<'open' | 'guarded', TestAccount>) {
  await guardInbox(system, accounts.guarded, { blocks: 1_000, words: 100 });
  const [open, guarded] = [accounts.open.id, accounts.guarded.id];
  for (const userId of [open, guarded]) await send(system.url, userId, WARM_UP);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1)
    rounds.push({
      open: await send(system.url, open, ROUND),
      guarded: await send(system.url, guarded, ROUND),
    });
  return rounds;
}

/**
 * Reads of a large inbox beside those of a small one, and messages accepted per second relative to a server that only
 * inserts them.
 */
export const inbox: SystemBenchmark = {
  needs: () => ({
    // Limits are counted as in production, but never reached. The smokes share a system without any.
    env: { RATE_LIMIT_SCALE: sizes({ full: '100000', smoke: '0' }) },
    ownParts: ['mongo', 'amqp'],
  }),
  async run({ system, step }) {
    step.doing('sending messages');
    const accepted = await acceptance(system, (await system.newAccount()).id);
    step.doing('sending messages to an account with blocks and words');
    const guarded = await guardedAcceptance(system, {
      open: await system.newAccount(),
      guarded: await system.newAccount(),
    });
    const accounts = { small: await system.newAccount(), growing: await system.newAccount() };
    const costs = await pageCosts(system, accounts, step);
    const of = (pick: (round: (typeof accepted)[number]) => number): number => rounded(median(accepted.map(pick)), 2);
    return {
      bench: 'inbox',
      aims: {
        pages_of_million_to_thousand: { value: costs.at(-1)?.pagesToSmall ?? Number.NaN, aim: 1.3, better: 'lower' },
        searches_of_million_to_thousand: {
          value: costs.at(-1)?.searchesToSmall ?? Number.NaN,
          aim: 1.3,
          better: 'lower',
        },
        accepted_to_plain_ratio: {
          value: of(({ ours, plain }) => ours.perSecond / plain.perSecond),
          aim: 0.8,
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
  },
};
