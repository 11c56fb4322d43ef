import { createGrpcClient, unary, type ServiceCaller } from '@najwa/common/grpc';
import { AuthServiceClient, type CreateAdminRequest, type User } from '@najwa/proto/auth';

export class AuthClient {
  readonly #client;

  constructor(address: string, caller: ServiceCaller) {
    this.#client = createGrpcClient(AuthServiceClient, address, caller);
  }

  /** @throws {AppError} `username_taken`, `username_reserved`, `idempotency_conflict` */
  async createAdmin(request: CreateAdminRequest): Promise<User> {
    const { user } = await unary(this.#client.createAdmin.bind(this.#client))(request);
    if (user === undefined) throw new Error('The answer has no account.');
    return user;
  }
  async findUsers(ids: number[]): Promise<User[]> {
    if (ids.length === 0) return [];
    const { users } = await unary(this.#client.getUsers.bind(this.#client))({ ids });
    return users;
  }
  close(): void {
    this.#client.close();
  }
}
