import type { MessagesContext } from '../context.js';

const BATCH = 1_000;

/** Nobody tries again for longer than this. */
const RETRY_MS = 24 * 60 * 60 * 1000;

/** Forgets what kept the submissions of deleted messages from sending them again, and for what the keys of replies were used. */
export async function sweep({ deletedMessages, replyKeys }: MessagesContext, now: Date): Promise<void> {
  const before = new Date(now.getTime() - RETRY_MS);
  await replyKeys.forget(before);
  let forgotten: number;
  do {
    forgotten = await deletedMessages.forget(before, BATCH);
  } while (forgotten === BATCH);
}
