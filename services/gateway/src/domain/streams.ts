import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '@najwa/common/logging';
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

export interface Streams {
  start(): void;
  /**
   * Sends what was missed first.
   * @param after last notification that the client has; 0 for none
   * @returns a function that removes the stream
   * @throws {AppError} of `confirm` or of messages; nothing is sent then
   */
  follow(owner: StreamOwner, after: number, open: () => EventStream): Promise<() => void>;
  /**
   * @param network as limits count it
   * @throws {AppError} `message_not_found`, `too_many_requests`, and errors of messages
   */
  followWayBack(token: string, network: string, open: () => EventStream): Promise<() => void>;
  notify(account: string, notificationIds: number[]): void;
  recount(userId: number): void;
  messageChanged(userId: number, messageId: number, change: MessageChange): void;
  wayBackChanged(messageId: number, change: MessageChange): void;
  endSession(tokenHash: Uint8Array): void;
  /** The sessions of a closed account go on. */
  endAccount(userId: number): void;
  /** Events may have been missed: ends all streams within seconds. Clients reconnect and catch up. */
  restart(): void;
  close(): void;
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

interface Index<Key> {
  add(key: Key, stream: EventStream): void;
  remove(key: Key, stream: EventStream): void;
  of(key: Key): Iterable<EventStream>;
}

function createIndex<Key>(): Index<Key> {
  const found = new Map<Key, Set<EventStream>>();
  return {
    add(key, stream) {
      const streams = found.get(key) ?? new Set();
      found.set(key, streams.add(stream));
    },
    remove(key, stream) {
      const streams = found.get(key);
      streams?.delete(stream);
      if (streams?.size === 0) found.delete(key);
    },
    of: (key) => found.get(key) ?? [],
  };
}

const sessionKey = (tokenHash: Uint8Array): string => Buffer.from(tokenHash).toString('base64url');

export function createStreams({ messages, logger }: { messages: MessagesClient; logger: Logger }): Streams {
  const open = new Map<EventStream, Open>();
  const groups = new Map<number, Group>();
  const groupByKey = new Map<string, Group>();
  const bySession = createIndex<string>();
  const byMessage = createIndex<number>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const register = (stream: EventStream): void => {
    if (isClosed) stream.end();
    const now = Date.now();
    const share = Math.random();
    open.set(stream, {
      stream,
      beatAt: now + BEAT_MS * share,
      endAt: now + MAX_AGE_MS * (1 - share / 2),
    });
  };

  const tick = (): void => {
    const now = Date.now();
    for (const entry of open.values()) {
      if (entry.endAt <= now) entry.stream.end();
      else if (entry.beatAt <= now) {
        entry.beatAt = now + BEAT_MS;
        entry.stream.beat();
      }
    }
  };

  const join = (userId: number, keys: string[], stream: EventStream): Group => {
    const group = groups.get(userId) ?? {
      keys,
      streams: new Set(),
      pending: new Set(),
      isStale: false,
      userId,
      countedAt: 0,
    };
    groups.set(userId, group);
    for (const key of keys) groupByKey.set(key, group);
    group.streams.add(stream);
    return group;
  };

  const leave = (group: Group, stream: EventStream): void => {
    group.streams.delete(stream);
    if (group.streams.size > 0) return;
    groups.delete(group.userId);
    for (const key of group.keys) groupByKey.delete(key);
  };

  const sendTo = (streams: Iterable<EventStream>, event: string, data: unknown): void => {
    const text = JSON.stringify(data);
    for (const stream of streams) stream.send(event, text);
  };

  const countLater = (group: Group): void => {
    group.counting ??= setTimeout(() => {
      group.counting = undefined;
      group.isStale = true;
      void flushSoon(group);
    }, COUNT_PAUSE_MS).unref();
  };

  const flush = async (group: Group): Promise<void> => {
    const ids = [...group.pending].slice(0, MAX_IDS);
    for (const id of ids) group.pending.delete(id);
    group.isStale = false;
    const { userId, streams } = group;
    const withoutCount = Date.now() - group.countedAt < COUNT_PAUSE_MS;
    if (withoutCount) countLater(group);
    else group.countedAt = Date.now();
    if (withoutCount && ids.length === 0) return;
    const { notifications, unread } = await messages.followNotifications({ userId, after: 0, ids, withoutCount });
    for (const { id, body } of notifications) for (const stream of streams) stream.send('notification', body, id);
    if (unread !== undefined) sendTo(streams, 'count', { unread });
  };

  const flushSoon = async (group: Group): Promise<void> => {
    if (group.flushing) return;
    group.flushing = true;
    try {
      await wait(COLLECT_MS, undefined, { ref: false });
      while (group.streams.size > 0 && (group.isStale || group.pending.size > 0)) await flush(group);
    } catch (error) {
      logger.warn({ err: error }, 'notifications not read, their streams begin anew');
      for (const stream of group.streams) stream.end();
    } finally {
      group.flushing = false;
    }
  };

  return {
    start() {
      timer = setInterval(tick, TICK_MS);
      timer.unref();
    },
    async follow({ userId, tokenHash, confirm }, after, begin) {
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
      bySession.add(session, place);
      register(place);
      const remove = (): void => {
        open.delete(place);
        bySession.remove(session, place);
        if (group) leave(group, place);
      };
      try {
        const known = groups.get(userId)?.keys;
        const keys =
          known ?? (await messages.followNotifications({ userId, after: 0, ids: [], withoutCount: true })).accounts;
        group = join(userId, keys, place);
        const [{ notifications, unread }] = await Promise.all([
          messages.followNotifications({ userId, after, ids: [], withoutCount: false }),
          confirm(),
        ]);
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
    },
    async followWayBack(token, network, begin) {
      const messageId = await messages.followWayBack(token, network);
      const stream = begin();
      byMessage.add(messageId, stream);
      register(stream);
      return () => {
        open.delete(stream);
        byMessage.remove(messageId, stream);
      };
    },
    notify(account, notificationIds) {
      const group = groupByKey.get(account);
      if (group === undefined) return;
      for (const id of notificationIds) group.pending.add(id);
      void flushSoon(group);
    },
    recount(userId) {
      const group = groups.get(userId);
      if (group === undefined) return;
      group.isStale = true;
      void flushSoon(group);
    },
    messageChanged(userId, messageId, change) {
      sendTo(groups.get(userId)?.streams ?? [], 'message', { messageId, change });
    },
    wayBackChanged(messageId, change) {
      // Without the id, which the recipient knows.
      sendTo(byMessage.of(messageId), 'message', { messageId: null, change });
    },
    endSession(tokenHash) {
      for (const stream of bySession.of(sessionKey(tokenHash))) stream.end();
    },
    endAccount(userId) {
      for (const stream of groups.get(userId)?.streams ?? []) stream.end();
    },
    restart() {
      const now = Date.now();
      for (const entry of open.values()) entry.endAt = Math.min(entry.endAt, now + Math.random() * RESTART_MS);
    },
    close() {
      isClosed = true;
      clearInterval(timer);
      for (const { stream } of open.values()) stream.end();
    },
  };
}
