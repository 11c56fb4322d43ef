export {
  type PushChange,
  type PushSubscription,
  useTestPushSubscriptionMutation,
  useUpdatePushSubscriptionMutation,
} from './push-api.js';
export { renewSubscription } from './push-browser.js';
export { ReplyPushToggle } from './ReplyPushToggle.js';
export { firstQuiet, usePush } from './use-push.js';
