import { Optional } from '../../ui/index.js';
import { lazyPart } from '../../lib/on-demand.js';

const ReplyPushSwitch = lazyPart(async () => (await import('./ReplyPushSwitch.js')).ReplyPushSwitch);

export function ReplyPushToggle({ token }: { token: string }) {
  return (
    <Optional>
      <ReplyPushSwitch token={token} />
    </Optional>
  );
}
