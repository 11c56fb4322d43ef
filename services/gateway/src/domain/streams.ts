import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '@najwa/common/logging';
import type { FollowNotificationsRequest } from '@najwa/proto/messages';
import type { MessagesClient } from '../clients/messages.js';
import type { EventStream } from './event-stream.js';

export type MessageChange = 'created' | 'updated' | 'deleted';

export interface StreamOwner {
  userId: number;
  tokenHash: Uint8Array;
  /**
   * Checks again, since the session or account may have ended before the stream received events.
   * @throws {AppError} if so
   */
  confirm: () => Promise<void>;
}

interface Group {
  userId: number;
  keys: string[];
  streams: Set<EventStream>;
  pending: Set<number>;
  isStale: boolean;
  flushing?: boolean;
  countedAt: number;
  counting?: NodeJS.Timeout | undefined;
}

const TICK_MS = 1_000;
const BEAT_MS = 25_000;
const RESTART_MS = 5_000;
/** An expired session ends no stream by itself. */
const MAX_AGE_MS = 60 * 60 * 1000;
/** Batches events in quick succession. */
const COLLECT_MS = 20;
const MAX_IDS = 100;
const COUNT_PAUSE_MS = 500;

interface Open {
  stream: EventStream;
  beatAt: number;
  endAt: number;
}

class Index<Key> {
  readonly #found = new Map<Key, Set<EventStream>>();

  add(key: Key, stream: EventStream): void {
    const streams = this.#found.get(key) ?? new Set();
    this.#found.set(key, streams.add(stream));
  }
  remove(key: Key, stream: EventStream): void {
    const streams = this.#found.get(key);
    streams?.delete(stream);
    if (streams?.size === 0) this.#found.delete(key);
  }
  of(key: Key): Iterable<EventStream> {
    return this.#found.get(key) ?? [];
  }
}

const sessionKey = (tokenHash: Uint8Array): string => Buffer.from(tokenHash).toString('base64url');

function sendTo(streams: Iterable<EventStream>, event: string, data: unknown): void {
  const text = JSON.stringify(data);
  for (const stream of streams) stream.send(event, text);
}

