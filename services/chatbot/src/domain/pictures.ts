import { createHash } from 'node:crypto';
import { senderOf, type Identity } from '@najwa/common/identity';
import { requireSameContent, type Submission } from '@najwa/common/limits';
import type { ChatbotContext } from '../context.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** A picture waits this long for a question about it; afterwards it is checked at this interval. */
export const PICTURE_CHECK_MS = DAY_MS;

const BATCH_SIZE = 100;

const hashCaller = (caller: string): string => createHash('sha256').update(caller).digest('base64url');

/** `callerOf` an account. */
export const accountCaller = (userId: number): string => hashCaller(`user ${userId}`);

/** Hash of an account or visitor. It finds a caller's own data again without naming the caller. */
export function callerOf({ user, visitorId }: Identity): string {
  return user ? accountCaller(user.id) : hashCaller(`visitor ${visitorId}`);
}

/** True for a visitor without a cookie. Others may have the same address and browser, behind one router for instance. */
export const mayBeSeveral = ({ user, visitorByAddress }: Identity): boolean =>
  user === null && visitorByAddress === true;

/**
 * Stores a picture for a later question, once for each submission.
 * @returns its name
 * @throws {AppError} `unsupported_image`, `image_too_large`, `idempotency_conflict`
 */
export async function uploadPicture(
  { uploads, media }: ChatbotContext,
  content: Buffer,
  identity: Identity,
  submission: Submission,
): Promise<string> {
  const earlier = await uploads.findBySubmission(submission.key);
  if (earlier) {
    requireSameContent(submission, earlier.submission);
    return earlier.name;
  }
  const storageKey = createHash('sha256').update(`${submission.key} ${submission.content}`).digest('hex');
  const name = await media.storePicture({
    content,
    storageKey,
    readerIds: identity.user ? [identity.user.id] : [],
    ...senderOf(identity),
  });
  const stored = await uploads.insert({
    name,
    caller: callerOf(identity),
    submission,
    checkAt: new Date(Date.now() + PICTURE_CHECK_MS),
  });
  if (stored.name !== name) {
    await media.removePicture(name);
    requireSameContent(submission, stored.submission);
  }
  return stored.name;
}

/** Removes pictures that are due and belong to no conversation. The upload's record goes last, so a retry is safe. */
export async function removeUnusedPictures(
  { uploads, conversations, media }: ChatbotContext,
  now: Date,
): Promise<void> {
  let due: { name: string }[];
  do {
    due = await uploads.findDue(now, BATCH_SIZE);
    for (const { name } of due) {
      const caller = await conversations.findCallerOfPicture(name);
      if (caller !== null) {
        await uploads.keep({ name, caller }, new Date(now.getTime() + PICTURE_CHECK_MS));
      } else {
        await media.removePicture(name);
        await uploads.remove(name);
      }
    }
  } while (due.length === BATCH_SIZE);
}
