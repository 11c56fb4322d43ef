import type { UnaryHandlers } from '@najwa/common/grpc';
import { beginRangedAnswer, entityTagOf, INERT_HEADERS, readByteRange, type Handlers } from '@najwa/common/http';
import type { Identity } from '@najwa/common/identity';
import { clientNetwork } from '@najwa/common/limits';
import type { MessagesServiceService } from '@najwa/proto/messages';
import type { Limits } from '../config.js';
import { presenterOf } from '../inbox/present.js';
import { deleteByWayBack, openWayBack, openWayBackFile, type SenderLinksDeps } from './ways-back.js';

type WayBackOperation = 'getWayBack' | 'deleteWayBack' | 'getWayBackImage' | 'getWayBackAudio';

/** For whoever has the token: the caller's account and cookie are not looked at. */
export function wayBackHandlers(
  deps: SenderLinksDeps,
  limits: Limits<'wayBack'>,
): Pick<Handlers<'messages'>, WayBackOperation> {
  const limit = ({ identity }: { identity: Identity }): Promise<void> =>
    limits.wayBack.consume(clientNetwork(identity.ip));
  return {
    getWayBack: {
      limit,
      handle: async ({ params: { token } }) =>
        (await presenterOf(deps)).wayBackView(token, await openWayBack(deps, token)),
    },
    deleteWayBack: { limit, handle: ({ params: { token } }) => deleteByWayBack(deps, token) },
    getWayBackImage: {
      limit,
      async handle({ params: { token }, response }) {
        const { content, contentType } = await openWayBackFile(deps, token, 'image');
        response.set({ 'Content-Type': contentType, ...INERT_HEADERS }).end(content);
      },
    },
    getWayBackAudio: {
      limit,
      async handle({ params: { token }, request, response }) {
        const { content, contentType } = await openWayBackFile(deps, token, 'audio');
        const sound = { size: content.length, contentType, etag: entityTagOf(content) };
        const range = readByteRange(request, response, sound);
        beginRangedAnswer(response, sound, range);
        response.end(range ? content.subarray(range.start, range.end + 1) : content);
      },
    },
  };
}

/** For the event streams of the gateway. */
export const wayBackCalls = (
  deps: SenderLinksDeps,
  limits: Limits<'wayBack'>,
): Pick<UnaryHandlers<MessagesServiceService>, 'followWayBack'> => ({
  async followWayBack({ token, network }) {
    if (network !== '') await limits.wayBack.consume(network);
    const { message } = await openWayBack(deps, token);
    return { messageId: message.id };
  },
});
