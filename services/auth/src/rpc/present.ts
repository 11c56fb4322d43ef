import type { User } from '@najwa/proto/auth';
import type { UserRecord } from '../db/users.js';

export function presentUser({ id, username, name, isAdmin, isVerified }: UserRecord): User {
  return { id, username, name, isAdmin, isVerified };
}
