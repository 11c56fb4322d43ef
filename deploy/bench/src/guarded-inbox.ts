import { randomBytes } from 'node:crypto';
import { createLogger } from '@najwa/common/logging';
import { createDatabase } from '@najwa/common/mongo';

const tag = (): string => randomBytes(16).toString('base64url');

/** Gives an account blocks and filters directly in the database, as the messages service stores them. */
export async function guardInbox(
  { url, database }: { url: string; database: string },
  userId: number,
  { blocks, words }: { blocks: number; words: number },
): Promise<void> {
  const server = createDatabase({ url, database }, createLogger({ service: 'bench', level: 'silent' }));
  await server.connect();
  try {
    await server.connection.collection<{ _id: number }>('inbox_rules').insertOne({
      _id: userId,
      version: 1,
      key: randomBytes(32).toString('base64url'),
      blocks: Array.from({ length: blocks }, (_, index) => ({
        id: index + 1,
        messageId: index + 1,
        excerpt: '',
        createdAt: new Date(),
        tags: { account: tag(), visitor: tag(), networks: [tag(), tag()] },
      })),
      networkHits: [],
      words: Array.from({ length: words }, (_, index) => `كلمة${index} word${index}`),
      lists: ['insults', 'scams'],
    } as { _id: number });
  } finally {
    await server.close();
  }
}
