import { AppError } from '@najwa/common';
import type { ReceivingSettings } from '@najwa/proto/http';
import type { MessagesContext } from '../context.js';
import { ruleOf } from '../sending/admission.js';

/**
 * Changes who may write to an account. It counts from the next message on, in every replica: the rule is read with each
 * message, as blocks are. Auth keeps the settings, for the public page.
 */
export async function updateReceiving(
  { auth, rules }: MessagesContext,
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
