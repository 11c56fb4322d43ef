import { hash } from 'node:crypto';
import type { Visit } from '@najwa/proto/events';
import { RETENTION } from '@najwa/proto/http/client';
import { isbot } from 'isbot';
import { LRUCache } from 'lru-cache';
import { readSessionToken, readVisitorCookie } from './headers.js';
import type { Sessions } from './sessions.js';
import type { Windows } from './windows.js';

/** The parts of a request that distinguish visitors. */
export interface Visitor {
  /** The whole Cookie header. */
  cookie: string | undefined;
  /** The visitor cookie that the answer sets, for a visitor who brought none. */
  visitorCookie?: string | undefined;
  userAgent: string | undefined;
  /** Sec-Purpose: a browser fetches the page before anybody has opened it. */
  purpose?: string | undefined;
  /** Names of cookies depend on it. */
  isSecure: boolean;
  /** The address as limits count it. */
  network: string;
}

export interface VisitsOptions {
  sessions: Pick<Sessions, 'find'>;
  queue: (visit: Visit) => void;
  /** Bounds the new visitors that a network brings to an account: see `NEW_VISITORS`. */
  newVisitors: Pick<Windows, 'take'>;
  now?: () => number;
}

export interface Visits {
  /**
   * Records a view of an account's page. Never delays or fails the answer.
   * @param userId of the account
   */
  note(userId: number, visitor: Visitor): void;
}

/** Auth counts a visitor once in that time, so it does not need every reload. */
const REPEAT_INTERVAL_MS = RETENTION.visitMinutes * 60 * 1000;
/**
 * After that, nobody in the network of a visitor learns by a call in the name of a browser whether such a browser opened the
 * page.
 */
const PAGE_CALLS_MS = 60 * 1000;
/**
 * About as many new visitors of one account may one network bring in an hour. Anyone can make up cookies, so networks count.
 * By chance, since the count that a page shows would tell a neighbour exactly how many came before.
 */
export const NEW_VISITORS = { points: 20, windowMs: 60 * 60 * 1000 };
/** Keys have about one length, so that a bound on entries is a bound on bytes: 15 MB. */
const MAX_ENTRIES = 100_000;
const MAX_USER_AGENTS = 1_000;

const shortened = (text: string): string => hash('sha256', text, 'base64url').slice(0, 22);

/** Visitors get a new name each day, so that no history of them can be built. */
const dailyName = (visitor: string, at: Date): string =>
  hash('sha256', `${at.toISOString().slice(0, 10)} ${visitor}`, 'base64url');

export function createVisits({ sessions, queue, newVisitors, now = Date.now }: VisitsOptions): Visits {
  /** When a visitor of an account was counted. */
  const counted = new LRUCache<string, number>({ max: MAX_ENTRIES });
  const crawlers = new LRUCache<string, boolean>({ max: MAX_USER_AGENTS });

  const isCrawler = (userAgent: string): boolean => {
    let known = crawlers.get(userAgent);
    if (known === undefined) crawlers.set(userAgent, (known = isbot(userAgent)));
    return known;
  };

  const report = async (userId: number, visitor: string, session: string | undefined): Promise<void> => {
    const viewer = session === undefined ? null : await sessions.find(session);
    if (viewer?.userId === userId) return;
    const at = new Date();
    queue({ userId, visitor: dailyName(visitor, at), at });
  };

  return {
    note(userId, { cookie, visitorCookie, userAgent = '', purpose, isSecure, network }) {
      if (purpose !== undefined) return;
      const at = now();
      const brought = readVisitorCookie(cookie, isSecure);
      // Without the visitor cookie, network and browser stand in.
      const standIn = brought === undefined ? `${network} ${userAgent}` : '';
      const visitor = brought ?? visitorCookie ?? standIn;
      const key = `${userId} ${visitor === standIn ? shortened(standIn) : visitor}`;
      const countedAt = counted.get(key);
      if (countedAt !== undefined && at - countedAt < REPEAT_INTERVAL_MS) return;
      // Counted visitors only: a crawler gets a new id with each page, and would evict others.
      if (isCrawler(userAgent) || newVisitors.take(`${userId} ${network}`) > 0) return;
      counted.set(key, at);
      // The calls of a page whose browser keeps no cookies are part of the visit.
      if (visitor === visitorCookie)
        counted.set(`${userId} ${shortened(standIn)}`, at - REPEAT_INTERVAL_MS + PAGE_CALLS_MS);
      // If auth cannot be reached, the visit is dropped: it might be the owner's.
      report(userId, visitor, readSessionToken(cookie, isSecure)).catch(() => counted.delete(key));
    },
  };
}
