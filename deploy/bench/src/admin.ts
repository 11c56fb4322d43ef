import { sizes } from '@najwa/dev/bootstrap/smoke';
import type { SystemBenchmark } from './benchmark.js';
import { mediansOf, ratiosOf, timeReads } from './lists.js';
import { atMost } from './result.js';
import { insertRecords, reserveIds } from './seeding.js';
import { rounded } from './statistics.js';

const FEW = sizes({ full: 1_000, smoke: 50 });
const MANY = sizes({ full: 1_000_000, smoke: 200 });
const RECIPIENTS = 1_000;
const RECORDS = 'sender_tracking_info';
/** Above real ids. */
const FIRST_ID = 1_000_000_000;

const LIST = '/api/admin/sender-tracking?limit=20';
const READS = {
  newest: () => LIST,
  of_a_recipient: () => `${LIST}&userId=${FIRST_ID + 7}`,
  by_text: () => `${LIST}&text=${encodeURIComponent('القصة 7')}`,
};

/** As tracking stores them, inserted directly: a million events would take too long. */
function recordOf(place: number, id: number) {
  const content = `متى القصة ${place % 1_000}؟ What a lovely page this is, number ${place}.`;
  return {
    id,
    messageId: FIRST_ID + place,
    revision: 1,
    createdAt: new Date(),
    message: { content, isRead: place % 2 === 0, isPublic: place % 3 === 0, userId: FIRST_ID + (place % RECIPIENTS) },
    searchableText: content.toLowerCase().replaceAll('ة', 'ه').replaceAll('ى', 'ي'),
    trace: {
      ipAddress: `198.51.${(place >> 8) % 256}.${place % 256}`,
      userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
      referrer: 'https://najwa.example/m/layla',
      browser: 'Firefox',
      operatingSystem: 'Windows',
      device: 'desktop',
      location: '',
      language: 'ar',
      acceptedLanguages: ['ar', 'en'],
    },
    isTraced: true,
    deletedAt: null,
  };
}

/** The tracking list at a million records, relative to a thousand. */
export const admin: SystemBenchmark = {
  // A million records would slow down others.
  needs: () => ({ ownParts: ['mongo'] }),
  async run({ system, step }) {
    const database = await system.openDatabase('tracking');
    try {
      const { cookie } = await system.newStaff('administrator');
      const below = await reserveIds(database, RECORDS, MANY);
      const fill = (first: number, last: number): Promise<void> =>
        insertRecords(database, RECORDS, { first, last }, (place) => recordOf(place, below + place));
      step.doing(`asking for lists of ${FEW} records`);
      await fill(1, FEW);
      const [few] = await timeReads(system, { cookie, reads: READS });
      step.doing(`adding ${MANY - FEW} records`);
      const began = performance.now();
      await fill(FEW + 1, MANY);
      const seconds = (performance.now() - began) / 1_000;
      step.doing(`asking for lists of ${MANY} records`);
      const [many] = await timeReads(system, { cookie, reads: READS });
      if (!few || !many) throw new Error('A list was not read.');
      return {
        bench: 'admin',
        aims: { tracking_list_million_to_thousand_ratio: atMost(ratiosOf(many, few, ['newest']), 1.3) },
        milliseconds_with_a_thousand: mediansOf(few),
        milliseconds_with_a_million: mediansOf(many),
        seconds_to_fill: rounded(seconds, 0),
      };
    } finally {
      await database.close();
    }
  },
};
