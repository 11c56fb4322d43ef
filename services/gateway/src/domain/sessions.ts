import { AppError } from '@najwa/common/errors';
import { hashSessionToken } from '@najwa/common/http';
import type { CacheCounts } from '@najwa/common/metrics';
import type { Session } from '../clients/auth.js';
import { createTaggedCache } from './tagged-cache.js';

export interface SessionsOptions {
  resolve: (tokenHash: Buffer) => Promise<Session>;
  isSubscribed: () => boolean;
  now?: () => number;
}

export interface Sessions {
  /** Null if it has ended or never existed. @throws if auth is unreachable */
  find(token: string): Promise<Session | null>;
  end(tokenHash: Uint8Array): void;
  accountChanged(userId: number): void;
  invalidateAll(): void;
  counts: Readonly<CacheCounts>;
}

const MAX_SESSIONS = 50_000;
const LIFETIME = { freshMs: 5_000 };

const UNKNOWN_ACCOUNT = 'account/unknown';

const accountTag = (userId: number): string => `account/${userId}`;

const keyOf = (tokenHash: Uint8Array): string => Buffer.from(tokenHash).toString('base64url');

export function createSessions({ resolve, isSubscribed, now = () => performance.now() }: SessionsOptions): Sessions {
  const cache = createTaggedCache<Session | null>({
    maxSize: MAX_SESSIONS,
    tagsOf: (session, key) => (session === null ? [key] : [key, accountTag(session.userId)]),
    lifetimeOf: () => LIFETIME,
    isSubscribed,
    now,
  });

  return {
    async find(token) {
      const tokenHash = hashSessionToken(token);
      const key = keyOf(tokenHash);
      const { value: session } = await cache.load(key, {
        tags: [key, UNKNOWN_ACCOUNT],
        fetch: () =>
          resolve(tokenHash).catch((error: unknown) => {
            if (error instanceof AppError && error.code === 'session_not_found') return null;
            throw error;
          }),
      });
      // The next request must see the new rights.
      if (session?.mustSetUpTotp === true || session?.isLeaving === true) cache.drop(key);
      return session;
    },
    end: (tokenHash) => cache.drop(keyOf(tokenHash)),
    accountChanged(userId) {
      cache.drop(accountTag(userId));
      cache.drop(UNKNOWN_ACCOUNT);
    },
    invalidateAll: () => cache.invalidateAll(),
    counts: cache.counts,
  };
}
