import { createHash } from 'node:crypto';
import { senderOf, type Identity } from '@najwa/common/identity';
import { requireSameContent, type Submission } from '@najwa/common/limits';
import type { MediaClient } from '../clients/media.js';
import type { ConversationRepository } from '../conversations/conversation-store.js';
import type { UploadRepository } from './upload-store.js';

export interface PicturesDeps {
  conversations: ConversationRepository;
  uploads: UploadRepository;
  media: MediaClient;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Time to ask about an upload, then the interval of checks. */
export const PICTURE_CHECK_MS = DAY_MS;

const BATCH_SIZE = 100;

const hashCaller = (caller: string): string => createHash('sha256').update(caller).digest('base64url');

/** `callerOf` an account. */
export const accountCaller = (userId: number): string => hashCaller(`user ${userId}`);

/** Hash of account or visitor. Finds own data without naming the caller. */
export function callerOf({ user, visitorId }: Identity): string {
  return user ? accountCaller(user.id) : hashCaller(`visitor ${visitorId}`);
}

/** Address and browser may be shared, for example behind one router. */
export const mayBeSeveral = ({ user, visitorByAddress }: Identity): boolean =>
  user === null && visitorByAddress === true;

/**
 * Idempotent per submission.
 * @returns the picture's name
 * @throws {AppError} `unsupported_image`, `image_too_large`, `idempotency_conflict`
 */
export async function uploadPicture(
  { uploads, media }: PicturesDeps,
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
  const readerIds = identity.user ? [identity.user.id] : [];
  const name = await media.storePicture({ content, storageKey, readerIds, ...senderOf(identity) });
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

/** Removes the record last, so that a retry is safe. */
export async function removeUnusedPictures({ uploads, conversations, media }: PicturesDeps, now: Date): Promise<void> {
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
