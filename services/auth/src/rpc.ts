import { AppError, validate } from '@najwa/common/errors';
import type { UnaryHandlers } from '@najwa/common/grpc';
import type { AuthServiceService } from '@najwa/proto/auth';
import { fields, receivingUpdate } from '@najwa/proto/http';
import { z } from 'zod';
import type { AccessDeps } from './access/passwords.js';
import { mustSetUpTotp } from './access/second-step.js';
import { register, updateProfile, type AccountDeps } from './account/accounts.js';
import { exportView, serviceView } from './account/views.js';
import { resolveSession } from './sessions/sessions.js';

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

export function rpc(deps: AccessDeps & AccountDeps): UnaryHandlers<AuthServiceService> {
  const { users, passwords } = deps;
  return {
    async resolveSession({ tokenHash }) {
      const { session, user } = await resolveSession(deps, tokenHash);
      const mustSetUp = mustSetUpTotp(deps, user);
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
      return { user: serviceView(user) };
    },
    async getUsers({ ids }) {
      if (ids.length > MAX_IDS)
        throw new AppError({ code: 'invalid_input', message: `At most ${MAX_IDS} ids at once.` });
      return { users: (await users.findByIds(ids)).filter(({ deletesAt }) => deletesAt === null).map(serviceView) };
    },
    async getOwnAccount({ id }) {
      const user = await users.findById(id);
      if (user === null) throw new AppError({ code: 'user_not_found', message: 'User not found' });
      return exportView(user);
    },
    async updateReceiving({ userId, changes = {} }) {
      const given = Object.entries(changes).filter(([, value]) => value !== undefined);
      const receiving = validate(receivingUpdate, Object.fromEntries(given));
      return { settings: (await updateProfile(deps, userId, { receiving })).receiving };
    },
    async createAdmin(request) {
      const { submission, ...account } = validate(newAdmin, request);
      const user = await register(
        deps,
        { ...account, isAdmin: !account.isModerator },
        submission,
        ({ passwordHash }) => passwords.verify(passwordHash, account.password, STAFF),
        STAFF,
      );
      return { user: serviceView(user) };
    },
  };
}

/** Queues as a known sender. */
const STAFF = { key: 'staff', isKnown: true };
