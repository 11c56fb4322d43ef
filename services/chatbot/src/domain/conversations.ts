import { AppError } from '@najwa/common/errors';
import type { ChatbotContext } from '../context.js';
import { accountCaller, removeUnusedPictures } from './pictures.js';
import { budgetKeysOf } from './spending.js';

const BATCH_SIZE = 500;

/** Best effort: the sweep retries. */
async function removePicturesOf(context: ChatbotContext, removed: { imageName: string | null }[]): Promise<void> {
  const names = removed.flatMap(({ imageName }) => imageName ?? []);
  if (names.length === 0) return;
  const now = new Date();
  await context.uploads.scheduleCheck(names, now);
  await removeUnusedPictures(context, now).catch((error: unknown) =>
    context.logger.warn({ err: error }, 'pictures of deleted conversations not removed yet'),
  );
}

/** @throws {AppError} `not_found` */
export async function deleteConversation(context: ChatbotContext, id: number): Promise<void> {
  const removed = await context.conversations.remove(id);
  if (removed === null) throw new AppError({ code: 'not_found', message: 'There is no such conversation.' });
  await removePicturesOf(context, [removed]);
}

/** Those that exist at the start. @returns how many */
export async function deleteAllConversations(context: ChatbotContext): Promise<number> {
  const latest = await context.conversations.latestId();
  let deleted = 0;
  let removed: { imageName: string | null }[];
  do {
    removed = await context.conversations.removeUpTo(latest, BATCH_SIZE);
    deleted += removed.length;
    await removePicturesOf(context, removed);
  } while (removed.length === BATCH_SIZE);
  return deleted;
}

/** Idempotent. */
export async function deleteConversationsOf(context: ChatbotContext, userId: number): Promise<void> {
  const { conversations, uploads, spending } = context;
  const caller = accountCaller(userId);
  const now = new Date();
  await conversations.removeOf(caller);
  await uploads.scheduleChecksOf(caller, now);
  await removeUnusedPictures(context, now);
  await spending.remove(budgetKeysOf(userId, now));
}

export async function sweep(context: ChatbotContext, now: Date): Promise<void> {
  const { spending, conversations, retention } = context;
  await spending.removeExpired(now);
  await conversations.clearOrigins(retention.cutoff(now));
  await removeUnusedPictures(context, now);
}
