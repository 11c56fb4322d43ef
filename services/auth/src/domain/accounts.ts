import { randomUUID } from 'node:crypto';
import { AppError, createEvent, outboxEntry, type Submission } from '@najwa/common';
import type { AuthContext } from '../context.js';
import type { UserRecord } from '../db/users.js';
import { requireUnreserved } from './usernames.js';

export interface Registration {
  username: string;
  name: string;
  password: string;
  bio: string;
}

/**
 * Makes an account. The same submission makes it once, and answers the same account again to whoever knows its password.
 * @throws {AppError} `username_reserved`, `username_taken`, `idempotency_conflict`
 */
export async function register({ users, passwords, outbox }: AuthContext, { password, ...registration }: Registration, submission: Submission): Promise<UserRecord> {
  requireUnreserved(registration.username);
  const passwordHash = await passwords.hash(password);
  const created = await users.insert({ ...registration, passwordHash, submission }, (userId) =>
    outboxEntry(createEvent(randomUUID(), { $case: 'userCreated', value: { userId } })),
  );
  if (created === 'taken') {
    throw new AppError({ code: 'username_taken', message: 'Username already exists', fields: { username: 'taken' } });
  }
  if ('submittedBefore' in created) {
    const same = created.submittedBefore.submission.content === submission.content && (await passwords.verify(created.submittedBefore.passwordHash, password));
    if (!same) throw new AppError({ code: 'idempotency_conflict', message: 'This idempotency key was used for something else.' });
    return created.submittedBefore;
  }
  outbox.notify();
  return created;
}

/** @throws {AppError} `wrong_credentials`, in the same words and time whether or not the account exists */
export async function authenticate({ users, passwords }: AuthContext, username: string, password: string): Promise<UserRecord> {
  const user = await users.findByUsername(username);
  const right = await passwords.verify(user?.passwordHash, password);
  if (user === null || !right) throw new AppError({ code: 'wrong_credentials', message: 'The username or the password is wrong.' });
  return user;
}
