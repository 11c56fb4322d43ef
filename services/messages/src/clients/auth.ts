import { createBatcher, createGrpcClient, unary, type ServiceCaller } from '@najwa/common';
import { AuthServiceClient, type User } from '@najwa/proto/auth';
import { LRUCache } from 'lru-cache';

const MAX_CACHED = 50_000;
const CACHE_TTL_MS = 60_000;

export interface AuthClient {
  /** Checks that an account exists. May return true for up to a minute after it was deleted. */
  hasUser(id: number): Promise<boolean>;
  findUsers(ids: number[]): Promise<User[]>;
  close(): void;
}

export function createAuthClient(address: string, caller: ServiceCaller): AuthClient {
  const client = createGrpcClient(AuthServiceClient, address, caller);
  const getUsers = unary(client.getUsers.bind(client));

  const findUsers = async (ids: number[]): Promise<User[]> => {
    if (ids.length === 0) return [];
    const { users } = await getUsers({ ids });
    return users;
  };

  const known = new LRUCache<number, true>({ max: MAX_CACHED, ttl: CACHE_TTL_MS });
  // Concurrent messages to the same recipient share one request.
  const checkExists = createBatcher<number, boolean>({
    runBatch: async (ids) => {
      const existing = new Set((await findUsers([...new Set(ids)])).map((user) => user.id));
      return ids.map((id) => existing.has(id));
    },
  });

  return {
    findUsers,
    async hasUser(id) {
      if (known.has(id)) return true;
      const exists = await checkExists(id);
      if (exists) known.set(id, true);
      return exists;
    },
    close: () => client.close(),
  };
}
