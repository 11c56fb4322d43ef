import { randomUUID } from 'node:crypto';
import { AppError, createEvent, outboxEntry } from '@najwa/common';
import type { AuthContext } from '../context.js';
import type { SessionRecord } from '../db/sessions.js';
import { createSessionToken, hashSessionToken } from './session-tokens.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** From its last use. */
export const SESSION_LIFETIME_MS = 30 * DAY_MS;

/** A session in steady use is written this often and no oftener. */
const EXTEND_AFTER_MS = 60 * 60 * 1000;

/** @returns the token, which exists only here and in the browser */
export async function beginSession({ sessions }: AuthContext, userId: number): Promise<string> {
  const token = createSessionToken();
  const now = new Date();
  await sessions.insert({
    sessionId: randomUUID(),
    tokenHash: hashSessionToken(token),
    userId,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: new Date(now.getTime() + SESSION_LIFETIME_MS),
  });
  return token;
}

/** @throws {AppError} `session_not_found` when it has ended or never was */
export async function resolveSession({ sessions }: AuthContext, tokenHash: Buffer): Promise<SessionRecord> {
  const now = new Date();
  const session = await sessions.findActive(tokenHash, now);
  if (session === null) throw new AppError({ code: 'session_not_found', message: 'This session has ended.' });
  if (now.getTime() - session.lastSeenAt.getTime() > EXTEND_AFTER_MS) {
    await sessions.extend(session.sessionId, now, new Date(now.getTime() + SESSION_LIFETIME_MS));
  }
  return session;
}

/** Ends a session; every gateway hears of it. Ending one twice is no fault. */
export async function endSession({ sessions, outbox }: AuthContext, sessionId: string): Promise<void> {
  const ended = await sessions.end(sessionId, ({ tokenHash }) => outboxEntry(createEvent(randomUUID(), { $case: 'sessionEnded', value: { tokenHash } })));
  if (ended) outbox.notify();
}
