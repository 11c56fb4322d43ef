import { randomInt } from 'node:crypto';
import type { Device } from '@najwa/common';
import { AppError } from '@najwa/common/errors';
import type { Identity } from '@najwa/common/identity';
import type { DataKeys } from '@najwa/product';
import { LIMITS, RETENTION, type KindsChange, type NotificationKind, type QuietHours } from '@najwa/proto/http';
import type { AuthClient } from '../clients/auth.js';
import type { Limits } from '../config.js';
import { findWayBack, openWayBack, type SenderLinksDeps, type WayBackCaller } from '../sender-links/ways-back.js';
import { changedSet } from '../set-change.js';
import type { MessageRepository } from '../store/messages.js';
import type { SenderVault } from '../store/sender-vault.js';
import type { BrowserSubscription, PushServices } from './push-services.js';
import { quietUntil } from './quiet-hours.js';
import { pushTags, sealSecret } from './secrets.js';
import type { PushSender } from './sender.js';
import type { PushSubscriptionRecord, PushSubscriptionRepository } from './subscription-store.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Day precision: exact times would link subscriptions of one browser. */
const dayOf = (time: number): Date => new Date(time - (time % DAY_MS));
const expiryAfter = (days: number): Date => new Date(dayOf(Date.now()).getTime() + (days + 1) * DAY_MS);

export interface PushDeps {
  pushSubscriptions: PushSubscriptionRepository;
  pushServices: PushServices;
  pushSender: PushSender;
  senders: SenderVault;
  dataKeys: DataKeys;
  messages: MessageRepository;
  auth: AuthClient;
  wayBackMisses: SenderLinksDeps['wayBackMisses'];
}

export type PushLimits = Limits<'push' | 'wayBack'>;

type ForgetDeps = Pick<PushDeps, 'pushSubscriptions' | 'dataKeys'>;

type Account = NonNullable<Identity['user']>;

export interface PushSettings {
  kinds: NotificationKind[];
  quiet: QuietHours | null;
  language: 'ar' | 'en';
}

const notFound = (): AppError => new AppError({ code: 'not_found', message: 'There is no such subscription.' });

const refuse = (field: string, fault: 'not_valid' | 'not_a_key'): AppError =>
  new AppError({ code: 'invalid_input', message: 'The subscription is of no use.', fields: { [field]: fault } });

interface Given extends PushSettings {
  subscription: BrowserSubscription;
  device: Device;
}

/** @throws {AppError} `invalid_input` for a forbidden endpoint or an invalid key */
function newRecord(
  { pushServices }: PushDeps,
  { subscription, kinds, quiet, language, device }: Given,
): Omit<PushSubscriptionRecord, 'id' | 'owners' | 'session' | 'sealed' | 'expiresAt'> {
  const host = pushServices.hostOf(subscription.endpoint);
  if (host === null) throw refuse('subscription.endpoint', 'not_valid');
  if (!pushServices.isKey(subscription.keys.p256dh)) throw refuse('subscription.keys.p256dh', 'not_a_key');
  const createdAt = dayOf(Date.now());
  // Random, so that a change of an earlier subscription with this id never matches.
  const version = randomInt(2 ** 40);
  return {
    host,
    kinds,
    quiet,
    language,
    device,
    createdAt,
    version,
    told: [],
    hasAnswered: false,
    restUntil: null,
    notice: null,
  };
}

/** Keeps deduplication marks on renewal. */
async function store({ pushSubscriptions }: PushDeps, record: PushSubscriptionRecord): Promise<PushSubscriptionRecord> {
  const { id, owners, session, sealed, kinds, quiet, language, device, expiresAt } = record;
  const earlier = await pushSubscriptions.find(id);
  const isOwn = earlier?.owners[0] === owners[0];
  const renewed =
    isOwn && earlier
      ? await pushSubscriptions.change(earlier, () => ({ session, sealed, kinds, quiet, language, device, expiresAt }))
      : null;
  if (renewed) return renewed;
  await pushSubscriptions.put(record);
  return record;
}

/** A browser subscribed for another account switches over. */
export async function subscribeAccount(
  deps: PushDeps,
  { id: userId, sessionId }: Account,
  given: Given,
): Promise<PushSubscriptionRecord> {
  const { pushSubscriptions, senders, dataKeys } = deps;
  const record = newRecord(deps, given);
  const key = await dataKeys.permanentKey();
  const tags = pushTags(key);
  const id = tags.browserOfAccount(given.subscription.endpoint);
  const owners = (await senders.keysOf(userId)).map(tags.account);
  const stored = await store(deps, {
    ...record,
    id,
    owners,
    session: tags.session(sessionId),
    sealed: sealSecret(key, id, { subscription: given.subscription, userId }),
    expiresAt: expiryAfter(RETENTION.sessionDays),
  });
  const others = (await pushSubscriptions.listOf(owners)).filter((other) => other.id !== id);
  const tooMany = others.sort(newestFirst).slice(LIMITS.pushDevices - 1);
  await Promise.all(tooMany.map((other) => pushSubscriptions.remove(other.id)));
  return stored;
}

/** Each answer of a conversation is notified once. */
export const aboutReply = (messageId: number): string => `reply ${messageId}`;

const MAX_OF_WAY_BACK = 5;

/**
 * By message: a network's limit would inform neighbours.
 * @throws {AppError} `message_not_found`, `too_many_requests`
 */
async function openToChange(deps: PushDeps, limits: PushLimits, caller: WayBackCaller): Promise<number> {
  const { id } = await openWayBack(deps, limits, caller);
  await limits.push.consume(`message ${id}`);
  return id;
}

