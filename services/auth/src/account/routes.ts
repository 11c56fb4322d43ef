import { AppError } from '@najwa/common/errors';
import type { Handlers } from '@najwa/common/http';
import type { Identity } from '@najwa/common/identity';
import { UploadedImage, type Answer, type ParsedBody } from '@najwa/proto/http';
import { findOwn, updateProfile, type AccountDeps, type ProfileChanges } from './accounts.js';
import { keepAccount, requestDeletion } from './deletion.js';
import { createPrompt, deletePrompt } from './prompts.js';
import type { PromptRecord, UserRecord } from './user-store.js';
import { ownView, publicView, staffView } from './views.js';

const presentPrompt = ({ id, content, createdAt }: PromptRecord): Answer<'createPrompt'> => ({
  id,
  content,
  createdAt: createdAt.toISOString(),
});

/** The form sends the current URL to keep the avatar. */
function readChanges({ avatar, ...changes }: ParsedBody<'updateCurrentUser'>, sender: Identity): ProfileChanges {
  if (avatar instanceof UploadedImage) return { ...changes, avatar: { content: avatar.bytes, sender } };
  return avatar === null || avatar === '' ? { ...changes, avatar: null } : changes;
}

/** A closed account looks like an unknown one. */
function found(user: UserRecord | null): UserRecord {
  if (user?.deletesAt !== null) throw new AppError({ code: 'user_not_found', message: 'User not found' });
  return user;
}

export function accountHandlers(deps: AccountDeps) {
  const { users, limits } = deps;
  const checkUpdate = ({ identity: { user } }: { identity: { user: { id: number } } }): Promise<void> =>
    limits.profileUpdate.consume(String(user.id));
  return {
    async getCurrentUser({ identity: { user } }) {
      const { restoredTo } = deps;
      const view = ownView(await findOwn(deps, user.id));
      return restoredTo === null ? view : { ...view, restoredTo: restoredTo.toISOString() };
    },
    updateCurrentUser: {
      limit: checkUpdate,
      handle: async ({ identity, body }) =>
        ownView(await updateProfile(deps, identity.user.id, readChanges(body, identity))),
    },
    getPublicUser: async ({ params }) => publicView(found(await users.findByLink(params.username.trim()))),
    getUserById: async ({ params }) => staffView(found(await users.findById(params.id))),
    getReceiving: async ({ identity: { user } }) => (await findOwn(deps, user.id)).receiving,

    listPrompts: async ({ identity: { user } }) => (await findOwn(deps, user.id)).prompts.map(presentPrompt),
    createPrompt: {
      limit: checkUpdate,
      handle: async ({ identity: { user }, body }) =>
        presentPrompt(await createPrompt(deps, await findOwn(deps, user.id), body.content)),
    },
    deletePrompt: async ({ identity: { user }, params }) => deletePrompt(deps, await findOwn(deps, user.id), params.id),

    requestDeletion: {
      limit: ({ identity: { user } }) => limits.passwordCheck.consume(String(user.id)),
      handle: async ({ identity: { user }, body }) => ({
        deletesAt: (await requestDeletion(deps, user.id, body.password)).toISOString(),
      }),
    },
    keepAccount: ({ identity: { user } }) => keepAccount(deps, user.id),
  } satisfies Partial<Handlers<'auth'>>;
}
