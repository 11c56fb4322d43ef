import { Optional } from '../../components/index.js';
import { lazyPart } from '../../lib/on-demand.js';

const ReplyPushSwitch = lazyPart(async () => (await import('./ReplyPushSwitch.js')).ReplyPushSwitch);

/** Offers a push notification of the reply. It loads its code after the page. @param token of the way back */
export function ReplyPushToggle({ token }: { token: string }) {
  return (
    <Optional>
      <ReplyPushSwitch token={token} />
    </Optional>
  );
}
