import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { AppError } from '@najwa/common/errors';
import { readCode } from '@najwa/proto/http';
import { findOwn } from '../account/accounts.js';
import type { UserRecord } from '../account/user-store.js';
import { accountSender, wrongPassword, type AccessDeps } from './passwords.js';
import { findRecoveryHash } from './recovery.js';

/** Authenticator defaults: RFC 6238 with SHA-1, 30 seconds, six digits. */
const STEP_MS = 30_000;
const DIGITS = 6;
const SECRET_BYTES = 20;

/** Tolerates clocks one step off. */
const STEPS_OFF = [0, -1, 1];

/**
 * RFC 6238.
 * @param step 30-second steps since 1970
 */
export function totpCode(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const offset = digest.readUInt8(digest.length - 1) & 0xf;
  return String((digest.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** DIGITS).padStart(DIGITS, '0');
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** RFC 4648, without padding. */
export const toBase32 = (bytes: Buffer): string =>
  (
    Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0'))
      .join('')
      .match(/.{1,5}/g) ?? []
  )
    .map((bits) => BASE32[Number.parseInt(bits.padEnd(5, '0'), 2)])
    .join('');

export const totpOwner = (userId: number): string => `totp ${userId}`;

function findStep(secret: Buffer, code: string): number | undefined {
  const now = Math.floor(Date.now() / STEP_MS);
  return STEPS_OFF.map((off) => now + off).find((step) =>
    timingSafeEqual(Buffer.from(totpCode(secret, step)), Buffer.from(code)),
  );
}

const isTotpCode = (code: string): boolean => new RegExp(`^\\d{${DIGITS}}$`).test(code);

const wrongCode = (): AppError =>
  new AppError({ code: 'wrong_code', message: 'The code is wrong or was used.', fields: { code: 'wrong' } });

const requiresTotp = ({ staffTotpRequired }: AccessDeps, { isAdmin, isModerator }: UserRecord): boolean =>
  staffTotpRequired && (isAdmin || isModerator);

/** Staff without a required second step may only set it up. */
export const mustSetUpTotp = (deps: AccessDeps, user: UserRecord): boolean =>
  requiresTotp(deps, user) && user.totp === null;

export async function totpState(deps: AccessDeps, userId: number): Promise<{ isOn: boolean; isRequired: boolean }> {
  const user = await findOwn(deps, userId);
  return { isOn: user.totp !== null, isRequired: requiresTotp(deps, user) };
}

/**
 * Inactive until `confirmTotp`.
 * @throws {AppError} `wrong_password`, `totp_is_on`
 */
export async function beginTotp(
  deps: AccessDeps,
  userId: number,
  password: string,
): Promise<{ secret: string; uri: string }> {
  const { credentials, passwords, sealer } = deps;
  const user = await findOwn(deps, userId);
  if (!(await passwords.verify(user.passwordHash, password, accountSender(userId)))) throw wrongPassword('password');
  const bytes = randomBytes(SECRET_BYTES);
  if (!(await credentials.setPendingTotp(userId, sealer.seal(bytes, totpOwner(userId)))))
    throw new AppError({ code: 'totp_is_on', message: 'Turn the present second step off first.' });
  const secret = toBase32(bytes);
  return { secret, uri: `otpauth://totp/Najwa:${encodeURIComponent(user.username)}?secret=${secret}&issuer=Najwa` };
}

export async function confirmTotp(deps: AccessDeps, userId: number, given: string): Promise<void> {
  const { credentials, sealer, limits } = deps;
  await limits.secondStep.consume(String(userId));
  const { pendingTotp } = await findOwn(deps, userId);
  const code = readCode(given);
  if (pendingTotp === null || !isTotpCode(code)) throw wrongCode();
  const lastStep = findStep(sealer.open(pendingTotp, totpOwner(userId)), code);
  if (lastStep === undefined || !(await credentials.confirmTotp(userId, pendingTotp, lastStep))) throw wrongCode();
}

export async function removeTotp(deps: AccessDeps, userId: number, code: string): Promise<void> {
  const user = await findOwn(deps, userId);
  if (!(await spendCode(deps, user, code))) throw wrongCode();
  await deps.credentials.removeTotp(userId);
}

/** @throws {AppError} `totp_required` if the code is missing, wrong or used; `too_many_requests` */
export async function requireSecondStep(deps: AccessDeps, user: UserRecord, code: string | undefined): Promise<void> {
  if (user.totp === null) return;
  if (code !== undefined && (await spendCode(deps, user, code))) return;
  throw new AppError({
    code: 'totp_required',
    message: 'Send a code from the authenticator app.',
    ...(code !== undefined && { fields: { code: 'wrong' } }),
  });
}

/** Accepts an app code or a recovery code, each once across replicas. */
async function spendCode(deps: AccessDeps, user: UserRecord, given: string): Promise<boolean> {
  const { credentials, sealer, limits } = deps;
  const { id, totp } = user;
  // Without a proof of work: exhausting it needs the password.
  await limits.secondStep.consume(String(id));
  if (totp === null) return false;
  const code = readCode(given);
  if (isTotpCode(code)) {
    const step = findStep(sealer.open(totp.secret, totpOwner(id)), code);
    return step !== undefined && credentials.spendTotpStep(id, step);
  }
  const hash = findRecoveryHash(sealer, user, code);
  return hash !== undefined && credentials.spendRecoveryHash(id, hash);
}
