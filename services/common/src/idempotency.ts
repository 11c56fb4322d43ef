import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { AppError } from './errors.js';
import type { Identity } from './identity.js';
import { validate } from './validation.js';

/** Stored with a created thing, so that the same submission creates it once. Neither part can be turned back into a sender. */
export interface Submission {
  /** Hash of sender and key; unique among the created things. */
  key: string;
  /** Hash of what was sent. */
  content: string;
}

const header = z
  .string()
  .regex(/^[\x21-\x7e]{1,128}$/, 'not_a_key')
  .optional();

const sha256 = (...parts: string[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:${part}`);
  return hash.digest('base64url');
};

const senderOf = (identity: Identity): string =>
  identity.user ? `user ${identity.user.id}` : `visitor ${identity.visitorId}`;

/**
 * The key under which an earlier try of the same submission is found. Needs no body, so limits can ask for it.
 * @returns undefined without an `Idempotency-Key`
 * @throws {AppError} `invalid_input` for a header that is no key
 */
export function readSubmissionKey(idempotencyKey: string | undefined, identity: Identity): string | undefined {
  const { key } = validate(z.object({ key: header }), { key: idempotencyKey });
  return key === undefined ? undefined : sha256(senderOf(identity), key);
}

/**
 * Reads the `Idempotency-Key` of a creation. Keys belong to their sender; without one, a key is made that nobody can repeat.
 * @param parts what was sent, as strings; a file as its digest
 * @throws {AppError} `invalid_input` for a header that is no key
 */
export function readSubmission(idempotencyKey: string | undefined, identity: Identity, parts: string[]): Submission {
  const key = readSubmissionKey(idempotencyKey, identity) ?? sha256(senderOf(identity), randomUUID());
  return { key, content: sha256(...parts) };
}

/** @throws {AppError} `idempotency_conflict` when a key was used before with another content. */
export function requireSameContent(submission: Submission, earlier: Submission): void {
  if (submission.content !== earlier.content) {
    throw new AppError({ code: 'idempotency_conflict', message: 'This idempotency key was used for something else.' });
  }
}
