import { createHash } from 'node:crypto';
import { AppError } from '@najwa/common/errors';
import type { Identity } from '@najwa/common/identity';
import { clientNetwork, clientSite } from '@najwa/common/limits';
import { usernameSkeleton } from '@najwa/proto/http';
import type { UserRecord } from '../account/user-store.js';
import { endInvalidSessions, wrongCredentials } from '../sessions/sessions.js';
import { accountSender, callerSender, wrongPassword, type AccessDeps } from './passwords.js';
import { requireSecondStep } from './second-step.js';
import { isUsedUp } from './used-up.js';

/** Hash of the visitor cookie. Null without one, since others may share address and browser. */
export const deviceOf = ({ visitorId, visitorByAddress }: Pick<Identity, 'visitorId' | 'visitorByAddress'>) =>
  visitorByAddress ? null : createHash('sha256').update(visitorId).digest('base64url');

type LoginCaller = Pick<Identity, 'ip' | 'visitorId' | 'visitorByAddress'>;

export interface LoginAttempt {
  username: string;
  password: string;
  code?: string;
  identity: LoginCaller;
  isNetworkCounted: boolean;
  proof: string | undefined;
}

/**
 * Limits by network before the body is read. Known devices count later, by account. Attempts that lack a required proof
 * do not count: they get no further.
 * @returns whether the attempt was counted
 * @throws {AppError} `too_many_requests`
 */
export async function admitCaller(
  { credentials, passwords, limits }: AccessDeps,
  caller: LoginCaller,
  proof: string | undefined,
): Promise<boolean> {
  if (proof === undefined && (passwords.isCrowded() || limits.loginByAddress.isSiteUsedUp(caller.ip))) return false;
  const device = deviceOf(caller);
  return passwords.approach(async () => {
    if (device !== null && (await credentials.knowsDevice(device))) return false;
    await limits.loginByAddress.consumeNetwork(caller.ip);
    return true;
  });
}

/**
 * Limits: decision 0010.
 * @throws {AppError} `too_many_requests`, `proof_required`, `totp_required`; `wrong_credentials`, with text and timing
 * independent of the account
 */
export async function authenticate(deps: AccessDeps, attempt: LoginAttempt): Promise<UserRecord> {
  const { users, credentials, passwords, limits } = deps;
  const { username, password, identity } = attempt;
  const device = deviceOf(identity);
  // Before any read.
  if (device === null) await takeUnknownDevice(deps, attempt);
  const user = await users.findByUsername(username);
  const isKnown = device !== null && user?.knownDevices.includes(device) === true;
  if (isKnown) await limits.loginFromKnownDevice.consume(`${usernameSkeleton(username)} ${device}`);
  else if (device !== null) await takeUnknownDevice(deps, attempt);
  const sender = callerSender(identity.ip, isKnown);
  if (!(await passwords.verify(user?.passwordHash, password, sender)) || user === null) throw wrongCredentials();
  await requireSecondStep(deps, user, attempt.code);
  if (device !== null) await credentials.rememberDevice(user.id, device);
  if (passwords.isOutdated(user.passwordHash))
    await credentials.replaceHash(user, await passwords.hash(password, sender));
  return user;
}

/**
 * Others can exhaust a site's limit, so beyond it a proof of work suffices.
 * @throws {AppError} `too_many_requests` for the network, `proof_required`
 */
export async function admitRegistration(
  { limits, passwords, registerProofs }: AccessDeps,
  ip: string,
  proof: string | undefined,
): Promise<void> {
  const prove = () => registerProofs.require({ subject: 'an account', network: clientNetwork(ip), proof });
  const isCrowded = passwords.isCrowded();
  if (proof === undefined && (isCrowded || limits.register.isSiteUsedUp(ip))) await prove();
  await passwords.approach(async () => {
    await limits.register.consumeNetwork(ip);
    if ((await isUsedUp(() => limits.register.consumeSite(ip))) || isCrowded) await prove();
  });
}

export async function isAuthentic(deps: AccessDeps, attempt: LoginAttempt): Promise<boolean> {
  try {
    await authenticate(deps, attempt);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'wrong_credentials') return false;
    throw error;
  }
}

/**
 * Address limits come first, so that refused attempts do not count against the account. Limits that others can exhaust
 * require a proof, the site's first, which keeps floods from many networks cheap.
 */
async function takeUnknownDevice(
  { limits, passwords, loginProofs }: AccessDeps,
  { username, identity: { ip }, isNetworkCounted, proof }: LoginAttempt,
): Promise<void> {
  const account = usernameSkeleton(username);
  const network = clientNetwork(ip);
  const prove = (): Promise<number> => loginProofs.require({ subject: account, network, proof });
  const isCrowded = passwords.isCrowded();
  if (proof === undefined && (isCrowded || limits.loginByAddress.isSiteUsedUp(ip))) await prove();
  await passwords.approach(async () => {
    if (!isNetworkCounted) await limits.loginByAddress.consumeNetwork(ip);
    const isSiteSuspect = (await isUsedUp(() => limits.loginByAddress.consumeSite(ip))) || isCrowded;
    if (isSiteSuspect && proof === undefined) await prove();
    await limits.login.consume(`${account} ${network}`);
    const isAccountSuspect = await isUsedUp(async () => {
      await limits.loginByNetwork.consume(`${account} ${clientSite(ip)}`);
      await limits.loginByAccount.consume(account);
    });
    if (isSiteSuspect || isAccountSuspect) await prove();
  });
}

/**
 * Ends the other sessions.
 * @throws {AppError} `wrong_password`, also if it was changed meanwhile
 */
export async function changePassword(
  deps: AccessDeps,
  { id, sessionId }: NonNullable<Identity['user']>,
  currentPassword: string,
  newPassword: string,
): Promise<void> {
  const { users, credentials, passwords } = deps;
  const user = await users.findById(id);
  const changed =
    user !== null &&
    (await passwords.verify(user.passwordHash, currentPassword, accountSender(id))) &&
    (await credentials.changePassword(user, await passwords.hash(newPassword, accountSender(id)), {
      keptSessionId: sessionId,
    }));
  if (!changed) throw wrongPassword('currentPassword');
  await endInvalidSessions(deps, changed);
}
