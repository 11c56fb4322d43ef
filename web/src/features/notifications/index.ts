export { useChangeNotificationSettingsMutation, useGetNotificationSettingsQuery } from './api.js';
export { forgetArrived, forgetChanged, NO_REFETCH, noteArrived, useLive, useLiveWayBack } from './live.js';
export { NotificationBell } from './NotificationBell.js';
export {
  type PushChange,
  type PushSubscription,
  useTestPushSubscriptionMutation,
  useUpdatePushSubscriptionMutation,
} from './push-api.js';
export { ReplyPushToggle } from './ReplyPushToggle.js';
export { firstQuiet, usePush } from './use-push.js';
