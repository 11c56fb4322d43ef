import { randomUUID } from 'node:crypto';
import { createEvent, outboxEntry } from '@najwa/common/amqp';
import type { AuthContext } from '../context.js';
import { keepAccount } from './deletion.js';

/**
 * Closes accounts of a restored backup that were closed or deleted since. The sweep deletes those whose time is over. An
 * account whose owner kept it opens again.
 */
export async function applyLedger(context: AuthContext): Promise<void> {
  const { ledger, users, deletions } = context;
  await ledger.applyAfterRestore(async ({ userId, deletesAt }, at) => {
    const user = await users.findById(userId);
    // A later account with this id has nothing to do with it.
    if (user === null || user.createdAt > at) return;
    if (deletesAt === null) {
      await keepAccount(context, userId);
      return;
    }
    const value = { userId, deletesAt: new Date(deletesAt) };
    const event = createEvent(randomUUID(), { $case: 'accountDeletionRequested', value });
    await deletions.close(user, value.deletesAt, outboxEntry(event));
  });
}
