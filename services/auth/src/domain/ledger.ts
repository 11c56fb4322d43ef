import { randomUUID } from 'node:crypto';
import { createEvent, outboxEntry } from '@najwa/common/amqp';
import type { AuthContext } from '../context.js';
import type { AccountFact } from './account-facts.js';
import { updateProfile } from './accounts.js';
import { keepAccount } from './deletion.js';

/** Repeats closings, reopenings and changes of protection that a restored backup lacks. */
export async function applyLedger(context: AuthContext): Promise<void> {
  await context.ledger.applyAfterRestore((fact, at) => applyFact(context, fact, at));
}

async function applyFact(context: AuthContext, fact: AccountFact, at: Date): Promise<void> {
  const { users, credentials, deletions } = context;
  const { userId } = fact;
  const user = await users.findById(userId);
  // A restore may reuse ids: skip a later account.
  if (user === null || user.createdAt > at) return;
  if ('receiving' in fact) await updateProfile(context, userId, { receiving: fact.receiving });
  else if ('recovery' in fact) await credentials.setRecovery(user, fact.recovery, { isNoted: true });
  else if ('spentHash' in fact) await credentials.spendRecoveryHash(userId, fact.spentHash);
  else if (fact.deletesAt === null) await keepAccount(context, userId);
  else {
    const value = { userId, deletesAt: new Date(fact.deletesAt) };
    const event = createEvent(randomUUID(), { $case: 'accountDeletionRequested', value });
    await deletions.close(user, value.deletesAt, outboxEntry(event));
  }
}
