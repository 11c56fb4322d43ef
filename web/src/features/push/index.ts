export {
  useTestPushSubscriptionMutation,
  useUpdatePushSubscriptionMutation,
  type PushChange,
  type PushSubscription,
} from './api.js';
export { AskForNotices } from './AskForNotices.js';
export { renewSubscription } from './renew.js';
export { TellOfReply } from './TellOfReply.js';
export { firstQuiet, usePush } from './use-push.js';
