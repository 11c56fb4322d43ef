import { migrateDocuments, type Migration } from '@najwa/common';
import { wordsOf, type MessageDocument } from './message-record.js';
import { MESSAGES } from './messages.js';

/** After a change of how texts are folded or cut into words, add one with a new name. */
export const wordMigrations: readonly Migration[] = [
  // Messages from before searches. Also takes the words from what an earlier version deleted meanwhile.
  migrateDocuments<MessageDocument>({
    name: '2026-11-22-index-words',
    collection: MESSAGES,
    orderedBy: 'id',
    projection: { content: 1, reply: 1, words: 1 },
    change(message) {
      const words = wordsOf(message);
      return JSON.stringify(words) === JSON.stringify(message.words) ? null : { words };
    },
  }),
];

/** Earlier versions made exports while they were downloaded, and stored only who may. */
export const dropDownloadPermissions: Migration = {
  name: '2026-11-23-drop-download-permissions',
  async runBatch(connection) {
    const { deletedCount } = await connection.collection('exports').deleteMany({});
    return { changed: deletedCount, next: null };
  },
};
