import { createHash } from 'node:crypto';
import { requireSameContent, type Identity, type Submission } from '@najwa/common';
import type { ChatbotContext } from '../context.js';
import { callerOf } from './caller.js';
import { PICTURE_CHECK_MS } from './sweep.js';

/**
 * Keeps a picture for a question to come: once a submission, whatever is sent again.
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
  const name = await media.storePicture({ content, storageKey, readerIds: identity.user ? [identity.user.id] : [] });
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
