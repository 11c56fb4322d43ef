import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Connection } from 'mongoose';
import { AppError } from '@najwa/common/errors';
import { createRateLimiter } from '@najwa/common/limits';
import { isDuplicateKey } from '@najwa/common/mongo';

/** Header: challenge, dot, counter that solves it. */
export const PROOF_HEADER = 'proof-of-work';

export interface ProofOfWorkOptions {
  /** Replicas share the key and the used challenges. */
  connection: Connection;
  /** For example `login`. Proofs are valid for one purpose. */
  purpose: string;
  /** Leading zero bits of the hash. Each doubles the work. */
  bits?: number;
  now?: () => number;
}

export interface ProofRequest {
  /** Such as an account or an inbox. Proofs are valid for one subject. */
  subject: string;
  /** As limits count it. Proofs are valid for one network. */
  network: string;
  /** `PROOF_HEADER`. */
  proof: string | undefined;
}

export interface ProofOfWork {
  /**
   * @returns bits of the solved, unused challenge
   * @throws {AppError} `proof_required` with a new challenge
   */
  require(request: ProofRequest): Promise<number>;
}

/** 260,000 hashes on average: a second on a phone, 30 ms of native code per attempt of an attacker. */
export const PROOF_BITS = 18;
const LIFETIME_SECONDS = 120;
/** Expiries are rounded up, and replicas' clocks differ. */
const REMEMBERED_SECONDS = 2 * LIFETIME_SECONDS;
const KEY_COLLECTION = 'proof_keys';
const KEY_BYTES = 32;

/** Expiry in seconds (base 36), difficulty, random part, signature, counter. */
const PROOF = /^([0-9a-z]{1,10})\.(\d{1,2})\.([\w-]{16})\.([\w-]{43})\.(\d{1,15})$/;

function leadingZeroBits(hash: Buffer): number {
  let bits = 0;
  for (const byte of hash) {
    if (byte !== 0) return bits + Math.clz32(byte) - 24;
    bits += 8;
  }
  return bits;
}

/** @param proof well formed */
const bitsOf = (proof: string): number => Number(PROOF.exec(proof)?.[2]);

const workOf = (proof: string): number => leadingZeroBits(createHash('sha256').update(proof).digest());

/** Concurrent replicas agree on one. */
async function loadKey(connection: Connection): Promise<Buffer> {
  const keys = connection.collection<{ _id: string; key: string }>(KEY_COLLECTION);
  const read = async (): Promise<Buffer | undefined> => {
    const stored = await keys.findOne({ _id: 'current' });
    return stored ? Buffer.from(stored.key, 'base64url') : undefined;
  };
  const stored = await read();
  if (stored) return stored;
  const key = randomBytes(KEY_BYTES);
  try {
    await keys.insertOne({ _id: 'current', key: key.toString('base64url') });
    return key;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return (await read()) ?? key;
  }
}

/**
 * Challenges are stateless: expiry and signature over purpose, subject and network. Only used ones are stored, until
 * they expire.
 */
export function createProofOfWork({
  connection,
  purpose,
  bits = PROOF_BITS,
  now = Date.now,
}: ProofOfWorkOptions): ProofOfWork {
  const used = createRateLimiter({
    limit: { name: `proof ${purpose}`, points: 1, seconds: REMEMBERED_SECONDS },
    scale: 1,
    connection,
  });
  let keyPromise: Promise<Buffer> | undefined;
  const loadKeyOnce = (): Promise<Buffer> =>
    (keyPromise ??= loadKey(connection).catch((error: unknown) => {
      keyPromise = undefined;
      throw error;
    }));

  const sign = (key: Buffer, { subject, network }: ProofRequest, unsigned: string): string =>
    createHmac('sha256', key)
      .update(JSON.stringify([purpose, subject, network, unsigned]))
      .digest('base64url');

  const isSolved = (key: Buffer, request: ProofRequest, proof: string): boolean => {
    const [, expiry = '', givenBits = '', random = '', signature = ''] = PROOF.exec(proof) ?? [];
    if (Number.parseInt(expiry, 36) * 1000 <= now() || Number(givenBits) < bits) return false;
    const expected = Buffer.from(sign(key, request, `${expiry}.${givenBits}.${random}`));
    const given = Buffer.from(signature);
    return given.length === expected.length && timingSafeEqual(given, expected) && workOf(proof) >= Number(givenBits);
  };

  return {
    async require(request) {
      const key = await loadKeyOnce();
      const { proof } = request;
      if (proof !== undefined && isSolved(key, request, proof)) {
        const challenge = proof.slice(0, proof.lastIndexOf('.'));
        const isNew = await used.consume(challenge).then(
          () => true,
          (error: unknown) => {
            if (error instanceof AppError && error.code === 'too_many_requests') return false;
            throw error;
          },
        );
        if (isNew) return bitsOf(proof);
      }
      const expiry = Math.ceil(now() / 1000 + LIFETIME_SECONDS).toString(36);
      const unsigned = `${expiry}.${bits}.${randomBytes(12).toString('base64url')}`;
      throw new AppError({
        code: 'proof_required',
        message: 'Too many attempts. Solve the challenge and try again.',
        proof: { challenge: `${unsigned}.${sign(key, request, unsigned)}`, bits },
      });
    },
  };
}

/** For tests and scripts. Blocks the thread. @returns the `PROOF_HEADER` */
export function solveProof({ challenge, bits }: { challenge: string; bits: number }): string {
  for (let counter = 0; ; counter += 1) {
    const proof = `${challenge}.${counter}`;
    if (workOf(proof) >= bits) return proof;
  }
}
