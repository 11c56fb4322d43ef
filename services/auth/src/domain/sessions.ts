import { randomUUID } from 'node:crypto';
import { AppError, createEvent, outboxEntry, type Device } from '@najwa/common';
import type { AuthContext } from '../context.js';
import type { SessionRecord } from '../db/sessions.js';
import type { UserRecord } from '../db/users.js';
import { createSessionToken, hashSessionToken } from './session-tokens.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** From its last use. */
export const SESSION_LIFETIME_MS = 30 * DAY_MS;

/** A session in steady use is written this often and no oftener. */
const EXTEND_AFTER_MS = 5 * 60 * 1000;

/** @returns the token, which exists only here and in the browser */
export async function beginSession({ sessions }: AuthContext, userId: number, device: Device): Promise<string> {
  const token = createSessionToken();
  const now = new Date();
  await sessions.insert({
    sessionId: randomUUID(),
    tokenHash: hashSessionToken(token),
    userId,
    device,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: new Date(now.getTime() + SESSION_LIFETIME_MS),
  });
  return token;
}

const notFound = (): AppError => new AppError({ code: 'session_not_found', message: 'This session has ended.' });

/** A change of password ends the other sessions in one write of the account; that each of them is also ended comes after. */
function outlivedByAccount(session: SessionRecord, { sessionsValidFrom, keptSessionId }: UserRecord): boolean {
  return sessionsValidFrom !== null && session.createdAt < sessionsValidFrom && session.sessionId !== keptSessionId;
}

/** @throws {AppError} `session_not_found` when it has ended or never was */
export async function resolveSession(
  { sessions, users }: AuthContext,
  tokenHash: Buffer,
): Promise<{ session: SessionRecord; user: UserRecord }> {
  const now = new Date();
  const session = await sessions.findActive(tokenHash, now);
  const user = session && (await users.findById(session.userId));
  if (session === null || user === null || outlivedByAccount(session, user)) throw notFound();
  if (now.getTime() - session.lastSeenAt.getTime() > EXTEND_AFTER_MS) {
    await sessions.extend(session.sessionId, now, new Date(now.getTime() + SESSION_LIFETIME_MS));
  }
  return { session, user };
}

/** The sessions of an account in which someone is signed in. */
export async function listSessions({ sessions }: AuthContext, user: UserRecord): Promise<SessionRecord[]> {
  return (await sessions.listActive(user.id, new Date())).filter((session) => !outlivedByAccount(session, user));
}

/** Ends a session; every gateway hears of it. Ending one twice is no fault. */
export async function endSession({ sessions, outbox }: AuthContext, sessionId: string): Promise<void> {
  const ended = await sessions.end(sessionId, ({ tokenHash }) =>
    outboxEntry(createEvent(randomUUID(), { $case: 'sessionEnded', value: { tokenHash } })),
  );
  if (ended) outbox.notify();
}

/** @throws {AppError} `session_not_found` when it is not one of the account's */
export async function endOwnSession(context: AuthContext, userId: number, sessionId: string): Promise<void> {
  const own = await context.sessions.listActive(userId, new Date());
  if (!own.some((session) => session.sessionId === sessionId)) throw notFound();
  await endSession(context, sessionId);
}

/** Ends every session of an account but one. */
export async function endOtherSessions(context: AuthContext, userId: number, keptSessionId: string): Promise<void> {
  const others = (await context.sessions.listActive(userId, new Date())).filter(
    ({ sessionId }) => sessionId !== keptSessionId,
  );
  for (const { sessionId } of others) await endSession(context, sessionId);
}
