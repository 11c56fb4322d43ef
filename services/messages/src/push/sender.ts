import { randomUUID } from 'node:crypto';
import { createBatcher } from '@najwa/common';
import type { Logger } from '@najwa/common/logging';
import type { Metrics } from '@najwa/common/metrics';
import type { DataKeys } from '@najwa/product';
import type { NotificationKind, PushKind } from '@najwa/proto/http';
import { LeasedWorker } from '../leased-worker.js';
import type { PushOutcome, PushServices } from './push-services.js';
import { quietUntil } from './quiet-hours.js';
import { openSecret, pushTags, type PushTags } from './secrets.js';
import type { PendingNotice, PushSubscriptionRecord, PushSubscriptionRepository } from './subscription-store.js';

export interface News {
  owner: string;
  /** Deduplicates: a browser is notified once per subject. */
  about: string;
  kind: NotificationKind | 'test';
  /** One subscription, regardless of its settings. */
  only?: string;
}

interface PushSenderOptions {
  subscriptions: PushSubscriptionRepository;
  services: PushServices;
  hasUnread: (userId: number) => Promise<boolean>;
  dataKeys: DataKeys;
  logger: Logger;
  metrics: Metrics;
  pauseMs: number;
  /** Upper bound of the random delay of replies. */
  replyDelayMs: number;
}

/** Concurrency, in total and per push service, so that a slow one leaves room. */
const MAX_SENDING = 64;
export const MAX_SENDING_TO_HOST = 16;
/** Per account, whose addresses may all be dead. */
const SHARE_OF_OWNER = 4;

const POLL_MS = 2_000;

/** Exceeds the longest send. */
const LEASE_MS = 60_000;

const MAX_ATTEMPTS = 8;
const FIRST_PAUSE_MS = 1_000;
const PAUSE_FACTOR = 4;
const MAX_PAUSE_MS = 60 * 60 * 1000;
const MAX_RETRY_AFTER_MS = 6 * 60 * 60 * 1000;

const TTL_SECONDS = 24 * 60 * 60;
const MAX_MARKS = 50;

/** Equal lengths, so that the push service cannot distinguish kinds. */
const PAYLOAD_LENGTH = 100;

/** @returns null after the last attempt */
export function nextAttempt(
  attempts: number,
  retryAfterMs: number | null,
  now: Date,
  random = Math.random(),
): Date | null {
  if (attempts >= MAX_ATTEMPTS) return null;
  const pause = Math.min(FIRST_PAUSE_MS * PAUSE_FACTOR ** (attempts - 1), MAX_PAUSE_MS) * (0.75 + random / 2);
  return new Date(now.getTime() + Math.max(pause, Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS)));
}

const union = <T>(...lists: readonly T[][]): T[] => [...new Set(lists.flat())];

/** The push service could match an immediate reply to its publication and infer the sender. */
const delayOf = (kinds: readonly PushKind[], replyDelayMs: number): number =>
  kinds.every((kind) => kind === 'reply') ? replyDelayMs * Math.random() : 0;

/** Merges kinds into the pending notice, or queues them while one is being sent. In quiet hours a test goes alone. */
export function withNews(
  current: PushSubscriptionRecord,
  kinds: PushKind[],
  now: Date,
  replyDelayMs: number,
): PendingNotice {
  const { notice, quiet, restUntil } = current;
  const isTest = kinds.includes('test');
  const quietEnd = quiet && quietUntil(quiet, now);
  const isUnderWay = notice !== null && (notice.lease !== null || (quietEnd !== null && notice.kinds.includes('test')));
  if (isUnderWay) return { ...notice, next: union(notice.next, kinds) };
  if (isTest && quietEnd !== null) {
    const held = union(notice?.kinds ?? [], kinds).filter((kind) => kind !== 'test');
    return { kinds: ['test'], dueAt: now, attempts: 0, isHeld: false, lease: null, next: held };
  }
  const soon = new Date(Math.max(now.getTime() + delayOf(kinds, replyDelayMs), restUntil?.getTime() ?? 0));
  const earliest = isTest ? now : (quietEnd ?? soon);
  if (notice === null) return { kinds, dueAt: earliest, attempts: 0, isHeld: quietEnd !== null, lease: null, next: [] };
  // A delayed reply joins immediate kinds. After a failure the push service sets the time.
  const isFirst = notice.attempts === 0 && !notice.isHeld;
  const dueAt = isTest || (isFirst && earliest < notice.dueAt) ? earliest : notice.dueAt;
  return { ...notice, kinds: union(notice.kinds, kinds), dueAt };
}

const frequent = (names: string[], least: number): string[] =>
  [...new Set(names)].filter((name) => names.filter((other) => other === name).length >= least);

