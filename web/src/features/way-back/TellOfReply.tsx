import { Optional } from '../../components/index.js';
import { lazyPart } from '../../lib/on-demand.js';

const Lazy = lazyPart(async () => (await import('../push/index.js')).TellOfReply);

/** Offers to tell this browser of the reply, once what that takes is loaded. @param token of the way back */
export function TellOfReply({ token }: { token: string }) {
  return (
    <Optional>
      <Lazy token={token} />
    </Optional>
  );
}
