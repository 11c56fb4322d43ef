import { createHash } from 'node:crypto';
import { SESSION_COOKIE } from '@najwa/common';
import type { Visit } from '@najwa/proto/events';
import { isbot } from 'isbot';
import { LRUCache } from 'lru-cache';
import { readCookie, VISITOR_COOKIE } from './cookies.js';
import type { PublicAnswer } from './public-answers.js';
import type { Sessions } from './sessions.js';

/** What a visit is told by. */
export interface Visitor {
  cookie: string | undefined;
  userAgent: string | undefined;
  address: string;
}

export interface VisitsOptions {
  sessions: Pick<Sessions, 'find'>;
  queue: (visit: Visit) => void;
}

export interface Visits {
  /**
   * Notes that a profile was shown to somebody. Never delays or fails the answer.
   * @param key of the profile, as it is remembered
   */
  note(key: string, profile: PublicAnswer, visitor: Visitor): void;
}

/** Auth counts a visitor once in thirty minutes, whichever replica says so; asking it about each reload would be waste. */
const SILENT_FOR_MS = 30 * 60 * 1000;
const MAX_REMEMBERED = 100_000;

/** Named anew each day, so that the names of visitors cannot be put together to a history. */
function nameOf(who: string, at: Date): string {
  return createHash('sha256')
    .update(`${at.toISOString().slice(0, 10)} ${who}`)
    .digest('base64url');
}

export function createVisits({ sessions, queue }: VisitsOptions): Visits {
  const recent = new LRUCache<string, true>({ max: MAX_REMEMBERED, ttl: SILENT_FOR_MS });

  const tell = async (profile: PublicAnswer, who: string, session: string | undefined): Promise<void> => {
    const { id } = JSON.parse(profile.body) as { id: number };
    const owner = session === undefined ? null : await sessions.find(session);
    if (owner?.userId === id) return;
    const at = new Date();
    queue({ userId: id, visitor: nameOf(who, at), at });
  };

  return {
    note(key, profile, { cookie, userAgent = '', address }) {
      if (profile.status !== 200) return;
      // The cookie of the visit is set with the page; who has none is told by what the request itself says.
      const who = readCookie(cookie, VISITOR_COOKIE) ?? `${address} ${userAgent}`;
      const known = `${key} ${who}`;
      if (recent.has(known)) return;
      recent.set(known, true);
      if (isbot(userAgent)) return;
      // Whose session it is cannot be found out just now: then it is not known that it was not the owner.
      tell(profile, who, readCookie(cookie, SESSION_COOKIE)).catch(() => recent.delete(known));
    },
  };
}
