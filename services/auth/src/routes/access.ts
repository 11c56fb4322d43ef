import { describeDevice } from '@najwa/common';
import { AppError } from '@najwa/common/errors';
import { FORWARDED_HOST_HEADER, type Handlers } from '@najwa/common/http';
import type { Identity } from '@najwa/common/identity';
import { PROOF_HEADER } from '@najwa/product';
import type { Answer } from '@najwa/proto/http';
import type { Request, Response } from 'express';
import type { AuthContext } from '../context.js';
import type { UserRecord } from '../db/users.js';
import { keepAccount, requestDeletion } from '../domain/deletion.js';
import { deviceOf } from '../domain/login.js';
import {
  addPasskey,
  beginPasskey,
  beginPasskeyLogin,
  relyingParty,
  verifyPasskey,
  type RelyingParty,
} from '../domain/passkeys.js';
import { createRecoveryCodes, resetPassword } from '../domain/recovery.js';
import { beginTotp, confirmTotp, removeTotp, totpState } from '../domain/second-step.js';
import { presentPasskey } from './present.js';

type SignIn = (identity: Identity, request: Request, response: Response, user: UserRecord) => Promise<Answer<'login'>>;

export function accessHandlers(context: AuthContext, signIn: SignIn) {
  const { users, credentials, passkeys, limits } = context;
  const checkPassword = ({ identity: { user } }: { identity: { user: { id: number } } }): Promise<void> =>
    limits.passwordCheck.consume(String(user.id));
  const checkNetwork = ({ identity: { ip } }: { identity: Identity }): Promise<void> =>
    limits.loginByAddress.consumeNetwork(ip);
  const partyOf = (request: Request): RelyingParty =>
    relyingParty(context.publicHosts, request.get(FORWARDED_HOST_HEADER));

  async function findOwn(id: number): Promise<UserRecord> {
    const user = await users.findById(id);
    if (user === null) throw new AppError({ code: 'not_signed_in', message: 'Sign in first.' });
    return user;
  }

  return {
    requestDeletion: {
      limit: checkPassword,
      handle: async ({ identity: { user }, body }) => ({
        deletesAt: (await requestDeletion(context, user.id, body.password)).toISOString(),
      }),
    },
    keepAccount: ({ identity: { user } }) => keepAccount(context, user.id),

    async getRecoveryCodes({ identity: { user } }) {
      return { left: (await findOwn(user.id)).recovery?.hashes.length ?? 0 };
    },
    createRecoveryCodes: {
      limit: checkPassword,
      handle: async ({ identity: { user }, body }) => ({
        codes: await createRecoveryCodes(context, user.id, body.password),
      }),
    },
    resetPassword: {
      limit: ({ identity: { ip } }) => limits.resetByNetwork.consumeNetwork(ip),
      handle: ({ identity: { ip }, body: { username, code, password }, request }) =>
        resetPassword(context, { username, code, password, ip, proof: request.get(PROOF_HEADER) }),
    },

    getTotp: ({ identity: { user } }) => totpState(context, user.id),
    beginTotp: {
      limit: checkPassword,
      handle: ({ identity: { user }, body }) => beginTotp(context, user.id, body.password),
    },
    confirmTotp: ({ identity: { user }, body }) => confirmTotp(context, user.id, body.code),
    removeTotp: ({ identity: { user }, body }) => removeTotp(context, user.id, body.code),

    listPasskeys: async ({ identity: { user } }) => (await passkeys.list(user.id)).map(presentPasskey),
    beginPasskey: {
      limit: ({ identity: { user } }) => limits.profileUpdate.consume(String(user.id)),
      handle: async ({ identity: { user }, request }) =>
        beginPasskey(context, await findOwn(user.id), partyOf(request)),
    },
    createPasskey: async ({ identity: { user }, body, request }) =>
      presentPasskey(
        await addPasskey(context, user.id, body, partyOf(request), describeDevice(request.get('user-agent'))),
      ),
    async deletePasskey({ identity: { user }, params }) {
      if (!(await passkeys.remove(user.id, params.id)))
        throw new AppError({ code: 'not_found', message: 'There is no such passkey.' });
    },
    beginPasskeyLogin: {
      limit: checkNetwork,
      handle: ({ request }) => beginPasskeyLogin(context, partyOf(request)),
    },
    verifyPasskeyLogin: {
      limit: checkNetwork,
      async handle({ identity, body, request, response }) {
        const user = await verifyPasskey(context, body, partyOf(request));
        const device = deviceOf(identity);
        if (device !== null) await credentials.rememberDevice(user.id, device);
        return signIn(identity, request, response, user);
      },
    },
  } satisfies Partial<Handlers<'auth'>>;
}
