import { AppError, channelCredentials, channelOptions, unary } from '@najwa/common';
import { AuthServiceClient, type User } from '@najwa/proto/auth';

export interface AuthClient {
  findUser(id: number): Promise<User | null>;
  findUsers(ids: number[]): Promise<User[]>;
  close(): void;
}

export function createAuthClient(address: string): AuthClient {
  const client = new AuthServiceClient(address, channelCredentials, channelOptions);
  const getUser = unary(client.getUser.bind(client));
  const getUsers = unary(client.getUsers.bind(client));
  return {
    async findUser(id) {
      try {
        const { user } = await getUser({ key: { $case: 'id', value: id } });
        return user ?? null;
      } catch (error) {
        if (error instanceof AppError && error.code === 'user_not_found') return null;
        throw error;
      }
    },
    async findUsers(ids) {
      if (ids.length === 0) return [];
      const { users } = await getUsers({ ids });
      return users;
    },
    close: () => client.close(),
  };
}
