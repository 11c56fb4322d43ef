import { isOnline } from '../domain/presence.js';
import type { UserRecord } from '../db/users.js';

/** What anyone may see of an account. */
export function presentPublicUser(user: UserRecord) {
  return {
    id: user.id,
    username: user.username,
    name: user.name,
    bio: user.bio,
    avatar: user.avatar,
    isAdmin: user.isAdmin,
    isVerified: user.isVerified,
    isOnline: isOnline(user.lastOnline),
    lastOnline: user.lastOnline?.toISOString() ?? null,
    visitorCount: user.visitorCount,
  };
}

/** What the account itself sees. */
export function presentOwnUser(user: UserRecord) {
  return { ...presentPublicUser(user), email: user.email, gender: user.gender, createdAt: user.createdAt.toISOString() };
}