export class PushSender extends LeasedWorker<PushSubscriptionRecord> {
  readonly #options;
  readonly #sending = new Set<PushSubscriptionRecord>();
  /** Resolves once stored. Sending is asynchronous. One change per browser and batch. */
  readonly enqueue = createBatcher<News, undefined>({
    runBatch: async (news) => {
      const tags = await this.#tags();
      const found = await this.#options.subscriptions.listOf(union(news.map(({ owner }) => owner)));
      await Promise.all(found.map((subscription) => this.#addNews(subscription, news, tags)));
      if (found.length > 0) this.notify();
      return news.map(() => undefined);
    },
  });

  constructor(options: PushSenderOptions) {
    super('notices', POLL_MS, options.logger);
    this.#options = options;
  }

  /** @param account id or tag */
  async enqueueForAccount(notification: { id: number; account: string; kind: NotificationKind }): Promise<void> {
    const { id, account, kind } = notification;
    await this.enqueue({ owner: (await this.#tags()).account(account), about: String(id), kind });
  }

  /** Small rounds, so that no push service or account takes more than its share. */
  protected override async take(running: number): Promise<PushSubscriptionRecord[]> {
    const free = Math.min(MAX_SENDING - running, MAX_SENDING_TO_HOST);
    if (free <= 0) return [];
    const now = new Date();
    const hosts = [...this.#sending].map(({ host }) => host);
    const owners = [...this.#sending].map(({ owners: [owner = ''] }) => owner);
    return this.#options.subscriptions.claim({
      now,
      leaseUntil: new Date(now.getTime() + LEASE_MS),
      lease: randomUUID(),
      limit: Math.ceil(free / 2),
      withoutHosts: frequent(hosts, MAX_SENDING_TO_HOST / 2),
      withoutOwners: frequent(owners, SHARE_OF_OWNER),
    });
  }
  protected override async run(claimed: PushSubscriptionRecord): Promise<void> {
    const { notice } = claimed;
    if (notice === null) return;
    this.#sending.add(claimed);
    try {
      this.#options.metrics.pushNotices.inc({ outcome: await this.#send(claimed, notice) });
    } finally {
      this.#sending.delete(claimed);
    }
  }

  async #tags(): Promise<PushTags> {
    return pushTags(await this.#options.dataKeys.permanentKey());
  }
  async #addNews(subscription: PushSubscriptionRecord, news: readonly News[], tags: PushTags): Promise<void> {
    await this.#options.subscriptions.change(subscription, (current) => {
      const fresh = news
        .filter(({ owner, kind, only }) => {
          if (!current.owners.includes(owner)) return false;
          return only === undefined ? kind !== 'test' && current.kinds.includes(kind) : only === current.id;
        })
        .map(({ kind, about }) => ({ kind, mark: tags.noticeMark(current.id, about) }))
        .filter(({ mark }) => !current.told.includes(mark));
      if (fresh.length === 0) return null;
      const marks = fresh.map(({ mark }) => mark);
      return {
        told: union(current.told, marks).slice(-MAX_MARKS),
        notice: withNews(current, union(fresh.map(({ kind }) => kind)), new Date(), this.#options.replyDelayMs),
      };
    });
  }
  #settle(claimed: PushSubscriptionRecord, decide: (notice: PendingNotice) => PendingNotice | null) {
    return this.#options.subscriptions.change(claimed, (current) => {
      const { notice } = current;
      if (notice === null || notice.lease !== claimed.notice?.lease) return null;
      const left = decide(notice);
      const restUntil = new Date(Date.now() + this.#options.pauseMs);
      if (left !== null) return { notice: { ...left, lease: null } };
      const after = { ...current, notice: null, restUntil };
      return {
        restUntil,
        notice: notice.next.length === 0 ? null : withNews(after, notice.next, new Date(), this.#options.replyDelayMs),
      };
    });
  }
  async #send(claimed: PushSubscriptionRecord, notice: PendingNotice): Promise<string> {
    const key = await this.#options.dataKeys.permanentKey();
    const { id, language, quiet } = claimed;
    const { subscription, userId } = openSecret(key, claimed);
    const isTest = notice.kinds.includes('test');
    // Retries may end in quiet hours.
    const end = isTest || quiet === null ? null : quietUntil(quiet, new Date());
    if (end !== null) {
      await this.#settle(claimed, (current) => ({ ...current, dueAt: end, isHeld: true }));
      return 'held';
    }
    // Notices held through quiet hours may have been read.
    if (!isTest && notice.isHeld && userId !== null && !(await this.#options.hasUnread(userId))) {
      await this.#settle(claimed, () => null);
      return 'read';
    }
    const [first, ...others] = notice.kinds.filter((kind) => kind !== 'test');
    const kind: PushKind = first === undefined ? 'test' : others.length > 0 ? 'several' : first;
    const payload = JSON.stringify({ kind, language, ...(userId === null && { wayBack: id }) });
    const outcome = await this.#options.services.send(subscription, {
      payload: payload.padEnd(PAYLOAD_LENGTH),
      ttl: TTL_SECONDS,
      topic: pushTags(key).topic(id),
    });
    await this.#finish(claimed, outcome);
    return outcome.kind;
  }
  async #finish(claimed: PushSubscriptionRecord, outcome: PushOutcome): Promise<void> {
    if (outcome.kind === 'gone') {
      await this.#options.subscriptions.remove(claimed.id);
      return;
    }
    const isSilent = outcome.kind === 'silent';
    const attempts = (claimed.notice?.attempts ?? 0) + 1;
    const retryAfterMs = outcome.kind === 'busy' ? outcome.retryAfterMs : null;
    const dueAt = isSilent || outcome.kind === 'busy' ? nextAttempt(attempts, retryAfterMs, new Date()) : null;
    if (isSilent && dueAt === null && !claimed.hasAnswered) {
      await this.#options.subscriptions.remove(claimed.id);
      return;
    }
    if (!isSilent && !claimed.hasAnswered)
      await this.#options.subscriptions.change(claimed, () => ({ hasAnswered: true }));
    await this.#settle(claimed, (notice) => {
      if (dueAt === null) return null;
      // Merges queued kinds, except into a test, which ignores quiet hours.
      const joined = notice.kinds.includes('test') ? {} : { kinds: union(notice.kinds, notice.next), next: [] };
      return { ...notice, ...joined, attempts, dueAt };
    });
  }
}
