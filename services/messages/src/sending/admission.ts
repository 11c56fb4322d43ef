import type { OutboxRelay } from '@najwa/common/amqp';
import { AppError } from '@najwa/common/errors';
import { senderKey, type Identity } from '@najwa/common/identity';
import { clientNetwork, clientSite, readSubmissionKey } from '@najwa/common/limits';
import { PROOF_BITS, type DataKeys, type ProofOfWork } from '@najwa/product';
import type { AuthClient } from '../clients/auth.js';
import type { MediaClient } from '../clients/media.js';
import type { Limits } from '../config.js';
import type { EarlierSenders, InboxJudge } from '../safety/judge.js';
import { requireRule, ruleOf } from '../safety/receiving.js';
import type { CountRepository } from '../store/counts.js';
import type { Conversation, EarlierMessage } from '../store/message-record.js';
import type { MessageRepository } from '../store/messages.js';
import type { SenderVault } from '../store/sender-vault.js';
import type { Timers } from '../timers.js';

/** Place of a further message in its conversation. */
export interface Following {
  userId: number;
  /** Hash of the token. */
  wayBack: string;
  conversation: Conversation;
  earlier: EarlierSenders;
}

export interface SendingDeps {
  messages: MessageRepository;
  judge: InboxJudge;
  counts: CountRepository;
  senders: SenderVault;
  dataKeys: DataKeys;
  outbox: OutboxRelay;
  deliveries: Timers;
  auth: AuthClient;
  media: MediaClient;
  limits: Limits;
  /** `inWave` is easier, for newcomers, and also accepts a solution of `beyondLimits`. */
  proofs: Record<'beyondLimits' | 'inWave', ProofOfWork>;
}

/**
 * Before the body is read. Retries have their own limit.
 * @returns the message of an earlier try
 * @throws {AppError} `too_many_requests`, `invalid_input` for a malformed key
 */
export async function admitSender(
  { messages, limits }: SendingDeps,
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
 * Limits each inbox, with a share per site. A proof of work raises the limits, so that a few addresses cannot close an
 * inbox. In a wave, newcomers need a small proof.
 * @throws {AppError} `user_not_found`, `receiving_paused`, `account_required`, `account_too_new`, `proof_required`,
 * `too_many_requests`
 */
export async function admitToInbox(
  deps: SendingDeps,
  { sender, proof, following }: { sender: Identity; proof: string | undefined; following?: Following },
  userId: number,
  isLater: boolean,
): Promise<void> {
  const { counts, judge, limits, proofs } = deps;
  const [wave, waveOfAll, holding] = await Promise.all([
    counts.findWave(userId, 'all'),
    counts.findWave(userId, 'held'),
    judge.findHolding(userId, sender, following?.earlier),
    requireReceiving(deps, sender, userId),
  ]);
  const [judgedBy, ...others] = isLater ? [`${userId} later`] : inboxesOf(userId, holding !== null);
  const request = { subject: `inbox ${userId}`, network: clientNetwork(sender.ip), proof };
  const isSlowed = (holding === null ? wave : waveOfAll) !== null && (await isNewcomer(deps, sender));
  const provenBits = isSlowed ? await proofs.inWave.require(request) : 0;
  const takeFrom = async (inbox: string): Promise<void> => {
    await limits.site.consume(`${inbox} ${clientSite(sender.ip)}`);
    await limits.recipient.consume(inbox);
  };
  const takeProven = async (inbox: string): Promise<void> => {
    await limits.provenSite.consume(`${inbox} ${clientSite(sender.ip)}`);
    await limits.provenRecipient.consume(inbox);
  };
  const takeBoth = (take: (inbox: string) => Promise<void>): Promise<unknown> =>
    Promise.all([take(judgedBy), ...others.map((other) => take(other).catch(() => undefined))]);
  try {
    await takeBoth(takeFrom);
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'too_many_requests')) throw error;
    // A proof is single-use, so the one for the wave suffices.
    if (provenBits < PROOF_BITS) await proofs.beyondLimits.require(request);
    await takeBoth(takeProven);
  }
}

/**
 * Two counters, without and with held messages: recipients must not notice held ones, and their senders must meet the
 * usual limits. Both always count, so that timing does not differ.
 */
function inboxesOf(userId: number, isHeld: boolean): [string, string] {
  const withHeld = `${userId} with held`;
  return isHeld ? [withHeld, `${userId} held`] : [String(userId), withHeld];
}

/** Refuses none. */
export async function countArrival(
  { limits }: Pick<SendingDeps, 'limits'>,
  userId: number,
  isHeld: boolean,
): Promise<void> {
  await Promise.all(inboxesOf(userId, isHeld).map((inbox) => limits.recipient.consume(inbox).catch(() => undefined)));
}

const DAY_MS = 24 * 60 * 60 * 1000;
const NEWCOMER_DAYS = 7;

/** Cookies are free to make for a flood, accounts of some age are not. */
async function isNewcomer({ auth }: SendingDeps, { user }: Identity): Promise<boolean> {
  const createdAt = user === null ? undefined : (await auth.findUser(user.id))?.createdAt;
  return createdAt === undefined || Date.now() - createdAt.getTime() < NEWCOMER_DAYS * DAY_MS;
}

/** Refuses early. Saving checks the rule again, so it is read only if the cached one may refuse. */
async function requireReceiving(deps: SendingDeps, { user }: Identity, userId: number): Promise<void> {
  const recipient = await deps.auth.findUser(userId);
  if (recipient === undefined) throw new AppError({ code: 'user_not_found', message: 'User not found' });
  const cached = ruleOf(recipient);
  if (cached.from === 'everyone') return;
  await requireRule(deps, user, (await deps.judge.receivingOf(userId)) ?? cached);
}
