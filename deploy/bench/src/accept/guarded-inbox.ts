import { randomBytes } from 'node:crypto';
import type { TestAccount, TestSystem } from '@najwa/testing';

const tag = (): string => randomBytes(16).toString('base64url');

/** Blocks go directly into the database, as messages stores them. */
export async function guardInbox(
  system: TestSystem,
  { id, cookie }: TestAccount,
  { blocks, words }: { blocks: number; words: number },
): Promise<void> {
  const body = {
    words: Array.from({ length: words }, (_, index) => `كلمة${index} word${index}`),
    lists: ['insults', 'scams'],
  };
  const { status } = await system.request('PUT', '/api/filters', { cookie, body });
  if (status !== 200) throw new Error(`The filters were answered ${status}.`);
  const connection = await system.openDatabase('messages');
  try {
    const stored = Array.from({ length: blocks }, (_, index) => ({
      id: index + 1,
      messageId: index + 1,
      excerpt: '',
      createdAt: new Date(),
      tags: { account: tag(), visitor: tag(), networks: [tag(), tag()] },
    }));
    const rules = connection.collection<{ _id: number }>('inbox_rules');
    await rules.updateOne({ _id: id }, { $set: { blocks: stored }, $inc: { version: 1 } });
  } finally {
    await connection.close();
  }
}
