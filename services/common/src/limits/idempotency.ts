import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { AppError } from '../errors/errors.js';
import type { Identity } from '../identity/identity.js';
import { validate } from '../errors/validation.js';

/** Stored with a record, so that retries do not create it again. */
export interface Submission {
  /** Hash of sender and key. Unique in the collection. */
  key: string;
  content: string;
}

const headers = z.object({
  key: z
    .string()
    .regex(/^[\x21-\x7e]{1,128}$/, 'not_a_key')
    .optional(),
});

const sha256 = (...parts: string[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:${part}`);
  return hash.digest('base64url');
};

const senderOf = (identity: Identity): string =>
  identity.user ? `user ${identity.user.id}` : `visitor ${identity.visitorId}`;

/**
 * Finds an earlier attempt without reading the body.
 * @returns undefined without an `Idempotency-Key`
 * @throws {AppError} `invalid_input`
 */
export function readSubmissionKey(idempotencyKey: string | undefined, identity: Identity): string | undefined {
  const { key } = validate(headers, { key: idempotencyKey });
  return key === undefined ? undefined : sha256(senderOf(identity), key);
}

/**
 * Keys are scoped to the sender. Without a header, a unique key is generated.
 * @param parts the content; a file as its digest
 * @throws {AppError} `invalid_input`
 */
export function readSubmission(idempotencyKey: string | undefined, identity: Identity, parts: string[]): Submission {
  const key = readSubmissionKey(idempotencyKey, identity) ?? sha256(senderOf(identity), randomUUID());
  return { key, content: sha256(...parts) };
}

export function requireSameContent(submission: Submission, earlier: Submission): void {
  if (submission.content !== earlier.content) {
    throw new AppError({
      code: 'idempotency_conflict',
      message: 'This idempotency key was used with different content.',
    });
  }
}
