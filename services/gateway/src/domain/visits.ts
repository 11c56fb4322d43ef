import { hash } from 'node:crypto';
import { SESSION_COOKIE } from '@najwa/common';
import type { Visit } from '@najwa/proto/events';
import { isbot } from 'isbot';
import { LRUCache } from 'lru-cache';
import { readSessionToken, readVisitorCookie } from './headers.js';
import type { PublicAnswer } from './public-answers.js';
import type { Sessions } from './sessions.js';

/** The parts of a request that distinguish visitors. */
export interface Visitor {
  /** The whole Cookie header. */
  cookie: string | undefined;
  userAgent: string | undefined;
  /** The address as limits count it. */
  network: string;
}

export interface VisitsOptions {
  sessions: Pick<Sessions, 'find'>;
  queue: (visit: Visit) => void;
  /** RATE_LIMIT_SCALE: multiplies the bound of new visitors; 0 switches it off. */
  scale: number;
  now?: () => number;
}

export interface Visits {
  /**
   * Records a view of a profile. Never delays or fails the answer.
   * @param key of the profile in the cache
   */
  note(key: string, profile: PublicAnswer, visitor: Visitor): void;
}

/** Auth counts a visitor once in thirty minutes, so it does not need every reload. */
const REPEAT_INTERVAL_MS = 30 * 60 * 1000;
/** New visitors of one profile that one network may bring in an hour. Anyone can make up cookies, so networks count. */
const NEW_VISITORS = { points: 20, windowMs: 60 * 60 * 1000 };
/** Keys are hashes of one length, so that a bound on entries is a bound on bytes: 15 MB for each of the two maps. */
const MAX_ENTRIES = 100_000;

const digest = (text: string): string => hash('sha256', text, 'base64url').slice(0, 22);

/** Visitors get a new name each day, so that no history of them can be built. */
const dailyName = (visitor: string, at: Date): string =>
  hash('sha256', `${at.toISOString().slice(0, 10)} ${visitor}`, 'base64url');

export function createVisits({ sessions, queue, scale, now = Date.now }: VisitsOptions): Visits {
  const recent = new LRUCache<string, true>({ max: MAX_ENTRIES, ttl: REPEAT_INTERVAL_MS });
  const windows = new LRUCache<string, { count: number; endsAt: number }>({ max: MAX_ENTRIES });
  const maxNew = scale === 0 ? Infinity : Math.max(1, Math.round(NEW_VISITORS.points * scale));

  const mayCount = (key: string, network: string): boolean => {
    const name = digest(`${key} ${network}`);
    let window = windows.get(name);
    if (window === undefined || window.endsAt <= now()) {
      window = { count: 0, endsAt: now() + NEW_VISITORS.windowMs };
      windows.set(name, window);
    }
    window.count += 1;
    return window.count <= maxNew;
  };

  const report = async (profile: PublicAnswer, visitor: string, session: string | undefined): Promise<void> => {
    const { id } = JSON.parse(profile.body) as { id: number };
    const viewer = session === undefined ? null : await sessions.find(session);
    if (viewer?.userId === id) return;
    const at = new Date();
    queue({ userId: id, visitor: dailyName(visitor, at), at });
  };

  return {
    note(key, profile, { cookie, userAgent = '', network }) {
      if (profile.status !== 200) return;
      // The page sets the visitor cookie. Without it, network and browser stand in.
      const visitor = readVisitorCookie(cookie) ?? `${network} ${userAgent}`;
      const name = digest(`${key} ${visitor}`);
      if (recent.has(name)) return;
      recent.set(name, true);
      if (isbot(userAgent) || !mayCount(key, network)) return;
      // If auth cannot be reached, the visit is dropped: it might be the owner's.
      report(profile, visitor, readSessionToken(cookie, SESSION_COOKIE)).catch(() => recent.delete(name));
    },
  };
}
