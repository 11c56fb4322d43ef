import { randomUUID } from 'node:crypto';
import { createEvent, outboxEntry } from '@najwa/common/amqp';
import type { DeletionLedger } from '@najwa/product';
import type { CredentialRepository } from '../access/credential-store.js';
import type { AccountFact } from './account-facts.js';
import { updateProfile, type AccountDeps } from './accounts.js';
import { keepAccount } from './deletion.js';

export interface LedgerDeps extends AccountDeps {
  credentials: CredentialRepository;
  ledger: DeletionLedger<AccountFact>;
}

/** Repeats closings, reopenings and changes of protection that a restored backup lacks. */
export async function applyLedger(deps: LedgerDeps): Promise<void> {
  await deps.ledger.applyAfterRestore((fact, at) => applyFact(deps, fact, at));
}

async function applyFact(deps: LedgerDeps, fact: AccountFact, at: Date): Promise<void> {
  const { users, credentials, deletions } = deps;
  const { userId } = fact;
  const user = await users.findById(userId);
  // A restore may reuse ids: skip a later account.
  if (user === null || user.createdAt > at) return;
  if ('receiving' in fact) await updateProfile(deps, userId, { receiving: fact.receiving });
  else if ('recovery' in fact) await credentials.setRecovery(user, fact.recovery, { isNoted: true });
  else if ('spentHash' in fact) await credentials.spendRecoveryHash(userId, fact.spentHash);
  else if (fact.deletesAt === null) await keepAccount(deps, userId);
  else {
    const value = { userId, deletesAt: new Date(fact.deletesAt) };
    const event = createEvent(randomUUID(), { $case: 'accountDeletionRequested', value });
    await deletions.close(user, value.deletesAt, outboxEntry(event));
  }
}
