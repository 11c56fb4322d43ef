import { createHash } from 'node:crypto';
import { AppError, clientNetwork, type Identity } from '@najwa/common';
import type { AuthContext } from '../context.js';
import type { UserRecord } from '../db/users.js';
import { endOtherSessions, wrongCredentials } from './sessions.js';
import { usernameSkeleton } from './usernames.js';

const hashDevice = (visitorId: string): string => createHash('sha256').update(visitorId).digest('base64url');

/**
 * Checks a username and a password. Record 0010 says which limits apply.
 * @throws {AppError} `too_many_requests`; `wrong_credentials`, with the same text and timing whether or not the account exists
 */
export async function authenticate(
  context: AuthContext,
  username: string,
  password: string,
  { ip, visitorId }: Pick<Identity, 'ip' | 'visitorId'>,
): Promise<UserRecord> {
  const { users, passwords, limits } = context;
  const account = usernameSkeleton(username);
  const user = await users.findByUsername(username);
  const device = hashDevice(visitorId);
  const network = clientNetwork(ip);
  if (user?.knownDevices.includes(device)) {
    await limits.loginFromKnownDevice.consume(`${account} ${device}`);
  } else {
    // The account's own limit comes last: an attempt that an address may not make takes none of the owner's.
    await limits.loginByAddress.consume(network);
    await limits.login.consume(`${account} ${network}`);
    await limits.loginByAccount.consume(account);
  }
  if (!(await passwords.verify(user?.passwordHash, password)) || user === null) throw wrongCredentials();
  await users.rememberDevice(user.id, device);
  if (passwords.isOutdated(user.passwordHash)) await users.replaceHash(user, await passwords.hash(password));
  return user;
}

/**
 * Changes a password and ends every other session, in one write.
 * @throws {AppError} `too_many_requests`; `wrong_password`, also if the password was changed meanwhile
 */
export async function changePassword(
  context: AuthContext,
  { id, sessionId }: NonNullable<Identity['user']>,
  currentPassword: string,
  newPassword: string,
): Promise<void> {
  const { users, passwords, limits } = context;
  await limits.passwordChange.consume(String(id));
  const user = await users.findById(id);
  const changed =
    user !== null &&
    (await passwords.verify(user.passwordHash, currentPassword)) &&
    (await users.changePassword(user, await passwords.hash(newPassword), sessionId));
  if (!changed) {
    throw new AppError({
      code: 'wrong_password',
      message: 'The current password is wrong.',
      fields: { currentPassword: 'wrong' },
    });
  }
  await endOtherSessions(context, id, sessionId);
}
