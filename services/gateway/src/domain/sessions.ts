import { AppError } from '@najwa/common/errors';
import { hashSessionToken } from '@najwa/common/http';
import type { Session } from '../clients/auth.js';
import { TaggedCache, type TaggedCacheOptions } from './tagged-cache.js';

interface SessionsOptions extends Pick<TaggedCacheOptions<unknown>, 'isSubscribed' | 'now'> {
  resolve: (tokenHash: Buffer) => Promise<Session>;
}

const MAX_SESSIONS = 50_000;
const LIFETIME = { freshMs: 5_000 };

const UNKNOWN_ACCOUNT = 'account/unknown';

const accountTag = (userId: number): string => `account/${userId}`;

const keyOf = (tokenHash: Uint8Array): string => Buffer.from(tokenHash).toString('base64url');

export class Sessions {
  readonly counts;
  readonly #resolve;
  readonly #cache;

  constructor({ resolve, ...options }: SessionsOptions) {
    this.#resolve = resolve;
    this.#cache = new TaggedCache<Session | null>({
      maxSize: MAX_SESSIONS,
      tagsOf: (session, key) => (session === null ? [key] : [key, accountTag(session.userId)]),
      lifetimeOf: () => LIFETIME,
      ...options,
    });
    this.counts = this.#cache.counts;
  }

  /** Null if it has ended or never existed. @throws if auth is unreachable */
  async find(token: string): Promise<Session | null> {
    const tokenHash = hashSessionToken(token);
    const key = keyOf(tokenHash);
    const { value: session } = await this.#cache.load(key, {
      tags: [key, UNKNOWN_ACCOUNT],
      fetch: () =>
        this.#resolve(tokenHash).catch((error: unknown) => {
          if (error instanceof AppError && error.code === 'session_not_found') return null;
          throw error;
        }),
    });
    // The next request must see the new rights.
    if (session?.mustSetUpTotp === true || session?.isLeaving === true) this.#cache.drop(key);
    return session;
  }
  end(tokenHash: Uint8Array): void {
    this.#cache.drop(keyOf(tokenHash));
  }
  accountChanged(userId: number): void {
    this.#cache.drop(accountTag(userId));
    this.#cache.drop(UNKNOWN_ACCOUNT);
  }
  invalidateAll(): void {
    this.#cache.invalidateAll();
  }
}
