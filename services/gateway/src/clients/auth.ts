import { createGrpcClient, unary, type ServiceCaller } from '@najwa/common/grpc';
import { AuthServiceClient } from '@najwa/proto/auth';

/** The account of a session token. */
export interface Session {
  userId: number;
  isAdmin: boolean;
  isModerator?: boolean;
  sessionId: string;
  /** A moderator or an administrator who can only set up the second step at sign-in. */
  mustSetUpTotp?: boolean;
  /** The account is about to be deleted, and can only be kept or exported. */
  isLeaving?: boolean;
}

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
