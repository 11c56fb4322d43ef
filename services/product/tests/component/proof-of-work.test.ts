import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AppError, type ProofChallenge } from '@najwa/common/errors';
import { prepareRateLimits } from '@najwa/common/limits';
import { createProofOfWork, solveProof, type ProofOfWork, type ProofRequest } from '@najwa/product';
import { openDatabase } from '@najwa/testing';
import type { Connection } from 'mongoose';

let connection: Connection;

beforeAll(async () => {
  connection = await openDatabase();
  await prepareRateLimits(connection);
});

afterAll(async () => {
  await connection.dropDatabase();
  await connection.close();
});

const BITS = 8;
const CALLER = { subject: 'account 7', network: '192.0.2.1' };

const newProof = (options: { purpose?: string; bits?: number; now?: () => number } = {}): ProofOfWork =>
  createProofOfWork({ connection, purpose: 'login', bits: BITS, ...options });

/** Calls without a proof. @returns the challenge */
async function challengeOf(proof: ProofOfWork, caller: Partial<ProofRequest> = {}): Promise<ProofChallenge> {
  const refusal: unknown = await proof
    .require({ ...CALLER, proof: undefined, ...caller })
    .catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(AppError);
  expect(refusal).toMatchObject({ code: 'proof_required', httpStatus: 429 });
  const { proof: challenge } = refusal as AppError;
  if (challenge === undefined) throw new Error('The refusal has no challenge.');
  return challenge;
}

const expectRefusal = (proof: ProofOfWork, request: ProofRequest) =>
  expect(proof.require(request)).rejects.toMatchObject({ code: 'proof_required' });

test('accepts a solved challenge once, in all replicas together', async () => {
  const replicas = [newProof(), newProof()] as const;
  const solved = solveProof(await challengeOf(replicas[0]));
  const results = await Promise.allSettled(
    [...replicas, ...replicas].map((replica) => replica.require({ ...CALLER, proof: solved })),
  );
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  await expectRefusal(newProof(), { ...CALLER, proof: solved });
});

test('refuses a proof for another subject, network or purpose', async () => {
  const proof = newProof();
  const solved = solveProof(await challengeOf(proof));
  await expectRefusal(proof, { ...CALLER, subject: 'account 8', proof: solved });
  await expectRefusal(proof, { ...CALLER, network: '192.0.2.2', proof: solved });
  await expectRefusal(newProof({ purpose: 'message' }), { ...CALLER, proof: solved });
  await proof.require({ ...CALLER, proof: solved });
});

test('refuses a proof that is expired, unsolved, too easy or altered', async () => {
  const solved = solveProof(await challengeOf(newProof()));
  await expectRefusal(newProof({ now: () => Date.now() + 122_000 }), { ...CALLER, proof: solved });
  await expectRefusal(newProof({ bits: BITS + 1 }), { ...CALLER, proof: solved });

  const { challenge, bits } = await challengeOf(newProof({ bits: 30 }));
  expect(bits).toBe(30);
  await expectRefusal(newProof({ bits: 30 }), { ...CALLER, proof: `${challenge}.1` });

  const [expiry = '', difficulty, ...rest] = (await challengeOf(newProof())).challenge.split('.');
  for (const forged of [
    [expiry, '1', ...rest],
    [`${expiry}0`, difficulty, ...rest],
    [expiry, difficulty, rest[0], 'A'.repeat(43)],
  ])
    await expectRefusal(newProof(), { ...CALLER, proof: solveProof({ challenge: forged.join('.'), bits: BITS }) });
});

test.each([
  ['an empty header', ''],
  ['a dot', '.'],
  ['parts of the wrong length', '1.2.3.4.5'],
  ['a very long header', 'a'.repeat(10_000)],
])('refuses %s as a proof', async (_title, proof) => {
  await expectRefusal(newProof(), { ...CALLER, proof });
});

test('remembers a used challenge for as long as it could be used', async () => {
  // At the start of a second, so that the expiry is rounded up by nearly one.
  const proof = newProof({ purpose: 'long', now: () => Math.floor(Date.now() / 1000) * 1000 + 1 });
  const challenge = await challengeOf(proof);
  await proof.require({ ...CALLER, proof: solveProof(challenge) });
  const used = await connection.collection('rate_limits').findOne({ key: { $regex: '^proof long:' } });
  const expiresAt = Number.parseInt(challenge.challenge.split('.')[0] ?? '', 36) * 1000;
  expect((used?.['expire'] as Date).getTime()).toBeGreaterThanOrEqual(expiresAt);
});
