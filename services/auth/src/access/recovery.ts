import { createHmac, randomBytes, randomInt } from 'node:crypto';
import { AppError } from '@najwa/common/errors';
import { clientNetwork } from '@najwa/common/limits';
import type { Sealer } from '@najwa/common/sealing';
import { readCode, usernameSkeleton } from '@najwa/proto/http';
import type { Recovery, UserRecord } from '../account/user-store.js';
import { endInvalidSessions } from '../sessions/sessions.js';
import { accountSender, callerSender, wrongPassword, type AccessDeps } from './passwords.js';
import { isUsedUp } from './used-up.js';

/** Without look-alikes. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';
const CODE_LENGTH = 8;
const CODES = 10;
const KEY_BYTES = 32;

const createCode = (): string =>
  Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)] ?? '').join('');

const presentCode = (code: string): string => `${code.slice(0, CODE_LENGTH / 2)}-${code.slice(CODE_LENGTH / 2)}`;

/**
 * Codes have 40 random bits, so a fast keyed hash suffices: offline guessing needs the key, online guessing is limited.
 */
const hashCode = (key: Buffer, code: string): string =>
  createHmac('sha256', key).update(readCode(code)).digest('base64url');

export const recoveryOwner = (userId: number): string => `recovery ${userId}`;

function createCodes(sealer: Sealer, userId: number): { codes: string[]; recovery: Recovery } {
  const key = randomBytes(KEY_BYTES);
  const codes = new Set<string>();
  while (codes.size < CODES) codes.add(createCode());
  return {
    codes: [...codes].map(presentCode),
    recovery: { key: sealer.seal(key, recoveryOwner(userId)), hashes: [...codes].map((code) => hashCode(key, code)) },
  };
}

/**
 * @returns the plain codes, stored nowhere
 * @throws {AppError} `wrong_password`
 */
export async function createRecoveryCodes(
  { users, credentials, passwords, sealer }: AccessDeps,
  userId: number,
  password: string,
): Promise<string[]> {
  const user = await users.findById(userId);
  if (user === null || !(await passwords.verify(user.passwordHash, password, accountSender(userId))))
    throw wrongPassword('password');
  const { codes, recovery } = createCodes(sealer, userId);
  if (!(await credentials.setRecovery(user, recovery))) throw wrongPassword('password');
  return codes;
}

export function findRecoveryHash(sealer: Sealer, { id, recovery }: UserRecord, code: string): string | undefined {
  if (recovery === null) return undefined;
  const hash = hashCode(sealer.open(recovery.key, recoveryOwner(id)), code);
  return recovery.hashes.includes(hash) ? hash : undefined;
}

export interface PasswordReset {
  username: string;
  code: string;
  password: string;
  /** Already counted by `limits.resetByNetwork`. */
  ip: string;
  proof: string | undefined;
}

/**
 * Ends every session.
 * @throws {AppError} `proof_required`; `wrong_recovery_code`, with text and timing independent of the account
 */
export async function resetPassword(
  deps: AccessDeps,
  { username, code, password, ip, proof }: PasswordReset,
): Promise<void> {
  const { users, credentials, passwords, sealer, limits, resetProofs } = deps;
  const account = usernameSkeleton(username);
  const isCrowded = passwords.isCrowded();
  await passwords.approach(async () => {
    const isSuspect = await isUsedUp(async () => {
      await limits.resetByNetwork.consumeSite(ip);
      await limits.resetByAccount.consume(account);
    });
    if (isSuspect || isCrowded) await resetProofs.require({ subject: account, network: clientNetwork(ip), proof });
  });
  // Hashes before any lookup: it dominates the time, so timing reveals nothing.
  const passwordHash = await passwords.hash(password, callerSender(ip));
  const user = await users.findByUsername(username);
  const recoveryHash = user === null ? undefined : findRecoveryHash(sealer, user, code);
  const changed =
    user !== null &&
    recoveryHash !== undefined &&
    (await credentials.changePassword(user, passwordHash, { keptSessionId: null, recoveryHash }));
  if (!changed)
    throw new AppError({
      code: 'wrong_recovery_code',
      message: 'The username or the recovery code is wrong, or the code was used.',
    });
  await endInvalidSessions(deps, changed);
}
