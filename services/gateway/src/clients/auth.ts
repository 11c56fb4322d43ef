import { createGrpcClient, unary, type ServiceCaller } from '@najwa/common/grpc';
import { AuthServiceClient } from '@najwa/proto/auth';

export interface Session {
  userId: number;
  isAdmin: boolean;
  isModerator?: boolean;
  sessionId: string;
  /** Staff who may only set up the second factor. */
  mustSetUpTotp?: boolean;
  /** The account is being deleted: it can only be kept or exported. */
  isLeaving?: boolean;
}

export interface AuthClient {
  /** @throws {AppError} `session_not_found` */
  resolveSession(tokenHash: Buffer): Promise<Session>;
  close(): void;
}

const DEADLINE_MS = 2_000;

export function createAuthClient(address: string, caller: ServiceCaller, deadlineMs = DEADLINE_MS): AuthClient {
  const client = createGrpcClient(AuthServiceClient, address, caller);
  const resolveSession = unary(client.resolveSession.bind(client), deadlineMs);
  return {
    resolveSession: (tokenHash) => resolveSession({ tokenHash }),
    close: () => client.close(),
  };
}
