import { truncateToMinute } from '@najwa/common';
import { isOnline } from '../domain/presence.js';
import type { SessionRecord } from '../db/sessions.js';
import type { UserRecord } from '../db/users.js';

/** Without the /api in front, like every address of a picture. */
export const avatarUrl = (name: string): string => `/image/${name}`;

/** What anyone may see of an account. */
export function presentPublicUser(user: UserRecord) {
  return {
    id: user.id,
    username: user.username,
    name: user.name,
    bio: user.bio,
    avatar: user.avatarName && avatarUrl(user.avatarName),
    isAdmin: user.isAdmin,
    isVerified: user.isVerified,
    isOnline: isOnline(user.lastOnline),
    lastOnline: user.lastOnline && truncateToMinute(user.lastOnline),
    visitorCount: user.visitorCount,
  };
}

/** What the account itself sees. Whoever asks for themselves is there, also before it has been written down. */
export function presentOwnUser(user: UserRecord) {
  return {
    ...presentPublicUser(user),
    isOnline: true,
    email: user.email,
    gender: user.gender,
    createdAt: user.createdAt.toISOString(),
  };
}

/** A session, for the account that it is of. */
export function presentSession({ sessionId, device, createdAt, lastSeenAt }: SessionRecord, currentSessionId: string) {
  const { browser, operatingSystem, kind } = device;
  return {
    id: sessionId,
    device: { browser, operatingSystem, kind },
    createdAt: createdAt.toISOString(),
    lastSeen: lastSeenAt.toISOString(),
    isCurrent: sessionId === currentSessionId,
  };
}
