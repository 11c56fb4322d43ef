import type { Handlers } from '@najwa/common/http';
import { readSubmission } from '@najwa/common/limits';
import { PROOF_HEADER } from '@najwa/product';
import { findOwn, register, type AccountDeps } from '../account/accounts.js';
import { signIn } from '../sessions/routes.js';
import { admitCaller, admitRegistration, authenticate, changePassword, isAuthentic } from './login.js';
import { callerSender, type AccessDeps } from './passwords.js';
import { createRecoveryCodes, resetPassword } from './recovery.js';
import { beginTotp, confirmTotp, removeTotp, totpState } from './second-step.js';

export function accessHandlers(deps: AccessDeps & AccountDeps) {
  const { limits } = deps;
  const checkPassword = ({ identity: { user } }: { identity: { user: { id: number } } }): Promise<void> =>
    limits.passwordCheck.consume(String(user.id));

  return {
    register: {
      limit: ({ identity: { ip }, request }) => admitRegistration(deps, ip, request.get(PROOF_HEADER)),
      async handle(call) {
        const { identity, body, request } = call;
        const { username, name, bio, password } = body;
        const submission = readSubmission(request.get('idempotency-key'), identity, [username, name, bio]);
        // It may sign in to an existing account, so all protections apply.
        const attempt = { username, password, identity, isNetworkCounted: false, proof: request.get(PROOF_HEADER) };
        const user = await register(
          deps,
          { username, name, bio, password },
          submission,
          () => isAuthentic(deps, attempt),
          callerSender(identity.ip),
        );
        return signIn(deps, user, call);
      },
    },
    login: {
      limit: ({ identity, request }) => admitCaller(deps, identity, request.get(PROOF_HEADER)),
      async handle(call, isNetworkCounted: boolean) {
        const { identity, body, request } = call;
        const attempt = { ...body, identity, isNetworkCounted, proof: request.get(PROOF_HEADER) };
        return signIn(deps, await authenticate(deps, attempt), call);
      },
    },
    changePassword: {
      limit: checkPassword,
      handle: ({ identity: { user }, body }) => changePassword(deps, user, body.currentPassword, body.newPassword),
    },

    async getRecoveryCodes({ identity: { user } }) {
      return { left: (await findOwn(deps, user.id)).recovery?.hashes.length ?? 0 };
    },
    createRecoveryCodes: {
      limit: checkPassword,
      handle: async ({ identity: { user }, body }) => ({
        codes: await createRecoveryCodes(deps, user.id, body.password),
      }),
    },
    resetPassword: {
      limit: ({ identity: { ip } }) => limits.resetByNetwork.consumeNetwork(ip),
      handle: ({ identity: { ip }, body: { username, code, password }, request }) =>
        resetPassword(deps, { username, code, password, ip, proof: request.get(PROOF_HEADER) }),
    },

    getTotp: ({ identity: { user } }) => totpState(deps, user.id),
    beginTotp: {
      limit: checkPassword,
      handle: ({ identity: { user }, body }) => beginTotp(deps, user.id, body.password),
    },
    confirmTotp: ({ identity: { user }, body }) => confirmTotp(deps, user.id, body.code),
    removeTotp: ({ identity: { user }, body }) => removeTotp(deps, user.id, body.code),
  } satisfies Partial<Handlers<'auth'>>;
}
