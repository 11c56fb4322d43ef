import { IN_BACKGROUND, migrateDocuments, type Migration } from '@najwa/common';
import { discarded, wordsOf, type MessageDocument } from './message-record.js';
import { MESSAGES } from './messages.js';

/** After a change of how texts are folded or cut into words, add one with a new name. */
export const wordMigrations: readonly Migration[] = [
  // Messages from before searches, and from before prefixes and emojis were indexed. Also takes the words from what an
  // earlier version deleted meanwhile.
  migrateDocuments<MessageDocument>({
    name: '2026-11-26-index-prefixes-and-emojis',
    collection: MESSAGES,
    orderedBy: 'id',
    projection: { content: 1, reply: 1, words: 1 },
    change(message) {
      const words = wordsOf(message);
      return JSON.stringify(words) === JSON.stringify(message.words) ? null : { words };
    },
  }),
];

/** Earlier versions kept the time at which a message was set aside when it was discarded. */
export const forgetTimesOfDiscarded = migrateDocuments<MessageDocument>({
  name: '2026-11-25-forget-times-of-discarded',
  collection: MESSAGES,
  orderedBy: 'id',
  projection: { aside: 1 },
  change: ({ aside }) => (aside?.discardedAt && aside.at ? { aside: discarded(aside, aside.discardedAt) } : null),
});

/** Earlier versions made exports while they were downloaded, and stored only who may. */
export const dropDownloadPermissions: Migration = {
  name: '2026-11-23-drop-download-permissions',
  async runBatch(connection) {
    const { deletedCount } = await connection.collection('exports').deleteMany({}, IN_BACKGROUND);
    return { changed: deletedCount, next: null };
  },
};
