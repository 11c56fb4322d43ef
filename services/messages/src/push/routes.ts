import { describeDevice } from '@najwa/common';
import { AppError } from '@najwa/common/errors';
import type { Handlers } from '@najwa/common/http';
import { senderKey, type Identity } from '@najwa/common/identity';
import { clientNetwork } from '@najwa/common/limits';
import type { WayBackCaller } from '../sender-links/ways-back.js';
import type { PushSubscriptionRecord } from './subscription-store.js';
import {
  changeSubscription,
  listSubscriptions,
  subscribeAccount,
  subscribeWayBack,
  testSubscription,
  unsubscribeAccount,
  unsubscribeWayBack,
  type PushDeps,
  type PushLimits,
} from './subscriptions.js';

const requireAccount = ({ user }: Identity): NonNullable<Identity['user']> => {
  if (user === null) throw new AppError({ code: 'not_signed_in', message: 'Sign in first, or give a way back.' });
  return user;
};

/** A way back is its own credential: account and cookie are ignored. */
export function pushHandlers(deps: PushDeps, limits: PushLimits) {
  // Visitors are limited once their way back is known.
  const limit = async ({ identity }: { identity: Identity }): Promise<void> => {
    if (identity.user !== null) await limits.push.consume(senderKey(identity));
  };
  const callerOf = (token: string, { ip }: Identity): WayBackCaller => ({ token, network: clientNetwork(ip) });
  return {
    getPushKey: () => ({ publicKey: deps.pushServices.publicKey }),
    listPushSubscriptions: async ({ identity: { user } }) =>
      (await listSubscriptions(deps, user.id)).map(presentSubscription),
    createPushSubscription: {
      limit,
      async handle({ identity, body: { wayBack, ...given }, request }) {
        const browser = { ...given, device: describeDevice(request.get('user-agent')) };
        return presentSubscription(
          wayBack === undefined
            ? await subscribeAccount(deps, requireAccount(identity), browser)
            : await subscribeWayBack(deps, limits, callerOf(wayBack, identity), browser),
        );
      },
    },
    updatePushSubscription: {
      limit,
      handle: async ({ identity: { user }, params: { id }, body: { kinds, quiet, language } }) =>
        presentSubscription(
          await changeSubscription(deps, user, id, {
            ...(kinds !== undefined && { kinds }),
            ...(quiet !== undefined && { quiet }),
            ...(language !== undefined && { language }),
          }),
        ),
    },
    deletePushSubscription: {
      limit,
      handle: ({ identity, params: { id }, query: { wayBack } }) =>
        wayBack === undefined
          ? unsubscribeAccount(deps, requireAccount(identity).id, id)
          : unsubscribeWayBack(deps, limits, callerOf(wayBack, identity), id),
    },
    testPushSubscription: {
      limit,
      handle: ({ identity: { user }, params: { id } }) => testSubscription(deps, user.id, id),
    },
  } satisfies Partial<Handlers<'messages'>>;
}

function presentSubscription({ id, kinds, quiet, language, device, createdAt }: PushSubscriptionRecord) {
  return { id, kinds, quiet, language, device, createdAt: createdAt.toISOString() };
}
