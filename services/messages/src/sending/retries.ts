import { createHash } from 'node:crypto';
import { requireSameContent, type Submission } from '@najwa/common/limits';
import { originOf, type Accepted, type EarlierMessage, type NewMessage } from '../store/message-record.js';
import type { ReplyKeyRepository, TombstoneRepository } from '../store/submissions.js';

const BATCH = 1_000;

/** Longest time that clients retry. */
const RETRY_MS = 24 * 60 * 60 * 1000;

/**
 * Repeats the first answer, so that a retry reveals no later change. The text comes from the retry, because tombstones
 * have none.
 * @throws {AppError} `idempotency_conflict`
 */
export function replay(
  earlier: EarlierMessage,
  { submission, content }: Pick<NewMessage, 'submission' | 'content'>,
): Accepted {
  requireSameContent(submission, earlier.submission);
  const { userId, imageName, audio, prompt } = earlier;
  const { id, at: createdAt } = originOf(earlier);
  return { id, createdAt, userId, content, imageName, audio, ...(prompt && { prompt }) };
}

/** The same for every try, in media's format. */
export function storageKeyOf({ key, content }: Submission): string {
  return createHash('sha256').update(`${key} ${content}`).digest('hex');
}

export interface RetriesDeps {
  tombstones: TombstoneRepository;
  replyKeys: ReplyKeyRepository;
}

export async function sweepRetries({ tombstones, replyKeys }: RetriesDeps, now: Date): Promise<void> {
  const before = new Date(now.getTime() - RETRY_MS);
  await replyKeys.removeOlderThan(before);
  let removed: number;
  do {
    removed = await tombstones.removeOlderThan(before, BATCH);
  } while (removed === BATCH);
}
