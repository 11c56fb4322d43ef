import { serverTime } from '../../i18n/index.js';
import type { User } from '../../shared/session/index.js';
import type { PublicProfile } from './types.js';

const DAY_MS = 24 * 60 * 60 * 1000;

export type Closure = { kind: 'paused' | 'accounts' } | { kind: 'tooNew'; from: Date };

/** Mirrors the server's rule. */
export function closureFor({ receiving }: PublicProfile, user: User | null, now = serverTime()): Closure | null {
  switch (receiving.from) {
    case 'everyone':
      return null;
    case 'nobody':
      return { kind: 'paused' };
    case 'accounts':
      return user === null ? { kind: 'accounts' } : null;
    case 'established': {
      if (user === null) return { kind: 'accounts' };
      const from = new Date(Date.parse(user.createdAt) + receiving.minimumDays * DAY_MS);
      return from.getTime() > now ? { kind: 'tooNew', from } : null;
    }
  }
}
