import { createHash } from 'node:crypto';
import { requireSameContent, type Submission } from '@najwa/common/limits';
import { type Accepted, asSent, type EarlierMessage, type NewMessage } from '../store/message-record.js';
import type { ReplyKeyRepository, TombstoneRepository } from '../store/submissions.js';

const BATCH = 1_000;

/** No client retries a submission for longer than this. */
const RETRY_MS = 24 * 60 * 60 * 1000;

/**
 * The answer to a retried submission: the same as to its first try, regardless of later changes, so that a retry does not
 * reveal whether the message was read, pinned or deleted. The text comes from the retry, because a tombstone has none.
 * @throws {AppError} `idempotency_conflict`
 */
export function replay(
  earlier: EarlierMessage,
  { submission, content }: Pick<NewMessage, 'submission' | 'content'>,
): Accepted {
  requireSameContent(submission, earlier.submission);
  const { id, createdAt, userId, imageName, audio, prompt } = asSent(earlier);
  return { id, createdAt, userId, content, imageName, audio, ...(prompt && { prompt }) };
}

/** The key under which media stores a submission's file: the same for every try, in the form that media takes. */
export function storageKeyOf({ key, content }: Submission): string {
  return createHash('sha256').update(`${key} ${content}`).digest('hex');
}

export interface RetriesDeps {
  tombstones: TombstoneRepository;
  replyKeys: ReplyKeyRepository;
}

/** Removes tombstones and reply keys that no retry needs any more. */
export async function sweepRetries({ tombstones, replyKeys }: RetriesDeps, now: Date): Promise<void> {
  const before = new Date(now.getTime() - RETRY_MS);
  await replyKeys.removeOlderThan(before);
  let removed: number;
  do {
    removed = await tombstones.removeOlderThan(before, BATCH);
  } while (removed === BATCH);
}
