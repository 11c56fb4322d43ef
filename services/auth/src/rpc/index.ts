import { AppError, validate } from '@najwa/common/errors';
import type { UnaryHandlers } from '@najwa/common/grpc';
import { Receiving_From, type AuthServiceService, type User } from '@najwa/proto/auth';
import { fields, receivingUpdate } from '@najwa/proto/http';
import { z } from 'zod';
import type { AuthContext } from '../context.js';
import type { UserRecord } from '../db/users.js';
import { register, updateProfile } from '../domain/accounts.js';
import { mustSetUpTotp } from '../domain/second-step.js';
import { resolveSession } from '../domain/sessions.js';

const MAX_IDS = 100;

const newAdmin = z.object({
  username: fields.newUsername,
  password: fields.adminPassword,
  name: fields.name,
  email: fields.email,
  isVerified: z.boolean(),
  isModerator: z.boolean(),
  submission: z.object({ key: z.string().min(1, 'required'), content: z.string().min(1, 'required') }),
});

export function rpc(context: AuthContext): UnaryHandlers<AuthServiceService> {
  const { users, passwords } = context;
  return {
    async resolveSession({ tokenHash }) {
      const { session, user } = await resolveSession(context, tokenHash);
      const mustSetUp = mustSetUpTotp(context, user);
      const isLeaving = user.deletesAt !== null;
      const hasRights = !mustSetUp && !isLeaving;
      return {
        userId: user.id,
        isAdmin: user.isAdmin && hasRights,
        isModerator: user.isModerator && hasRights,
        sessionId: session.sessionId,
        mustSetUpTotp: mustSetUp,
        isLeaving,
      };
    },
    async getUser({ key }) {
      if (key === undefined) throw new AppError({ code: 'invalid_input', message: 'Ask by id or by username.' });
      const user = key.$case === 'id' ? await users.findById(key.value) : await users.findByUsername(key.value);
      if (user?.deletesAt !== null) throw new AppError({ code: 'user_not_found', message: 'User not found' });
      return { user: presentUser(user) };
    },
    async getUsers({ ids }) {
      if (ids.length > MAX_IDS)
        throw new AppError({ code: 'invalid_input', message: `At most ${MAX_IDS} ids at once.` });
      return { users: (await users.findByIds(ids)).filter(({ deletesAt }) => deletesAt === null).map(presentUser) };
    },
    async getOwnAccount({ id }) {
      const user = await users.findById(id);
      if (user === null) throw new AppError({ code: 'user_not_found', message: 'User not found' });
      const { bio, gender, email, visitorCount, receiving } = user;
      return { user: presentUser(user), bio, gender, email: email ?? '', notice: receiving.notice, visitorCount };
    },
    async updateReceiving({ userId, changes = {} }) {
      const given = Object.entries(changes).filter(([, value]) => value !== undefined);
      const receiving = validate(receivingUpdate, Object.fromEntries(given));
      return { settings: (await updateProfile(context, userId, { receiving })).receiving };
    },
    async createAdmin(request) {
      const { submission, ...account } = validate(newAdmin, request);
      const user = await register(
        context,
        { ...account, isAdmin: !account.isModerator },
        submission,
        ({ passwordHash }) => passwords.verify(passwordHash, account.password, STAFF),
        STAFF,
      );
      return { user: presentUser(user) };
    },
  };
}

/** Takes turns with those who sign in. */
const STAFF = 'staff';

const FROM = {
  everyone: Receiving_From.FROM_EVERYONE,
  accounts: Receiving_From.FROM_ACCOUNTS,
  established: Receiving_From.FROM_ESTABLISHED,
  nobody: Receiving_From.FROM_NOBODY,
} as const;

const presentUser = ({
  id,
  username,
  name,
  isAdmin,
  isModerator,
  isVerified,
  createdAt,
  avatarName,
  receiving,
  prompts,
}: UserRecord): User => ({
  id,
  username,
  name,
  isAdmin,
  isModerator,
  isVerified,
  createdAt,
  avatarName: avatarName ?? '',
  receiving: {
    from: FROM[receiving.from],
    minimumDays: receiving.minimumDays,
    hidesReading: !receiving.readReceipts,
  },
  prompts: prompts.map(({ id, content }) => ({ id, content })),
});
