import { createHash, randomUUID } from 'node:crypto';
import { AppError, createEvent, outboxEntry, type Identity, type OutboxEntry, type Submission } from '@najwa/common';
import type { AuthContext } from '../context.js';
import type { UserRecord } from '../db/users.js';
import { endOtherSessions } from './sessions.js';
import { requireUnreserved, usernameSkeleton } from './usernames.js';

export interface Registration {
  username: string;
  name: string;
  password: string;
  bio: string;
  email?: string;
  isAdmin?: boolean;
  isVerified?: boolean;
}

/**
 * Makes an account. The same submission makes it once, and answers the same account again to whoever knows its password.
 * @throws {AppError} `username_reserved`, `username_taken`, `email_taken`, `idempotency_conflict`
 */
export async function register(
  { users, passwords, outbox }: AuthContext,
  { password, ...registration }: Registration,
  submission: Submission,
): Promise<UserRecord> {
  requireUnreserved(registration.username);
  const passwordHash = await passwords.hash(password);
  const created = await users.insert({ ...registration, passwordHash, submission }, (userId) =>
    outboxEntry(createEvent(randomUUID(), { $case: 'userCreated', value: { userId } })),
  );
  if (created === 'username_taken')
    throw new AppError({ code: 'username_taken', message: 'Username already exists', fields: { username: 'taken' } });
  if (created === 'email_taken') throw emailTaken();
  if ('submittedBefore' in created) {
    const same =
      created.submittedBefore.submission.content === submission.content &&
      (await passwords.verify(created.submittedBefore.passwordHash, password));
    if (!same)
      throw new AppError({
        code: 'idempotency_conflict',
        message: 'This idempotency key was used for something else.',
      });
    return created.submittedBefore;
  }
  outbox.notify();
  return created;
}

const emailTaken = (): AppError =>
  new AppError({
    code: 'email_taken',
    message: 'This e-mail address belongs to another account.',
    fields: { email: 'taken' },
  });

const wrongCredentials = (): AppError =>
  new AppError({ code: 'wrong_credentials', message: 'The username or the password is wrong.' });

/**
 * Signs in with a password. Guessing is limited for an account at an address, for an address, and for an account; a device
 * from which the account was signed in to before has a limit of its own, so that no stranger can use up its tries.
 * @throws {AppError} `too_many_requests`; `wrong_credentials`, in the same words and time whether or not the account exists
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
  const device = deviceHash(visitorId);
  if (user?.knownDevices.includes(device)) {
    await limits.loginFromKnownDevice.consume(`${account} ${device}`);
  } else {
    await limits.loginByAccount.consume(account);
    await limits.loginByAddress.consume(ip);
    await limits.login.consume(`${account} ${ip}`);
  }
  if (!(await passwords.verify(user?.passwordHash, password)) || user === null) throw wrongCredentials();
  await users.rememberDevice(user.id, device);
  if (passwords.isOutdated(user.passwordHash))
    await users.update(user.id, { passwordHash: await passwords.hash(password) }, () => []);
  return user;
}

/**
 * Changes a password and ends every other session, in one write.
 * @throws {AppError} `too_many_requests`, `wrong_password`
 */
export async function changePassword(
  context: AuthContext,
  { id, sessionId }: NonNullable<Identity['user']>,
  current: string,
  next: string,
): Promise<void> {
  const { users, passwords, limits } = context;
  await limits.passwordChange.consume(String(id));
  const user = await users.findById(id);
  if (!(await passwords.verify(user?.passwordHash, current))) {
    throw new AppError({
      code: 'wrong_password',
      message: 'The current password is wrong.',
      fields: { currentPassword: 'wrong' },
    });
  }
  await users.update(
    id,
    { passwordHash: await passwords.hash(next), sessionsValidFrom: new Date(), keptSessionId: sessionId },
    () => [],
  );
  await endOtherSessions(context, id, sessionId);
}

export interface ProfileChanges {
  name?: string;
  bio?: string;
  gender?: string;
  email?: string | null;
  /** A new picture, or null to take the present one away. */
  avatar?: Buffer | null;
}

/**
 * Changes what an account says of itself.
 * @throws {AppError} `email_taken`, `unsupported_image`, `image_too_large`
 */
export async function updateProfile(
  { users, media, outbox }: AuthContext,
  id: number,
  { avatar, ...changes }: ProfileChanges,
): Promise<UserRecord> {
  const avatarName = avatar && (await media.storeAvatar(avatar, randomUUID(), id));
  const updated = await users.update(id, avatarName === undefined ? changes : { ...changes, avatarName }, (before) => [
    userUpdated(before, avatarName),
  ]);
  if (updated === 'email_taken') throw emailTaken();
  if (updated === null) throw new AppError({ code: 'not_signed_in', message: 'Sign in first.' });
  outbox.notify();
  return updated;
}

/** @param avatarName of the new one, null for none, undefined when it stays */
function userUpdated(
  { id, username, avatarName: before }: UserRecord,
  avatarName: string | null | undefined,
): OutboxEntry {
  const removedAvatarName = avatarName === undefined ? '' : (before ?? '');
  const value = {
    userId: id,
    username,
    avatarName: (avatarName === undefined ? before : avatarName) ?? '',
    removedAvatarName,
  };
  return outboxEntry(createEvent(randomUUID(), { $case: 'userUpdated', value }));
}

function deviceHash(visitorId: string): string {
  return createHash('sha256').update(visitorId).digest('base64url');
}
