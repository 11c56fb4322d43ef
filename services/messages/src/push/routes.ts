import { AppError, describeDevice, senderKey, type Handlers, type Identity } from '@najwa/common';
import type { MessagesContext } from '../context.js';
import type { PushSubscriptionRecord } from './subscription-store.js';
import {
  changeSubscription,
  listSubscriptions,
  subscribeAccount,
  subscribeWayBack,
  testSubscription,
  unsubscribeAccount,
  unsubscribeWayBack,
} from './subscriptions.js';

type PushOperation =
  | 'getPushKey'
  | 'listPushSubscriptions'
  | 'createPushSubscription'
  | 'updatePushSubscription'
  | 'deletePushSubscription'
  | 'testPushSubscription';

const requireAccount = ({ user }: Identity): NonNullable<Identity['user']> => {
  if (user === null) throw new AppError({ code: 'not_signed_in', message: 'Sign in first, or give a way back.' });
  return user;
};

/** A way back is for whoever has its token: the caller's account and cookie are not looked at. */
export function pushHandlers(context: MessagesContext): Pick<Handlers<'messages'>, PushOperation> {
  const limit = ({ identity }: { identity: Identity }): Promise<void> =>
    context.limits.push.consume(senderKey(identity));
  return {
    getPushKey: () => ({ publicKey: context.pushServices.publicKey }),
    listPushSubscriptions: async ({ identity: { user } }) =>
      (await listSubscriptions(context, user.id)).map(presentSubscription),
    createPushSubscription: {
      limit,
      async handle({ identity, body: { wayBack, ...given }, request }) {
        const browser = { ...given, device: describeDevice(request.get('user-agent')) };
        return presentSubscription(
          wayBack === undefined
            ? await subscribeAccount(context, requireAccount(identity), browser)
            : await subscribeWayBack(context, wayBack, browser),
        );
      },
    },
    updatePushSubscription: {
      limit,
      handle: async ({ identity: { user }, params: { id }, body: { kinds, quiet, language } }) =>
        presentSubscription(
          await changeSubscription(context, user, id, {
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
          ? unsubscribeAccount(context, requireAccount(identity).id, id)
          : unsubscribeWayBack(context, wayBack, id),
    },
    testPushSubscription: {
      limit,
      handle: ({ identity: { user }, params: { id } }) => testSubscription(context, user.id, id),
    },
  };
}

function presentSubscription({ id, kinds, quiet, language, device, createdAt }: PushSubscriptionRecord) {
  return { id, kinds, quiet, language, device, createdAt: createdAt.toISOString() };
}
