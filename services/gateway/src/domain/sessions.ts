import { AppError, hashSessionToken, type CacheCounts } from '@najwa/common';
import { createFreshCache } from './fresh-cache.js';

/** The account of a session token. */
export interface Session {
  userId: number;
  isAdmin: boolean;
  isModerator?: boolean;
  sessionId: string;
  /** A moderator or an administrator who can only set up the second step at sign-in. */
  mustSetUpTotp?: boolean;
  /** The account is about to be deleted, and can only be kept or exported. */
  isLeaving?: boolean;
}

export interface SessionsOptions {
  /** Asks auth. @throws {AppError} `session_not_found` for a session that has ended or never existed */
  resolve: (tokenHash: Buffer) => Promise<Session>;
  /** True if events arrive, so that the end of a session would be noticed. */
  isSubscribed: () => boolean;
  now?: () => number;
}

export interface Sessions {
  /** The session of a token, or null if it has ended or never existed. @throws if auth cannot be reached */
  find(token: string): Promise<Session | null>;
  end(tokenHash: Uint8Array): void;
  /** The rights of an account have changed. */
  accountChanged(userId: number): void;
  clear(): void;
  counts: Readonly<CacheCounts>;
}

const MAX_SESSIONS = 50_000;
const LIFETIME_MS = 5_000;
const LIFETIME_WITHOUT_EVENTS_MS = 1_000;

/** For sessions that are being resolved: nobody knows yet whose they are. */
const UNKNOWN_ACCOUNT = 'account/unknown';

const accountTag = (userId: number): string => `account/${userId}`;

const keyOf = (tokenHash: Uint8Array): string => Buffer.from(tokenHash).toString('base64url');

/** Caches auth's answers for a few seconds, or until the session ends. */
export function createSessions({ resolve, isSubscribed, now = () => performance.now() }: SessionsOptions): Sessions {
  const cache = createFreshCache<{ session: Session | null }>({
    maxSize: MAX_SESSIONS,
    lifetimeMs: () => (isSubscribed() ? LIFETIME_MS : LIFETIME_WITHOUT_EVENTS_MS),
    tagsOf: (key, value) => {
      if (value === undefined) return [key, UNKNOWN_ACCOUNT];
      return value.session ? [key, accountTag(value.session.userId)] : [key];
    },
    now,
  });

  return {
    async find(token) {
      const tokenHash = hashSessionToken(token);
      const { session } = await cache.load(keyOf(tokenHash), async () => {
        try {
          return { session: await resolve(tokenHash) };
        } catch (error) {
          if (error instanceof AppError && error.code === 'session_not_found') return { session: null };
          throw error;
        }
      });
      // Once it is set up, or the account is kept, the next request has the rights.
      if (session?.mustSetUpTotp === true || session?.isLeaving === true) cache.drop(keyOf(tokenHash));
      return session;
    },
    end: (tokenHash) => cache.drop(keyOf(tokenHash)),
    accountChanged(userId) {
      cache.drop(accountTag(userId));
      cache.drop(UNKNOWN_ACCOUNT);
    },
    clear: () => cache.clear(),
    counts: cache.counts,
  };
}
