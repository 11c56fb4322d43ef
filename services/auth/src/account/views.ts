import { truncateToMinute } from '@najwa/common';
import { Receiving_From, type GetOwnAccountResponse, type User } from '@najwa/proto/auth';
import { profileFieldNames, type Answer } from '@najwa/proto/http';
import { presenceForOthers } from '../presence/presence.js';
import type { UserRecord } from './user-store.js';

const FROM = {
  everyone: Receiving_From.FROM_EVERYONE,
  accounts: Receiving_From.FROM_ACCOUNTS,
  established: Receiving_From.FROM_ESTABLISHED,
  nobody: Receiving_From.FROM_NOBODY,
} as const;

const pick = <Name extends keyof UserRecord>(user: UserRecord, names: readonly Name[]): Pick<UserRecord, Name> =>
  Object.fromEntries(names.map((name) => [name, user[name]])) as Pick<UserRecord, Name>;

const promptsOf = ({ prompts }: UserRecord) => prompts.map(({ id, content }) => ({ id, content }));

const shown = (user: UserRecord) => ({
  id: user.id,
  username: user.username,
  ...pick(user, profileFieldNames.public),
  // Without the /api prefix, like every picture URL.
  avatar: user.avatarName && `/image/${user.avatarName}`,
  isAdmin: user.isAdmin,
  isVerified: user.isVerified,
  visitorCount: user.visitorCount,
  receiving: {
    from: user.receiving.from,
    minimumDays: user.receiving.minimumDays,
    notice: user.receiving.notice,
  },
  ...(user.prompts.length > 0 && { prompts: promptsOf(user) }),
});

function presenceView(user: UserRecord) {
  if (user.receiving.presence === 'hidden') return { isOnline: false, lastOnline: null };
  const { isOnline, lastOnline } = presenceForOthers(user);
  return { isOnline, lastOnline: lastOnline?.toISOString() ?? null };
}

export const publicView = (user: UserRecord): Answer<'getPublicUser'> => ({ ...shown(user), ...presenceView(user) });

export const staffView = (user: UserRecord): Answer<'getUserById'> => ({ ...shown(user), ...presenceView(user) });

/** The caller counts as online even before the presence write lands. */
export const ownView = (user: UserRecord): Answer<'getCurrentUser'> => ({
  ...shown(user),
  isOnline: true,
  lastOnline: user.lastOnline && truncateToMinute(user.lastOnline),
  ...pick(user, profileFieldNames.own),
  isModerator: user.isModerator,
  email: user.email,
  createdAt: user.createdAt.toISOString(),
  deletesAt: user.deletesAt?.toISOString() ?? null,
});

export const serviceView = (user: UserRecord): User => ({
  id: user.id,
  username: user.username,
  name: user.name,
  isAdmin: user.isAdmin,
  isModerator: user.isModerator,
  isVerified: user.isVerified,
  createdAt: user.createdAt,
  avatarName: user.avatarName ?? '',
  receiving: {
    from: FROM[user.receiving.from],
    minimumDays: user.receiving.minimumDays,
    hidesReading: !user.receiving.readReceipts,
    takesNoMore: !user.receiving.conversations,
  },
  prompts: promptsOf(user),
});

export const exportView = (user: UserRecord): GetOwnAccountResponse => ({
  user: serviceView(user),
  profile: { ...pick(user, profileFieldNames.public), ...pick(user, profileFieldNames.own) },
  email: user.email ?? '',
  notice: user.receiving.notice,
  visitorCount: user.visitorCount,
});
