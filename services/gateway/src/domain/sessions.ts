import { AppError, hashSessionToken } from '@najwa/common';
import { createFreshCache } from './fresh-cache.js';

/** The account of a session token. */
export interface Session {
  userId: number;
  isAdmin: boolean;
  sessionId: string;
}

export interface SessionsOptions {
  /** Asks auth. @throws {AppError} `session_not_found` for a session that has ended or never existed */
  resolve: (tokenHash: Buffer) => Promise<Session>;
  /** Whether events arrive, so that the end of a session would be noticed. */
  isSubscribed: () => boolean;
}

export interface Sessions {
  /** The session of a token, or null if it has ended or never existed. @throws if auth cannot be reached */
  find(token: string): Promise<Session | null>;
  end(tokenHash: Uint8Array): void;
  clear(): void;
}

const MAX_SESSIONS = 50_000;
const LIFETIME_MS = 5_000;
const LIFETIME_WITHOUT_EVENTS_MS = 1_000;

const keyOf = (tokenHash: Uint8Array): string => Buffer.from(tokenHash).toString('base64url');

/** Caches auth's answers for a few seconds, or until the session ends. */
export function createSessions({ resolve, isSubscribed }: SessionsOptions): Sessions {
  const cache = createFreshCache<{ session: Session | null }>({
    maxSize: MAX_SESSIONS,
    lifetimeMs: () => (isSubscribed() ? LIFETIME_MS : LIFETIME_WITHOUT_EVENTS_MS),
    tagsOf: (key) => [key],
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
      return session;
    },
    end: (tokenHash) => cache.drop(keyOf(tokenHash)),
    clear: () => cache.clear(),
  };
}
