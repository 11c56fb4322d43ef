import { sizes } from '@najwa/dev/bootstrap/smoke';
import type { TestSystem } from '@najwa/testing';
import type { SystemBenchmark } from './benchmark.js';
import { mediansOf, ratiosOf, timeReads } from './lists.js';
import { atMost } from './result.js';
import { openSeededInbox, SEARCHED } from './seeded-inbox.js';
import { median, rounded } from './statistics.js';

/** Size of the reference inbox. */
const SMALL = sizes({ full: 1_000, smoke: 310 });
const SIZES = sizes({ full: [10_000, 100_000, 1_000_000], smoke: [320] });
/** In another one of the reference's size. */
const CONVERSATIONS = sizes({ full: 300, smoke: 100 });

const searchOf = ({ word }: { word: string }) => `/api/messages?q=${encodeURIComponent(word)}`;

async function newInbox(system: TestSystem, capacity: number, conversations = 0) {
  const { id, cookie } = await system.newAccount();
  const seeded = await openSeededInbox(system, id, capacity, conversations);
  let size = 0;
  const somewhere = (): number => seeded.idAt(100 + Math.floor(Math.random() * (size - 200)));
  return {
    cookie,
    close: () => seeded.close(),
    growTo(target: number): Promise<void> {
      size = target;
      return seeded.growTo(target);
    },
    reads: {
      first: () => '/api/messages',
      middle: () => `/api/messages?before=${somewhere()}`,
      unread: () => `/api/messages?filter=unread&sort=oldest&before=${somewhere()}`,
      public: () => `/api/messages/public/${id}?before=${somewhere()}`,
      stats: () => '/api/messages/stats',
      searchEvery: () => searchOf(SEARCHED.every),
      searchSome: () => searchOf(SEARCHED.some),
      searchFew: () => searchOf(SEARCHED.few),
      searchTwo: () => searchOf({ word: `${SEARCHED.every.word} ${SEARCHED.few.word}` }),
    },
  };
}

const PAGES = ['first', 'middle', 'unread', 'public', 'stats'] as const;
/** From a word in every message to one in three of all. */
const SEARCHES = ['searchEvery', 'searchSome', 'searchFew', 'searchTwo'] as const;

/** Reads of a large inbox relative to a small one, and of conversations relative to none. */
export const inbox: SystemBenchmark = {
  needs: () => ({
    // Limits are counted, but never reached. Smokes share a system without limits.
    env: { RATE_LIMIT_SCALE: sizes({ full: '100000', smoke: '0' }) },
    ownParts: ['mongo', 'amqp'],
  }),
  async run({ system, step }) {
    const small = await newInbox(system, SMALL);
    const growing = await newInbox(system, Math.max(...SIZES));
    const turns = await newInbox(system, SMALL, CONVERSATIONS);
    try {
      await small.growTo(SMALL);
      await turns.growTo(SMALL);
      let ratios: Record<'pages' | 'searches' | 'turns', number[]> = { pages: [], searches: [], turns: [] };
      const figures = [];
      for (const messages of SIZES) {
        step.doing(`reading an inbox of ${messages} messages`);
        await growing.growTo(messages);
        const [reference, large, woven] = await timeReads(system, small, growing, turns);
        if (!reference || !large || !woven) throw new Error('An inbox was not read.');
        ratios = {
          pages: ratiosOf(large, reference, PAGES),
          searches: ratiosOf(large, reference, SEARCHES),
          turns: ratiosOf(woven, reference, [...PAGES, ...SEARCHES]),
        };
        figures.push({
          messages,
          milliseconds: mediansOf(large),
          small: mediansOf(reference),
          pagesToSmall: rounded(median(ratios.pages), 2),
          searchesToSmall: rounded(median(ratios.searches), 2),
        });
      }
      return {
        bench: 'inbox',
        aims: {
          pages_of_million_to_thousand: atMost(ratios.pages, 1.3, 2),
          searches_of_million_to_thousand: atMost(ratios.searches, 1.3, 2),
          conversations_to_none: atMost(ratios.turns, 1.2, 2),
        },
        pages: figures,
      };
    } finally {
      await small.close();
      await growing.close();
      await turns.close();
    }
  },
};
