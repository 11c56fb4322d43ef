import { truncateToMinute } from '@najwa/common';
import type { Answer } from '@najwa/proto/http';
import { coarseLastOnline, isOnline } from '../domain/presence.js';
import type { SessionRecord } from '../db/sessions.js';
import type { UserRecord } from '../db/users.js';

/** Without the leading /api, like every picture's URL. */
export const avatarUrl = (name: string): string => `/image/${name}`;

/** The fields of an account that anyone may see. */
export function presentPublicUser(user: UserRecord): Answer<'getPublicUser'> {
  const { lastOnline } = user;
  return {
    id: user.id,
    username: user.username,
    name: user.name,
    bio: user.bio,
    avatar: user.avatarName && avatarUrl(user.avatarName),
    isAdmin: user.isAdmin,
    isVerified: user.isVerified,
    isOnline: isOnline(lastOnline),
    lastOnline: lastOnline && coarseLastOnline({ ...user, lastOnline }).toISOString(),
    visitorCount: user.visitorCount,
  };
}

/** The fields that the account itself sees. The caller counts as online even before the presence write lands. */
export function presentOwnUser(user: UserRecord): Answer<'getCurrentUser'> {
  return {
    ...presentPublicUser(user),
    isOnline: true,
    lastOnline: user.lastOnline && truncateToMinute(user.lastOnline),
    email: user.email,
    gender: user.gender,
    createdAt: user.createdAt.toISOString(),
  };
}

/** A session, as its own account sees it. */
export function presentSession(
  { sessionId, device, createdAt, lastSeenAt }: SessionRecord,
  currentSessionId: string,
): Answer<'listSessions'>[number] {
  const { browser, operatingSystem, kind } = device;
  return {
    id: sessionId,
    device: { browser, operatingSystem, kind },
    createdAt: createdAt.toISOString(),
    lastSeen: lastSeenAt.toISOString(),
    isCurrent: sessionId === currentSessionId,
  };
}
