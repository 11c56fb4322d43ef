import { AppError } from '@najwa/common/errors';
import type { Identity } from '@najwa/common/identity';
import { Receiving_From, type User } from '@najwa/proto/auth';
import type { ReceivingSettings } from '@najwa/proto/http';
import type { SafetyDeps } from './filters.js';
import type { ReceivingRule } from './rules-store.js';

const DAY_MS = 24 * 60 * 60 * 1000;

const EVERYONE: ReceivingRule = { from: 'everyone', minimumDays: 0 };

const RULES: Partial<Record<Receiving_From, ReceivingRule['from']>> = {
  [Receiving_From.FROM_ACCOUNTS]: 'accounts',
  [Receiving_From.FROM_ESTABLISHED]: 'established',
  [Receiving_From.FROM_NOBODY]: 'nobody',
};

/** The rule as auth tells it. What is cached of an account may be from before a change. */
export const ruleOf = ({ receiving }: User): ReceivingRule =>
  receiving ? { from: RULES[receiving.from] ?? 'everyone', minimumDays: receiving.minimumDays } : EVERYONE;

/**
 * Changes who may write to an account. It counts from the next message on, in every replica: the rule is read with each
 * message, as blocks are. Auth keeps the settings, for the public page.
 */
export async function updateReceiving(
  { auth, rules }: Pick<SafetyDeps, 'auth' | 'rules'>,
  userId: number,
  changes: Partial<ReceivingSettings>,
): Promise<ReceivingSettings> {
  // If the change fails half-way, both would say something else. Without a rule, auth's settings count.
  if (changes.from !== undefined || changes.minimumDays !== undefined) await rules.forgetReceiving(userId);
  const settings = await auth.updateReceiving(userId, changes);
  // Of changes at once, the last one in auth counts.
  await rules.setReceiving(userId, async () => {
    const [account] = await auth.findUsers([userId]);
    if (account === undefined) throw new AppError({ code: 'not_signed_in', message: 'Sign in first.' });
    return ruleOf(account);
  });
  return settings;
}

/** Why a rule does not let a sender in: `receiving_paused`, `account_required` or `account_too_new`. Null if it does. */
export async function refusalOf(
  { auth }: Pick<SafetyDeps, 'auth'>,
  user: Pick<NonNullable<Identity['user']>, 'id'> | null,
  { from, minimumDays }: ReceivingRule,
): Promise<AppError | null> {
  if (from === 'nobody')
    return new AppError({ code: 'receiving_paused', message: 'This account takes no messages for now.' });
  if (from === 'everyone') return null;
  if (user === null)
    return new AppError({ code: 'account_required', message: 'This account takes messages from accounts only.' });
  if (from === 'accounts') return null;
  const createdAt = (await auth.findUser(user.id))?.createdAt;
  if (createdAt !== undefined && Date.now() - createdAt.getTime() >= minimumDays * DAY_MS) return null;
  return new AppError({
    code: 'account_too_new',
    message: 'This account takes messages from older accounts only.',
    minimumDays,
  });
}

/** @throws {AppError} what `refusalOf` says */
export async function requireRule(...asked: Parameters<typeof refusalOf>): Promise<void> {
  const refusal = await refusalOf(...asked);
  if (refusal !== null) throw refusal;
}
