import { createBatcher } from '@najwa/common';
import { createGrpcClient, unary, type ServiceCaller } from '@najwa/common/grpc';
import { AuthServiceClient, type GetOwnAccountResponse, type User } from '@najwa/proto/auth';
import type { ReceivingSettings } from '@najwa/proto/http';
import { LRUCache } from 'lru-cache';

const MAX_CACHED = 50_000;

const MAX_IDS = 100;

/** Bounds staleness while events do not arrive. */
const CACHE_TTL_MS = 5_000;

export const hidesReadingOf = ({ receiving }: Pick<User, 'receiving'>): boolean => receiving?.hidesReading ?? false;

export class AuthClient {
  readonly #client;
  readonly #getUsers;
  readonly #updateReceiving;
  readonly #getOwnAccount;
  readonly #known = new LRUCache<number, User>({ max: MAX_CACHED, ttl: CACHE_TTL_MS });
  /** Incremented by `forget`, so that an answer requested earlier is not cached. */
  #changes = 0;
  readonly #load = createBatcher<number, User | undefined>({
    runBatch: async (ids) => {
      const byId = new Map((await this.findUsers([...new Set(ids)])).map((user) => [user.id, user]));
      return ids.map((id) => byId.get(id));
    },
  });

  constructor(address: string, caller: ServiceCaller) {
    this.#client = createGrpcClient(AuthServiceClient, address, caller);
    this.#getUsers = unary(this.#client.getUsers.bind(this.#client));
    this.#updateReceiving = unary(this.#client.updateReceiving.bind(this.#client));
    this.#getOwnAccount = unary(this.#client.getOwnAccount.bind(this.#client));
  }

  async findUsers(ids: number[]): Promise<User[]> {
    const found: User[] = [];
    for (let from = 0; from < ids.length; from += MAX_IDS)
      found.push(...(await this.#getUsers({ ids: ids.slice(from, from + MAX_IDS) })).users);
    return found;
  }
  /** @throws {AppError} `not_signed_in` if there is no such account */
  async updateReceiving(userId: number, wanted: Partial<ReceivingSettings>): Promise<ReceivingSettings> {
    const { settings } = await this.#updateReceiving({ userId, changes: wanted });
    this.forget(userId);
    return settings as ReceivingSettings;
  }
  /** Includes private fields. @throws {AppError} `user_not_found` */
  getOwnAccount(id: number): Promise<GetOwnAccountResponse> {
    return this.#getOwnAccount({ id });
  }
  /** At most five seconds stale. */
  async findUser(id: number): Promise<User | undefined> {
    const cached = this.#known.get(id);
    if (cached) return cached;
    const before = this.#changes;
    const user = await this.#load(id);
    if (user && before === this.#changes) this.#known.set(id, user);
    return user;
  }
  forget(id?: number): void {
    this.#changes += 1;
    if (id === undefined) this.#known.clear();
    else this.#known.delete(id);
  }
  close(): void {
    this.#client.close();
  }
}
