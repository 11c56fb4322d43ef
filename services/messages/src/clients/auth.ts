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

export interface AuthClient {
  /** At most five seconds stale. */
  findUser(id: number): Promise<User | undefined>;
  findUsers(ids: number[]): Promise<User[]>;
  /** Includes private fields. @throws {AppError} `user_not_found` */
  getOwnAccount(id: number): Promise<GetOwnAccountResponse>;
  /** @throws {AppError} `not_signed_in` if there is no such account */
  updateReceiving(userId: number, changes: Partial<ReceivingSettings>): Promise<ReceivingSettings>;
  forget(id?: number): void;
  close(): void;
}

export function createAuthClient(address: string, caller: ServiceCaller): AuthClient {
  const client = createGrpcClient(AuthServiceClient, address, caller);
  const getUsers = unary(client.getUsers.bind(client));
  const updateReceiving = unary(client.updateReceiving.bind(client));
  const getOwnAccount = unary(client.getOwnAccount.bind(client));

  const findUsers = async (ids: number[]): Promise<User[]> => {
    const found: User[] = [];
    for (let from = 0; from < ids.length; from += MAX_IDS)
      found.push(...(await getUsers({ ids: ids.slice(from, from + MAX_IDS) })).users);
    return found;
  };

  const known = new LRUCache<number, User>({ max: MAX_CACHED, ttl: CACHE_TTL_MS });
  /** Incremented by `forget`, so that an answer requested earlier is not cached. */
  let changes = 0;
  const load = createBatcher<number, User | undefined>({
    runBatch: async (ids) => {
      const byId = new Map((await findUsers([...new Set(ids)])).map((user) => [user.id, user]));
      return ids.map((id) => byId.get(id));
    },
  });

  const forget = (id?: number): void => {
    changes += 1;
    if (id === undefined) known.clear();
    else known.delete(id);
  };

  return {
    findUsers,
    async updateReceiving(userId, wanted) {
      const { settings } = await updateReceiving({ userId, changes: wanted });
      forget(userId);
      return settings as ReceivingSettings;
    },
    getOwnAccount: (id) => getOwnAccount({ id }),
    async findUser(id) {
      const cached = known.get(id);
      if (cached) return cached;
      const before = changes;
      const user = await load(id);
      if (user && before === changes) known.set(id, user);
      return user;
    },
    forget,
    close: () => client.close(),
  };
}
