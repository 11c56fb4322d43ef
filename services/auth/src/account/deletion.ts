import { randomUUID } from 'node:crypto';
import { createEvent, outboxEntry, type OutboxEntry } from '@najwa/common/amqp';
import { AppError } from '@najwa/common/errors';
import { LIMITS } from '@najwa/proto/http';
import { accountSender, wrongPassword } from '../access/passwords.js';
import type { AccountDeps } from './accounts.js';

const DAY_MS = 24 * 60 * 60 * 1000;

const accountKept = (userId: number): OutboxEntry =>
  outboxEntry(createEvent(randomUUID(), { $case: 'accountKept', value: { userId } }));

/** Idempotent. @throws {AppError} `wrong_password`, `last_administrator` */
export async function requestDeletion(deps: AccountDeps, userId: number, password: string): Promise<Date> {
  const { users, deletions, passwords, outbox } = deps;
  const user = await users.findById(userId);
  if (user === null || !(await passwords.verify(user.passwordHash, password, accountSender(userId))))
    throw wrongPassword('password');
  if (user.deletesAt !== null) return user.deletesAt;
  if (user.isAdmin && (await deletions.countAdministrators()) <= 1) throw lastAdministrator();
  const deletesAt = new Date(Date.now() + LIMITS.deletionDays * DAY_MS);
  const event = createEvent(randomUUID(), { $case: 'accountDeletionRequested', value: { userId, deletesAt } });
  if (!(await deletions.close(user, deletesAt, outboxEntry(event)))) {
    const present = await users.findById(userId);
    if (present?.deletesAt) return present.deletesAt;
    throw wrongPassword('password');
  }
  outbox.notify();
  // Two administrators leaving at once each saw the other: both stay.
  if (user.isAdmin && (await deletions.countAdministrators()) === 0) {
    await keepAccount(deps, userId);
    throw lastAdministrator();
  }
  return deletesAt;
}

export async function keepAccount({ deletions, outbox }: AccountDeps, userId: number): Promise<void> {
  if (await deletions.reopen(userId, accountKept(userId))) outbox.notify();
}

const lastAdministrator = (): AppError =>
  new AppError({ code: 'last_administrator', message: 'Somebody else has to become an administrator first.' });
