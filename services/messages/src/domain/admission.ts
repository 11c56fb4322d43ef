import { AppError, clientNetwork, clientSite, readSubmissionKey, senderKey, type Identity } from '@najwa/common';
import type { MessagesContext } from '../context.js';
import type { EarlierMessage } from '../db/message-record.js';

/**
 * Counts a submission against the limits of its sender, before its body is read. A retry has a limit of its own.
 * @returns the message that an earlier try of the same submission created
 * @throws {AppError} `too_many_requests`, `invalid_input` for a malformed key
 */
export async function admitSender(
  { messages, limits }: MessagesContext,
  sender: Identity,
  kind: 'text' | 'voice',
  idempotencyKey: string | undefined,
): Promise<EarlierMessage | null> {
  const submissionKey = readSubmissionKey(idempotencyKey, sender);
  const earlier = submissionKey === undefined ? null : await messages.findBySubmission(submissionKey);
  const key = senderKey(sender);
  if (earlier) {
    await limits.retry.consume(key);
    return earlier;
  }
  if (kind === 'voice') await limits.voice.consume(key);
  await limits.sender.consume(key);
  return null;
}

/**
 * Counts a message against the limits of its recipient. One site may use only a part of them. Beyond them a sender has
 * to solve a proof of work, up to higher limits, so that a few addresses cannot close an inbox for everybody.
 * @param proof value of the proof-of-work header
 * @throws {AppError} `user_not_found`, `proof_required`, `too_many_requests`
 */
export async function admitToInbox(
  { auth, limits, proofs }: MessagesContext,
  { sender, proof }: { sender: Identity; proof: string | undefined },
  userId: number,
): Promise<void> {
  if (!(await auth.hasUser(userId))) throw new AppError({ code: 'user_not_found', message: 'User not found' });
  const inbox = String(userId);
  const site = `${userId} ${clientSite(sender.ip)}`;
  try {
    await limits.site.consume(site);
    await limits.recipient.consume(inbox);
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'too_many_requests')) throw error;
    await proofs.require({ subject: `inbox ${userId}`, network: clientNetwork(sender.ip), proof });
    await limits.provenSite.consume(site);
    await limits.provenRecipient.consume(inbox);
  }
}
