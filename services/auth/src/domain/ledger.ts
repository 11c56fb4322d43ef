import { randomUUID } from 'node:crypto';
import { createEvent, outboxEntry } from '@najwa/common/amqp';
import type { AuthContext } from '../context.js';
import { keepAccount } from './deletion.js';

/** Repeats closings and reopenings that a restored backup lacks. */
export async function applyLedger(context: AuthContext): Promise<void> {
  const { ledger, users, deletions } = context;
  await ledger.applyAfterRestore(async ({ userId, deletesAt }, at) => {
    const user = await users.findById(userId);
    // A restore may reuse ids: skip a later account.
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
