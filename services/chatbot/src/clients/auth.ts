import { AppError } from '@najwa/common/errors';
import { createGrpcClient, unary, type ServiceCaller } from '@najwa/common/grpc';
import { AuthServiceClient, type User } from '@najwa/proto/auth';

export interface AuthClient {
  findUser(id: number): Promise<User | null>;
  close(): void;
}

export function createAuthClient(address: string, caller: ServiceCaller): AuthClient {
  const client = createGrpcClient(AuthServiceClient, address, caller);
  const getUser = unary(client.getUser.bind(client));
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
    close: () => client.close(),
  };
}
