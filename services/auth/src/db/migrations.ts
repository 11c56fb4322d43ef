import type { Migration } from '@najwa/common';

/** In the order in which they were added. */
export const migrations: readonly Migration[] = [
  {
    // Two accounts may have the same address since then (docs/decisions/0031-credentials-and-sessions.md).
    name: '2026-11-21-drop-unique-email',
    async runBatch(connection) {
      const users = connection.collection('users');
      const isThere = await users.indexExists('email_key');
      if (isThere) await users.dropIndex('email_key');
      return { changed: Number(isThere), next: null };
    },
  },
];
