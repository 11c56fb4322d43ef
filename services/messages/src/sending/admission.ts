import {
  AppError,
  clientNetwork,
  clientSite,
  PROOF_BITS,
  readSubmissionKey,
  senderKey,
  type Identity,
} from '@najwa/common';
import { Receiving_From, type User } from '@najwa/proto/auth';
import type { MessagesContext } from '../context.js';
import type { ReceivingRule } from '../safety/rules-store.js';
import type { EarlierMessage } from '../store/message-record.js';
import { recentArrivals } from '../store/waves.js';

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
 * The wave that an account receives: far more than it ever did. Null if there is none.
 * @param place `inbox` for its owner; `all` for senders, who must not learn whether they are set aside
 */
export async function findWave(
  { counts, wave }: MessagesContext,
  userId: number,
  place: 'inbox' | 'all',
): Promise<{ count: number; minutes: number } | null> {
  const { count, isWave } = recentArrivals(wave, (await counts.arrivalsOf(userId))[place], new Date());
  return isWave ? { count, minutes: Math.round(wave.seconds / 60) } : null;
}

/**
 * Counts a message against the limits of its recipient. One site may use only a part of them. Beyond them a sender has
 * to solve a proof of work, up to higher limits, so that a few addresses cannot close an inbox for everybody. In a wave,
 * newcomers solve a small one before the limits are reached.
 * @param proof value of the proof-of-work header
 * @throws {AppError} `user_not_found`, `receiving_paused`, `account_required`, `account_too_new`, `proof_required`,
 * `too_many_requests`
 */
export async function admitToInbox(
  context: MessagesContext,
  { sender, proof }: { sender: Identity; proof: string | undefined },
  userId: number,
): Promise<void> {
  const [wave, holding] = await Promise.all([
    findWave(context, userId, 'all'),
    context.judge.findHolding(userId, sender),
    requireReceiving(context, sender, userId),
  ]);
  const { limits, proofs, waveProofs } = context;
  // Held messages have limits of their own: their recipient, who writes to itself to see, must not meet what they used.
  const inbox = holding === null ? String(userId) : `${userId} held ${holding}`;
  const site = `${inbox} ${clientSite(sender.ip)}`;
  const request = { subject: `inbox ${userId}`, network: clientNetwork(sender.ip), proof };
  const isSlowed = wave !== null && (await isNewcomer(context, sender));
  const provenBits = isSlowed ? await waveProofs.require(request) : 0;
  try {
    await limits.site.consume(site);
    await limits.recipient.consume(inbox);
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'too_many_requests')) throw error;
    // A proof counts once, so the one for the wave is not asked for again.
    if (provenBits < PROOF_BITS) await proofs.require(request);
    await limits.provenSite.consume(site);
    await limits.provenRecipient.consume(inbox);
  }
}

const DAY_MS = 24 * 60 * 60 * 1000;
const NEWCOMER_DAYS = 7;

/** Everybody but accounts of some age: they cannot be made for a flood, as cookies of visitors can. */
async function isNewcomer({ auth }: MessagesContext, { user }: Identity): Promise<boolean> {
  const createdAt = user === null ? undefined : (await auth.findUser(user.id))?.createdAt;
  return createdAt === undefined || Date.now() - createdAt.getTime() < NEWCOMER_DAYS * DAY_MS;
}

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
 * Refuses a sender whom the recipient does not receive from, before anything is read or stored. The rule that counts is
 * checked again when the message is saved; here it is read only where the sender would be refused.
 */
async function requireReceiving(context: MessagesContext, { user }: Identity, userId: number): Promise<void> {
  const recipient = await context.auth.findUser(userId);
  if (recipient === undefined) throw new AppError({ code: 'user_not_found', message: 'User not found' });
  const cached = ruleOf(recipient);
  if (cached.from === 'everyone') return;
  await requireRule(context, user, (await context.judge.receivingOf(userId)) ?? cached);
}

/**
 * Refuses a sender whom a rule does not let in.
 * @throws {AppError} `receiving_paused`, `account_required`, `account_too_new`
 */
export async function requireRule(
  { auth }: MessagesContext,
  user: Identity['user'],
  { from, minimumDays }: ReceivingRule,
): Promise<void> {
  if (from === 'nobody')
    throw new AppError({ code: 'receiving_paused', message: 'This account takes no messages for now.' });
  if (from === 'everyone') return;
  if (user === null)
    throw new AppError({ code: 'account_required', message: 'This account takes messages from accounts only.' });
  if (from === 'accounts') return;
  const createdAt = (await auth.findUser(user.id))?.createdAt;
  if (createdAt === undefined || Date.now() - createdAt.getTime() < minimumDays * DAY_MS)
    throw new AppError({
      code: 'account_too_new',
      message: 'This account takes messages from older accounts only.',
      minimumDays,
    });
}
