import { createBatcher, createGrpcClient, unary, type ServiceCaller } from '@najwa/common';
import { AuthServiceClient, type User } from '@najwa/proto/auth';
import { LRUCache } from 'lru-cache';

const MAX_KNOWN = 50_000;
const KNOWN_FOR_MS = 60_000;

export interface AuthClient {
  /** Whether there is such an account; it may be a minute late to hear that there is none any more. */
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

  const known = new LRUCache<number, true>({ max: MAX_KNOWN, ttl: KNOWN_FOR_MS });
  // A crowd that writes to one person asks once.
  const ask = createBatcher<number, boolean>({
    runBatch: async (ids) => {
      const there = new Set((await findUsers([...new Set(ids)])).map((user) => user.id));
      return ids.map((id) => there.has(id));
    },
  });

  return {
    findUsers,
    async hasUser(id) {
      if (known.has(id)) return true;
      const isThere = await ask(id);
      if (isThere) known.set(id, true);
      return isThere;
    },
    close: () => client.close(),
  };
}
