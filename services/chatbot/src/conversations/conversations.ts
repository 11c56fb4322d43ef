import { AppError } from '@najwa/common/errors';
import type { Retention } from '@najwa/common/retention';
import type { AnswersDeps } from '../answers/assistant.js';
import { budgetKeysOf } from '../answers/spending.js';
import type { AuthClient } from '../clients/auth.js';
import { accountCaller, removeUnusedPictures, type PicturesDeps } from '../pictures/pictures.js';

export interface ConversationsDeps extends AnswersDeps, PicturesDeps {
  auth: AuthClient;
  retention: Retention;
}

const BATCH_SIZE = 500;

/** Best effort: the sweep retries. */
async function removePicturesOf(deps: ConversationsDeps, removed: { imageName: string | null }[]): Promise<void> {
  const names = removed.flatMap(({ imageName }) => imageName ?? []);
  if (names.length === 0) return;
  const now = new Date();
  await deps.uploads.scheduleCheck(names, now);
  await removeUnusedPictures(deps, now).catch((error: unknown) =>
    deps.logger.warn({ err: error }, 'pictures of deleted conversations not removed yet'),
  );
}

/** @throws {AppError} `not_found` */
export async function deleteConversation(deps: ConversationsDeps, id: number): Promise<void> {
  const removed = await deps.conversations.remove(id);
  if (removed === null) throw new AppError({ code: 'not_found', message: 'There is no such conversation.' });
  await removePicturesOf(deps, [removed]);
}

/** Those that exist at the start. @returns how many */
export async function deleteAllConversations(deps: ConversationsDeps): Promise<number> {
  const latest = await deps.conversations.latestId();
  let deleted = 0;
  let removed: { imageName: string | null }[];
  do {
    removed = await deps.conversations.removeUpTo(latest, BATCH_SIZE);
    deleted += removed.length;
    await removePicturesOf(deps, removed);
  } while (removed.length === BATCH_SIZE);
  return deleted;
}

/** Idempotent. */
export async function deleteConversationsOf(deps: ConversationsDeps, userId: number): Promise<void> {
  const { conversations, uploads, spending } = deps;
  const caller = accountCaller(userId);
  const now = new Date();
  await conversations.removeOf(caller);
  await uploads.scheduleChecksOf(caller, now);
  await removeUnusedPictures(deps, now);
  await spending.remove(budgetKeysOf(userId, now));
}

export async function sweep(deps: ConversationsDeps, now: Date): Promise<void> {
  const { spending, conversations, retention } = deps;
  await spending.removeExpired(now);
  await conversations.clearOrigins(retention.cutoff(now));
  await removeUnusedPictures(deps, now);
}
