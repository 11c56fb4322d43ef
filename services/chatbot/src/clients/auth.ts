import { AppError } from '@najwa/common/errors';
import { createGrpcClient, unary, type ServiceCaller } from '@najwa/common/grpc';
import { AuthServiceClient, type User } from '@najwa/proto/auth';

export class AuthClient {
  readonly #client;

  constructor(address: string, caller: ServiceCaller) {
    this.#client = createGrpcClient(AuthServiceClient, address, caller);
  }

  async findUser(id: number): Promise<User | null> {
    try {
      const { user } = await unary(this.#client.getUser.bind(this.#client))({ key: { $case: 'id', value: id } });
      return user ?? null;
    } catch (error) {
      if (error instanceof AppError && error.code === 'user_not_found') return null;
      throw error;
    }
  }
  close(): void {
    this.#client.close();
  }
}