export class Streams {
  readonly #messages;
  readonly #logger;
  readonly #open = new Map<EventStream, Open>();
  readonly #groups = new Map<number, Group>();
  readonly #groupByKey = new Map<string, Group>();
  readonly #bySession = new Index<string>();
  readonly #byMessage = new Index<number>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(messages: Pick<MessagesClient, 'followNotifications' | 'followWayBack'>, logger: Logger) {
    this.#messages = messages;
    this.#logger = logger;
  }

  start(): void {
    this.#timer = setInterval(() => this.#tick(), TICK_MS).unref();
  }
  /**
   * Sends what was missed first.
   * @param after last notification that the client has; 0 for none
   * @returns a function that removes the stream
   * @throws {AppError} of `confirm` or of messages; nothing is sent then
   */
  async follow(
    { userId, tokenHash, confirm }: StreamOwner,
    after: number,
    begin: () => EventStream,
  ): Promise<() => void> {
    // Deferred: a client takes its last id for the newest.
    const early: Parameters<EventStream['send']>[] = [];
    let stream: EventStream | undefined;
    let isEnded = false as boolean;
    const place: EventStream = {
      send: (...event) => (stream ? stream.send(...event) : void early.push(event)),
      beat: () => stream?.beat(),
      end() {
        isEnded = true;
        stream?.end();
      },
    };
    let group: Group | undefined;
    const session = sessionKey(tokenHash);
    // Registered before the questions: the session may end, or events be missed, meanwhile.
    this.#bySession.add(session, place);
    this.#register(place);
    const remove = (): void => {
      this.#open.delete(place);
      this.#bySession.remove(session, place);
      if (group) this.#leave(group, place);
    };
    const read = (request: Pick<FollowNotificationsRequest, 'after' | 'withoutCount'>) =>
      this.#messages.followNotifications({ userId, ids: [], ...request });
    try {
      const known = this.#groups.get(userId)?.keys;
      const keys = known ?? (await read({ after: 0, withoutCount: true })).accounts;
      group = this.#join(userId, keys, place);
      const [{ notifications, unread }] = await Promise.all([read({ after, withoutCount: false }), confirm()]);
      stream = begin();
      if (isEnded) {
        stream.end();
        return remove;
      }
      for (const { id, body } of notifications) stream.send('notification', body, id);
      stream.send('count', JSON.stringify({ unread }));
      for (const event of early) stream.send(...event);
      return remove;
    } catch (error) {
      remove();
      throw error;
    }
  }
  /**
   * @param network as limits count it
   * @throws {AppError} `message_not_found`, `too_many_requests`, and errors of messages
   */
  async followWayBack(token: string, network: string, begin: () => EventStream): Promise<() => void> {
    const messageId = await this.#messages.followWayBack(token, network);
    const stream = begin();
    this.#byMessage.add(messageId, stream);
    this.#register(stream);
    return () => {
      this.#open.delete(stream);
      this.#byMessage.remove(messageId, stream);
    };
  }
  notify(account: string, notificationIds: number[]): void {
    const group = this.#groupByKey.get(account);
    if (group === undefined) return;
    for (const id of notificationIds) group.pending.add(id);
    void this.#flushSoon(group);
  }
  recount(userId: number): void {
    const group = this.#groups.get(userId);
    if (group === undefined) return;
    group.isStale = true;
    void this.#flushSoon(group);
  }
  messageChanged(userId: number, messageId: number, change: MessageChange): void {
    sendTo(this.#streamsOf(userId), 'message', { messageId, change });
  }
  wayBackChanged(messageId: number, change: MessageChange): void {
    // Without the id, which the recipient knows.
    sendTo(this.#byMessage.of(messageId), 'message', { messageId: null, change });
  }
  endSession(tokenHash: Uint8Array): void {
    for (const stream of this.#bySession.of(sessionKey(tokenHash))) stream.end();
  }
  /** The sessions of a closed account go on. */
  endAccount(userId: number): void {
    for (const stream of this.#streamsOf(userId)) stream.end();
  }
  /** Events may have been missed: ends all streams within seconds. Clients reconnect and catch up. */
  restart(): void {
    const now = Date.now();
    for (const entry of this.#open.values()) entry.endAt = Math.min(entry.endAt, now + Math.random() * RESTART_MS);
  }
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const { stream } of this.#open.values()) stream.end();
  }

  #streamsOf(userId: number): Iterable<EventStream> {
    return this.#groups.get(userId)?.streams ?? [];
  }
  #register(stream: EventStream): void {
    if (this.#isClosed) stream.end();
    const now = Date.now();
    const share = Math.random();
    this.#open.set(stream, { stream, beatAt: now + BEAT_MS * share, endAt: now + MAX_AGE_MS * (1 - share / 2) });
  }
  #tick(): void {
    const now = Date.now();
    for (const entry of this.#open.values()) {
      if (entry.endAt <= now) entry.stream.end();
      else if (entry.beatAt <= now) {
        entry.beatAt = now + BEAT_MS;
        entry.stream.beat();
      }
    }
  }
  #join(userId: number, keys: string[], stream: EventStream): Group {
    const group = this.#groups.get(userId) ?? {
      keys,
      streams: new Set(),
      pending: new Set(),
      isStale: false,
      userId,
      countedAt: 0,
    };
    this.#groups.set(userId, group);
    for (const key of keys) this.#groupByKey.set(key, group);
    group.streams.add(stream);
    return group;
  }
  #leave(group: Group, stream: EventStream): void {
    group.streams.delete(stream);
    if (group.streams.size > 0) return;
    this.#groups.delete(group.userId);
    for (const key of group.keys) this.#groupByKey.delete(key);
  }
  async #flushSoon(group: Group): Promise<void> {
    if (group.flushing) return;
    group.flushing = true;
    try {
      await wait(COLLECT_MS, undefined, { ref: false });
      while (group.streams.size > 0 && (group.isStale || group.pending.size > 0)) await this.#flush(group);
    } catch (error) {
      this.#logger.warn({ err: error }, 'notifications not read, their streams begin anew');
      for (const stream of group.streams) stream.end();
    } finally {
      group.flushing = false;
    }
  }
  async #flush(group: Group): Promise<void> {
    const ids = [...group.pending].slice(0, MAX_IDS);
    for (const id of ids) group.pending.delete(id);
    group.isStale = false;
    const { userId, streams } = group;
    const withoutCount = Date.now() - group.countedAt < COUNT_PAUSE_MS;
    if (withoutCount) this.#countLater(group);
    else group.countedAt = Date.now();
    if (withoutCount && ids.length === 0) return;
    const read = { userId, after: 0, ids, withoutCount };
    const { notifications, unread } = await this.#messages.followNotifications(read);
    for (const { id, body } of notifications) for (const stream of streams) stream.send('notification', body, id);
    if (unread !== undefined) sendTo(streams, 'count', { unread });
  }
  #countLater(group: Group): void {
    group.counting ??= setTimeout(() => {
      group.counting = undefined;
      group.isStale = true;
      void this.#flushSoon(group);
    }, COUNT_PAUSE_MS).unref();
  }
}
