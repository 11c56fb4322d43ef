import { sizes } from '@najwa/dev/bootstrap/smoke';
import type { Step } from '@najwa/dev/reporter';
import type { TestAccount, TestSystem } from '@najwa/testing';
import type { SystemBenchmark } from './benchmark.js';
import { openSeededInbox, SEARCHED } from './seeded-inbox.js';
import { median, rounded } from './statistics.js';

/** Size of the reference inbox. */
const SMALL = sizes({ full: 1_000, smoke: 310 });
const SIZES = sizes({ full: [10_000, 100_000, 1_000_000], smoke: [320] });
const READS = sizes({ full: 120, smoke: 2 });
const WARM_UP_READS = sizes({ full: 20, smoke: 0 });

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

/** Different pages where possible, to miss the gateway's cache. */
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

/** Alternates, so that other load affects all alike. @returns milliseconds */
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

/** From a word in every message to one in three of all. */
const searchTime = ({ searchEvery, searchSome, searchFew, searchTwo }: Reads): number =>
  searchEvery + searchSome + searchFew + searchTwo;

/** A growing inbox, compared with one that stays small. */
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
      const [reference, milliseconds] = await readTimes(system, [small, growing]);
      if (!reference || !milliseconds) throw new Error('An inbox was not read.');
      costs.push({
        messages,
        milliseconds,
        small: reference,
        pagesToSmall: rounded(pageTime(milliseconds) / pageTime(reference), 2),
        searchesToSmall: rounded(searchTime(milliseconds) / searchTime(reference), 2),
      });
    }
    return costs;
  } finally {
    await small.seeded.close();
    await growing.seeded.close();
  }
}

/** Reads of a large inbox relative to a small one. */
export const inbox: SystemBenchmark = {
  needs: () => ({
    // Limits are counted, but never reached. Smokes share a system without limits.
    env: { RATE_LIMIT_SCALE: sizes({ full: '100000', smoke: '0' }) },
    ownParts: ['mongo', 'amqp'],
  }),
  async run({ system, step }) {
    const accounts = { small: await system.newAccount(), growing: await system.newAccount() };
    const costs = await pageCosts(system, accounts, step);
    return {
      bench: 'inbox',
      aims: {
        pages_of_million_to_thousand: { value: costs.at(-1)?.pagesToSmall ?? Number.NaN, aim: 1.3, better: 'lower' },
        searches_of_million_to_thousand: {
          value: costs.at(-1)?.searchesToSmall ?? Number.NaN,
          aim: 1.3,
          better: 'lower',
        },
      },
      pages: costs,
    };
  },
};
