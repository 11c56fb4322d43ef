import { lazy } from 'react';
import { Optional } from '../../components/index.js';

const Lazy = lazy(async () => ({ default: (await import('../push/index.js')).TellOfReply }));

/** Offers to tell this browser of the reply, once what that takes is loaded. @param token of the way back */
export function TellOfReply({ token }: { token: string }) {
  return (
    <Optional>
      <Lazy token={token} />
    </Optional>
  );
}