/** @throws {AppError} `message_not_found`, `too_many_requests` */
export async function subscribeWayBack(
  deps: PushDeps,
  limits: PushLimits,
  caller: WayBackCaller,
  given: Given,
): Promise<PushSubscriptionRecord> {
  const { pushSubscriptions, dataKeys, pushSender } = deps;
  const record = newRecord(deps, given);
  const messageId = await openToChange(deps, limits, caller);
  const key = await dataKeys.permanentKey();
  const tags = pushTags(key);
  const id = tags.browserOfMessage(given.subscription.endpoint, messageId);
  const owner = tags.message(messageId);
  const stored = await store(deps, {
    ...record,
    id,
    kinds: ['reply'],
    owners: [owner],
    session: null,
    sealed: sealSecret(key, id, { subscription: given.subscription, userId: null }),
    expiresAt: expiryAfter(RETENTION.pushWayBackDays),
  });
  const others = (await pushSubscriptions.listOf([owner])).filter((other) => other.id !== id);
  await Promise.all(
    others
      .sort(newestFirst)
      .slice(MAX_OF_WAY_BACK - 1)
      .map((other) => pushSubscriptions.remove(other.id)),
  );
  // The reply or a deletion may have come just before.
  const { turns: now } = await findWayBack(deps, caller.token).catch(async (error: unknown) => {
    await pushSubscriptions.removeOf(owner);
    throw error;
  });
  const last = now.at(-1);
  if (last?.reply) await pushSender.enqueue({ owner, about: aboutReply(last.id), kind: 'reply' });
  return stored;
}

const newestFirst = (a: PushSubscriptionRecord, b: PushSubscriptionRecord): number =>
  b.expiresAt.getTime() - a.expiresAt.getTime() || b.createdAt.getTime() - a.createdAt.getTime();

export async function listSubscriptions(deps: PushDeps, userId: number): Promise<PushSubscriptionRecord[]> {
  const found = await deps.pushSubscriptions.listOf([await accountOwner(deps, userId)]);
  return found.filter(({ expiresAt }) => expiresAt > new Date()).sort(newestFirst);
}

const accountOwner = async ({ dataKeys }: ForgetDeps, userId: number): Promise<string> =>
  pushTags(await dataKeys.permanentKey()).account(userId);

/** @throws {AppError} `not_found` if it is another account's */
async function findOwn(deps: PushDeps, userId: number, id: string): Promise<PushSubscriptionRecord> {
  const found = await deps.pushSubscriptions.find(id);
  if (found?.owners.includes(await accountOwner(deps, userId)) !== true) throw notFound();
  return found;
}

/** @throws {AppError} `not_found` */
export async function changeSubscription(
  deps: PushDeps,
  { id: userId, sessionId }: Account,
  id: string,
  { kinds, ...changes }: Omit<Partial<PushSettings>, 'kinds'> & { kinds?: NotificationKind[] | KindsChange },
): Promise<PushSubscriptionRecord> {
  const found = await findOwn(deps, userId, id);
  const session = pushTags(await deps.dataKeys.permanentKey()).session(sessionId);
  const [owner] = found.owners;
  const changed = await deps.pushSubscriptions.change(found, (current) => {
    if (current.owners[0] !== owner) throw notFound();
    const { notice, quiet: before } = current;
    const quiet = changes.quiet === undefined ? before : changes.quiet;
    // Held notices follow changed quiet hours.
    const isWaiting = notice?.isHeld === true && notice.lease === null;
    const dueAt = (quiet && quietUntil(quiet, new Date())) ?? new Date();
    return {
      ...changes,
      ...(kinds && { kinds: Array.isArray(kinds) ? kinds : changedSet(current.kinds, kinds) }),
      // Only a renewal by the browser itself changes its session.
      ...(kinds === undefined && Object.keys(changes).length === 0 && { session }),
      ...(isWaiting && { notice: { ...notice, dueAt } }),
      expiresAt: expiryAfter(RETENTION.sessionDays),
    };
  });
  if (changed === null) throw notFound();
  deps.pushSender.notify();
  return changed;
}

/** @throws {AppError} `not_found` */
export async function unsubscribeAccount(deps: PushDeps, userId: number, id: string): Promise<void> {
  if (!(await deps.pushSubscriptions.remove(id, await accountOwner(deps, userId)))) throw notFound();
}

/** @throws {AppError} `message_not_found`, `too_many_requests`, `not_found` */
export async function unsubscribeWayBack(
  deps: PushDeps,
  limits: PushLimits,
  caller: WayBackCaller,
  id: string,
): Promise<void> {
  const messageId = await openToChange(deps, limits, caller);
  const owner = pushTags(await deps.dataKeys.permanentKey()).message(messageId);
  if (!(await deps.pushSubscriptions.remove(id, owner))) throw notFound();
}

/** @throws {AppError} `not_found` */
export async function testSubscription(deps: PushDeps, userId: number, id: string): Promise<void> {
  const { owners } = await findOwn(deps, userId, id);
  const [owner = ''] = owners;
  await deps.pushSender.enqueue({ owner, about: `test ${Date.now()}`, kind: 'test', only: id });
}

export const forgetBrowsersOfAccount = async (deps: ForgetDeps, userId: number): Promise<void> =>
  deps.pushSubscriptions.removeOf(await accountOwner(deps, userId));

export async function forgetBrowsersOfMessage(deps: ForgetDeps, messageId: number): Promise<void> {
  const { pushSubscriptions, dataKeys } = deps;
  await pushSubscriptions.removeOf(pushTags(await dataKeys.permanentKey()).message(messageId));
}

export async function forgetBrowsersOfSession(deps: ForgetDeps, sessionId: string | undefined): Promise<void> {
  if (sessionId === undefined) return;
  const { pushSubscriptions, dataKeys } = deps;
  await pushSubscriptions.removeOfSession(pushTags(await dataKeys.permanentKey()).session(sessionId));
}
