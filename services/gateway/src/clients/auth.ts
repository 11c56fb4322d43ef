import { createGrpcClient, unary, type ServiceCaller } from '@najwa/common/grpc';
import { AuthServiceClient } from '@najwa/proto/auth';
import type { Session } from '../domain/sessions.js';

export interface AuthClient {
  /** @throws {AppError} `session_not_found` for a session that has ended or never existed */
  resolveSession(tokenHash: Buffer): Promise<Session>;
  close(): void;
}

/** Short, because a person is waiting. */
const DEADLINE_MS = 2_000;

export function createAuthClient(address: string, caller: ServiceCaller): AuthClient {
  const client = createGrpcClient(AuthServiceClient, address, caller);
  const resolveSession = unary(client.resolveSession.bind(client), DEADLINE_MS);
  return {
    resolveSession: (tokenHash) => resolveSession({ tokenHash }),
    close: () => client.close(),
  };
}
