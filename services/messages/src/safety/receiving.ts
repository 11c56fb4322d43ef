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

export const ruleOf = ({ receiving }: User): ReceivingRule =>
  receiving ? { from: RULES[receiving.from] ?? 'everyone', minimumDays: receiving.minimumDays } : EVERYONE;

/** Every replica applies the rule to the next message. Auth keeps a copy for the public page. */
export async function updateReceiving(
  { auth, rules }: Pick<SafetyDeps, 'auth' | 'rules'>,
  userId: number,
  changes: Partial<ReceivingSettings>,
): Promise<ReceivingSettings> {
  // Without a stored rule auth's settings apply, so a change that fails half-way stays consistent.
  if (changes.from !== undefined || changes.minimumDays !== undefined) await rules.forgetReceiving(userId);
  const settings = await auth.updateReceiving(userId, changes);
  // Concurrent changes: the last one in auth wins.
  await rules.setReceiving(userId, async () => {
    const [account] = await auth.findUsers([userId]);
    if (account === undefined) throw new AppError({ code: 'not_signed_in', message: 'Sign in first.' });
    return ruleOf(account);
  });
  return settings;
}

/** `receiving_paused`, `account_required` or `account_too_new` if the rule refuses the sender, else null. */
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

/** @throws {AppError} the error of `refusalOf` */
export async function requireRule(...asked: Parameters<typeof refusalOf>): Promise<void> {
  const refusal = await refusalOf(...asked);
  if (refusal !== null) throw refusal;
}
