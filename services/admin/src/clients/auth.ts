import { createGrpcClient, unary, type ServiceCaller } from '@najwa/common/grpc';
import { AuthServiceClient, type CreateAdminRequest, type User } from '@najwa/proto/auth';

export interface AuthClient {
  /** @throws {AppError} `username_taken`, `username_reserved`, `idempotency_conflict` */
  createAdmin(request: CreateAdminRequest): Promise<User>;
  findUsers(ids: number[]): Promise<User[]>;
  close(): void;
}

export function createAuthClient(address: string, caller: ServiceCaller): AuthClient {
  const client = createGrpcClient(AuthServiceClient, address, caller);
  const createAdmin = unary(client.createAdmin.bind(client));
  const getUsers = unary(client.getUsers.bind(client));
  return {
    async createAdmin(request) {
      const { user } = await createAdmin(request);
      if (user === undefined) throw new Error('The answer has no account.');
      return user;
    },
    async findUsers(ids) {
      if (ids.length === 0) return [];
      const { users } = await getUsers({ ids });
      return users;
    },
    close: () => client.close(),
  };
}
