import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { AppError } from '../errors/errors.js';
import type { Identity } from '../identity/identity.js';
import { validate } from '../errors/validation.js';

/** Stored with a created record, so that a retry does not create it again. Hashes do not reveal the sender. */
export interface Submission {
  /** Hash of sender and key. Unique in the collection. */
  key: string;
  /** Hash of the content. */
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
 * Hash that finds an earlier attempt of the same submission. Does not need the body, so limits can use it.
 * @returns undefined without an `Idempotency-Key`
 * @throws {AppError} `invalid_input` if the header is invalid
 */
export function readSubmissionKey(idempotencyKey: string | undefined, identity: Identity): string | undefined {
  const { key } = validate(headers, { key: idempotencyKey });
  return key === undefined ? undefined : sha256(senderOf(identity), key);
}

/**
 * Reads the `Idempotency-Key` of a create call. Keys are scoped to the sender. Without a header, a unique key is
 * generated.
 * @param parts submitted content as strings; a file as its digest
 * @throws {AppError} `invalid_input` if the header is invalid
 */
export function readSubmission(idempotencyKey: string | undefined, identity: Identity, parts: string[]): Submission {
  const key = readSubmissionKey(idempotencyKey, identity) ?? sha256(senderOf(identity), randomUUID());
  return { key, content: sha256(...parts) };
}

/** @throws {AppError} `idempotency_conflict` if the key was used with different content */
export function requireSameContent(submission: Submission, earlier: Submission): void {
  if (submission.content !== earlier.content) {
    throw new AppError({
      code: 'idempotency_conflict',
      message: 'This idempotency key was used with different content.',
    });
  }
}
