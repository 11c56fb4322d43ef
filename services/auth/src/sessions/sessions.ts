import { randomBytes, randomUUID } from 'node:crypto';
import type { Device } from '@najwa/common';
import { createEvent, outboxEntry, type OutboxEntry, type OutboxRelay } from '@najwa/common/amqp';
import { AppError } from '@najwa/common/errors';
import { hashSessionToken } from '@najwa/common/http';
import type { Logger } from '@najwa/common/logging';
import { RETENTION } from '@najwa/proto/http';
import type { CredentialRepository, SessionValidity } from '../access/credential-store.js';
import type { UserRecord, UserRepository } from '../account/user-store.js';
import { recordPresence } from '../presence/presence.js';
import type { SessionRecord, SessionRepository } from './session-store.js';

export interface SessionsDeps {
  sessions: SessionRepository;
  users: UserRepository;
  credentials: CredentialRepository;
  outbox: OutboxRelay;
  logger: Logger;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Since the last use. */
export const SESSION_LIFETIME_MS = RETENTION.sessionDays * DAY_MS;

const HOUR_MS = 60 * 60 * 1000;

const BATCH = 100;

/** Rounded: sending a message is a use, and its exact time would reveal the sender. */
const hourOf = (time: Date): Date => new Date(time.getTime() - (time.getTime() % HOUR_MS));

const notFound = (): AppError => new AppError({ code: 'session_not_found', message: 'This session has ended.' });

const sessionEnded = ({ tokenHash, sessionId }: SessionRecord): OutboxEntry =>
  outboxEntry(createEvent(randomUUID(), { $case: 'sessionEnded', value: { tokenHash, sessionId } }));

/** A password change invalidates other sessions in one write; they are ended afterwards. */
const isValidFor = (
  { sessionId, passwordChangedAt }: SessionRecord,
  user: Pick<SessionValidity, 'passwordChangedAt' | 'keptSessionId'>,
): boolean => passwordChangedAt?.getTime() === user.passwordChangedAt?.getTime() || sessionId === user.keptSessionId;

/**
 * @returns the token, stored only as a hash
 * @throws {AppError} `wrong_credentials` if the password has changed since `user` was read
 */
export async function beginSession(deps: SessionsDeps, user: UserRecord, device: Device): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const now = new Date();
  const session: SessionRecord = {
    sessionId: randomUUID(),
    tokenHash: hashSessionToken(token),
    userId: user.id,
    passwordChangedAt: user.passwordChangedAt,
    device,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: new Date(now.getTime() + SESSION_LIFETIME_MS),
  };
  await deps.sessions.insert(session);
  const present = await deps.users.findById(user.id);
  if (present === null || !isValidFor(session, present)) {
    await endSession(deps, session);
    throw wrongCredentials();
  }
  // A page for accounts only can provoke a sign-in, so it shows like reading. Registration is public anyway.
  if (present.lastOnline === null) await deps.users.showPresence(user.id, now);
  else await recordPresence(deps, [{ userId: user.id, at: now }]);
  return token;
}

export const wrongCredentials = (): AppError =>
  new AppError({ code: 'wrong_credentials', message: 'The username or the password is wrong.' });

export async function resolveSession(
  { sessions, users }: SessionsDeps,
  tokenHash: Buffer,
): Promise<{ session: SessionRecord; user: UserRecord }> {
  const now = new Date();
  const hour = hourOf(now);
  const session = await sessions.findActive(tokenHash, now);
  const user = session && (await users.findById(session.userId));
  if (session === null || user === null || !isValidFor(session, user)) throw notFound();
  if (hour > session.lastSeenAt)
    await sessions.extend(session.sessionId, hour, new Date(hour.getTime() + SESSION_LIFETIME_MS));
  return { session, user };
}

export async function listSessions({ sessions }: SessionsDeps, user: UserRecord): Promise<SessionRecord[]> {
  return (await sessions.listActive(user.id, new Date())).filter((session) => isValidFor(session, user));
}

/** @throws {AppError} `session_not_found` */
export async function endOwnSession(deps: SessionsDeps, userId: number, sessionId: string): Promise<void> {
  if (!(await endSession(deps, { userId, sessionId }))) throw notFound();
}

/** Publishes the end to every gateway. @returns whether there was one */
export async function endSession(
  { sessions, outbox }: SessionsDeps,
  session: { sessionId: string; userId?: number },
): Promise<boolean> {
  const ended = await sessions.end(session, sessionEnded);
  if (ended) outbox.notify();
  return ended;
}

export async function endOtherSessions(
  { sessions, outbox }: SessionsDeps,
  userId: number,
  keptSessionId: string | null,
): Promise<void> {
  await sessions.endOthers(userId, keptSessionId, sessionEnded);
  outbox.notify();
}

/** Never throws: the password is changed, and the sweep retries. */
export async function endInvalidSessions(
  { sessions, credentials, outbox, logger }: SessionsDeps,
  account: SessionValidity,
): Promise<void> {
  try {
    await sessions.endInvalid(account, sessionEnded);
    await credentials.clearInvalidSessions(account);
  } catch (error) {
    logger.warn({ err: error }, 'invalid sessions not ended, will retry');
  }
  outbox.notify();
}

export async function sweepSessions(deps: SessionsDeps, now: Date): Promise<void> {
  await deps.sessions.forgetExpired(now);
  for (const account of await deps.credentials.findWithInvalidSessions(BATCH)) await endInvalidSessions(deps, account);
}
