import { randomUUID } from 'node:crypto';
import { createEvent, outboxEntry, type EventBus, type OutboxEntry, type OutboxRelay } from '@najwa/common/amqp';
import { AppError } from '@najwa/common/errors';
import { senderOf, type Identity } from '@najwa/common/identity';
import type { Submission } from '@najwa/common/limits';
import type { Passwords, Sender } from '../access/passwords.js';
import type { MediaClient } from '../clients/media.js';
import type { AuthLimits } from '../config.js';
import type { DeletionRepository } from './deletion-store.js';
import type { HeldNames } from './held-name-store.js';
import type { NewUser, UserChanges, UserRecord, UserRepository } from './user-store.js';
import { publicView } from './views.js';

export interface AccountDeps {
  users: UserRepository;
  heldNames: HeldNames;
  deletions: DeletionRepository;
  passwords: Passwords;
  media: MediaClient;
  limits: AuthLimits;
  outbox: OutboxRelay;
  bus: EventBus;
  /** The time of the backup that was restored within the last month. Known once the ledger is applied. */
  restoredTo: Date | null;
}

/** @throws {AppError} `not_signed_in` */
export async function findOwn({ users }: Pick<AccountDeps, 'users'>, id: number): Promise<UserRecord> {
  const user = await users.findById(id);
  if (user === null) throw notSignedIn();
  return user;
}

const notSignedIn = (): AppError => new AppError({ code: 'not_signed_in', message: 'Sign in first.' });

export type Registration = Omit<NewUser, 'passwordHash' | 'submission'> & { password: string };

/**
 * Idempotent per submission, if the password is right.
 * @throws {AppError} `username_taken`, `idempotency_conflict`, errors of `isOwner`
 */
export async function register(
  { users, heldNames, passwords, outbox }: AccountDeps,
  { password, ...registration }: Registration,
  submission: Submission,
  isOwner: (user: UserRecord) => Promise<boolean>,
  sender: Sender,
): Promise<UserRecord> {
  const passwordHash = await passwords.hash(password, sender);
  const created = (await heldNames.isHeld(registration.username))
    ? 'username_taken'
    : await users.insert({ ...registration, passwordHash, submission }, (userId) =>
        outboxEntry(createEvent(randomUUID(), { $case: 'userCreated', value: { userId } })),
      );
  if (created === 'username_taken')
    throw new AppError({ code: 'username_taken', message: 'Username already exists', fields: { username: 'taken' } });
  if ('submittedBefore' in created) {
    const { submittedBefore } = created;
    const isRepetition = submittedBefore.submission.content === submission.content && (await isOwner(submittedBefore));
    if (!isRepetition)
      throw new AppError({
        code: 'idempotency_conflict',
        message: 'This idempotency key was used with different content.',
      });
    return submittedBefore;
  }
  outbox.notify();
  return created;
}

export type ProfileChanges = Omit<UserChanges, 'avatarName'> & {
  /** Null removes the picture. */
  avatar?: { content: Buffer; sender: Identity } | null;
};

/** @throws {AppError} `too_many_requests`, `unsupported_image`, `image_too_large` */
export async function updateProfile(
  { users, media, limits, outbox }: AccountDeps,
  id: number,
  { avatar, ...changes }: ProfileChanges,
): Promise<UserRecord> {
  if (avatar) await limits.avatarChange.consume(String(id));
  const avatarName = avatar && (await media.storeAvatar(avatar.content, randomUUID(), senderOf(avatar.sender)));
  const updated = await users.update(
    id,
    avatarName === undefined ? changes : { ...changes, avatarName },
    (before, after) => userUpdated(before, avatarName, isSeen(before, after)),
  );
  if (updated === null) throw notSignedIn();
  outbox.notify();
  return updated;
}

const isSeen = (before: UserRecord, after: UserRecord): boolean =>
  JSON.stringify(publicView(before)) !== JSON.stringify(publicView(after));

/**
 * @param avatarName null for none, undefined if unchanged
 * @param changesPublic whether others see the change
 */
export function userUpdated(
  { id, username, avatarName: before }: UserRecord,
  avatarName: string | null | undefined,
  changesPublic = true,
): OutboxEntry {
  const value = {
    userId: id,
    username,
    avatarName: (avatarName === undefined ? before : avatarName) ?? '',
    removedAvatarName: avatarName === undefined ? '' : (before ?? ''),
    changesPublic,
  };
  return outboxEntry(createEvent(randomUUID(), { $case: 'userUpdated', value }));
}

/** Media removes files that are not claimed. */
export async function answerForAvatars({ users, bus }: AccountDeps, names: string[]): Promise<void> {
  if (names.length === 0) return;
  const own = await users.findAvatars(names);
  const value = {
    claims: own.map((name) => ({ name, isPublic: true, isReported: false, revision: 0 })),
    released: names.filter((name) => !own.includes(name)),
  };
  await bus.publish([createEvent(randomUUID(), { $case: 'filesAnswered', value })]);
}
