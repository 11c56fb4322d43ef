import { truncateToMinute } from '@najwa/common';
import { profileFieldNames, type Answer } from '@najwa/proto/http';
import { presenceForOthers } from '../domain/presence.js';
import type { PasskeyRecord } from '../db/passkeys.js';
import type { SessionRecord } from '../db/sessions.js';
import type { PromptRecord, UserRecord } from '../db/users.js';

const pick = <Name extends keyof UserRecord>(user: UserRecord, names: readonly Name[]): Pick<UserRecord, Name> =>
  Object.fromEntries(names.map((name) => [name, user[name]])) as Pick<UserRecord, Name>;

/** Without the leading /api, like every picture's URL. */
export const avatarUrl = (name: string): string => `/image/${name}`;

/** The fields of an account that anyone may see. */
export function presentPublicUser(user: UserRecord): Answer<'getPublicUser'> {
  const { from, minimumDays, notice, presence } = user.receiving;
  const { isOnline, lastOnline } =
    presence === 'hidden' ? { isOnline: false, lastOnline: null } : presenceForOthers(user);
  return {
    id: user.id,
    username: user.username,
    ...pick(user, profileFieldNames.public),
    avatar: user.avatarName && avatarUrl(user.avatarName),
    isAdmin: user.isAdmin,
    isVerified: user.isVerified,
    isOnline,
    lastOnline: lastOnline?.toISOString() ?? null,
    visitorCount: user.visitorCount,
    receiving: { from, minimumDays, notice },
    ...(user.prompts.length > 0 && { prompts: user.prompts.map(({ id, content }) => ({ id, content })) }),
  };
}

export const presentPrompt = ({ id, content, createdAt }: PromptRecord): Answer<'createPrompt'> => ({
  id,
  content,
  createdAt: createdAt.toISOString(),
});

/** The fields that the account itself sees. The caller counts as online even before the presence write lands. */
export function presentOwnUser(user: UserRecord): Answer<'getCurrentUser'> {
  return {
    ...presentPublicUser(user),
    isOnline: true,
    isModerator: user.isModerator,
    lastOnline: user.lastOnline && truncateToMinute(user.lastOnline),
    email: user.email,
    ...pick(user, profileFieldNames.own),
    createdAt: user.createdAt.toISOString(),
    deletesAt: user.deletesAt?.toISOString() ?? null,
  };
}

/** A passkey, as its own account sees it. */
export function presentPasskey({ passkeyId, device, createdAt, lastUsedAt }: PasskeyRecord): Answer<'createPasskey'> {
  const { browser, operatingSystem, kind } = device;
  return {
    id: passkeyId,
    device: { browser, operatingSystem, kind },
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
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
