import { hash } from 'node:crypto';
import type { Visit } from '@najwa/proto/events';
import { RETENTION } from '@najwa/proto/http/client';
import { isbot } from 'isbot';
import { LRUCache } from 'lru-cache';
import { readSessionToken } from './headers.js';
import type { Sessions } from './sessions.js';
import type { Windows } from './windows.js';

export interface Visitor {
  /** Value of the visitor's cookie. */
  name: string;
  cookie: string | undefined;
  userAgent: string | undefined;
  /** Sec-Purpose: a prefetch is no visit. */
  purpose?: string | undefined;
  isSecure: boolean;
  network: string;
}

export interface VisitsOptions {
  sessions: Pick<Sessions, 'find'>;
  queue: (visit: Visit) => void;
  newVisitors: Pick<Windows, 'take'>;
  now?: () => number;
}

/** Auth counts a visitor once in that time. */
const REPEAT_INTERVAL_MS = RETENTION.visitMinutes * 60 * 1000;
/**
 * Mean number of new visitors per network and account in an hour: cookies can be invented. Random, since the shown
 * count would tell a neighbour how many came before.
 */
export const NEW_VISITORS = { points: 20, windowMs: 60 * 60 * 1000 };
const MAX_ENTRIES = 100_000;
const MAX_USER_AGENTS = 1_000;

/** Renamed daily, so that no history can be built. */
const dailyName = (visitor: string, at: Date): string =>
  hash('sha256', `${at.toISOString().slice(0, 10)} ${visitor}`, 'base64url');

export class Visits {
  readonly #options;
  readonly #counted = new LRUCache<string, number>({ max: MAX_ENTRIES });
  readonly #crawlers = new LRUCache<string, boolean>({ max: MAX_USER_AGENTS });

  constructor(options: VisitsOptions) {
    this.#options = { now: Date.now, ...options };
  }

  /**
   * Never delays or fails the answer.
   * @param userId owner of the page
   */
  note(userId: number, { name, cookie, userAgent = '', purpose, isSecure, network }: Visitor): void {
    if (purpose !== undefined) return;
    const { newVisitors, now } = this.#options;
    const at = now();
    const key = `${userId} ${name}`;
    const countedAt = this.#counted.get(key);
    if (countedAt !== undefined && at - countedAt < REPEAT_INTERVAL_MS) return;
    // Crawlers get a new id per page and would evict others.
    if (this.#isCrawler(userAgent) || newVisitors.take(`${userId} ${network}`) > 0) return;
    this.#counted.set(key, at);
    // Dropped if auth is unreachable: it might be the owner's.
    this.#report(userId, name, readSessionToken(cookie, isSecure)).catch(() => this.#counted.delete(key));
  }

  #isCrawler(userAgent: string): boolean {
    let known = this.#crawlers.get(userAgent);
    if (known === undefined) this.#crawlers.set(userAgent, (known = isbot(userAgent)));
    return known;
  }
  async #report(userId: number, visitor: string, session: string | undefined): Promise<void> {
    const { sessions, queue } = this.#options;
    const viewer = session === undefined ? null : await sessions.find(session);
    if (viewer?.userId === userId) return;
    const at = new Date();
    queue({ userId, visitor: dailyName(visitor, at), at });
  }
}
