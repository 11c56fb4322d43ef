import { describeDevice } from '@najwa/common';
import { AppError } from '@najwa/common/errors';
import { FORWARDED_HOST_HEADER, type Handlers } from '@najwa/common/http';
import type { Identity } from '@najwa/common/identity';
import type { Answer } from '@najwa/proto/http';
import type { Request } from 'express';
import { deviceOf } from '../access/login.js';
import type { AccessDeps } from '../access/passwords.js';
import { findOwn } from '../account/accounts.js';
import { signIn } from '../sessions/routes.js';
import type { PasskeyRecord } from './passkey-store.js';
import {
  addPasskey,
  beginPasskey,
  beginPasskeyLogin,
  relyingParty,
  verifyPasskey,
  type PasskeysDeps,
  type RelyingParty,
} from './passkeys.js';

function presentPasskey({ passkeyId, device, createdAt, lastUsedAt }: PasskeyRecord): Answer<'createPasskey'> {
  return {
    id: passkeyId,
    device,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}

export function passkeyHandlers(deps: PasskeysDeps & AccessDeps) {
  const { credentials, passkeys, limits } = deps;
  const checkNetwork = ({ identity: { ip } }: { identity: Identity }): Promise<void> =>
    limits.loginByAddress.consumeNetwork(ip);
  const partyOf = (request: Request): RelyingParty =>
    relyingParty(deps.publicHosts, request.get(FORWARDED_HOST_HEADER));

  return {
    listPasskeys: async ({ identity: { user } }) => (await passkeys.list(user.id)).map(presentPasskey),
    beginPasskey: {
      limit: ({ identity: { user } }) => limits.profileUpdate.consume(String(user.id)),
      handle: async ({ identity: { user }, request }) =>
        beginPasskey(deps, await findOwn(deps, user.id), partyOf(request)),
    },
    createPasskey: async ({ identity: { user }, body, request }) =>
      presentPasskey(
        await addPasskey(deps, user.id, body, partyOf(request), describeDevice(request.get('user-agent'))),
      ),
    async deletePasskey({ identity: { user }, params }) {
      if (!(await passkeys.remove(user.id, params.id)))
        throw new AppError({ code: 'not_found', message: 'There is no such passkey.' });
    },
    beginPasskeyLogin: {
      limit: checkNetwork,
      handle: ({ request }) => beginPasskeyLogin(deps, partyOf(request)),
    },
    verifyPasskeyLogin: {
      limit: checkNetwork,
      async handle(call) {
        const user = await verifyPasskey(deps, call.body, partyOf(call.request));
        const device = deviceOf(call.identity);
        if (device !== null) await credentials.rememberDevice(user.id, device);
        return signIn(deps, user, call);
      },
    },
  } satisfies Partial<Handlers<'auth'>>;
}
