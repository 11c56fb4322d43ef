import {
  beginRangedAnswer,
  clientNetwork,
  entityTagOf,
  INERT_HEADERS,
  readByteRange,
  type Handlers,
  type Identity,
} from '@najwa/common';
import type { MessagesContext } from '../context.js';
import { deleteByWayBack, openWayBack, openWayBackFile } from './ways-back.js';
import { presenterOf } from '../inbox/present.js';

type WayBackOperation = 'getWayBack' | 'deleteWayBack' | 'getWayBackImage' | 'getWayBackAudio';

/** For whoever has the token: the caller's account and cookie are not looked at. */
export function wayBackHandlers(context: MessagesContext): Pick<Handlers<'messages'>, WayBackOperation> {
  const limit = ({ identity }: { identity: Identity }): Promise<void> =>
    context.limits.wayBack.consume(clientNetwork(identity.ip));
  return {
    getWayBack: {
      limit,
      handle: async ({ params: { token } }) =>
        (await presenterOf(context)).wayBackView(token, await openWayBack(context, token)),
    },
    deleteWayBack: { limit, handle: ({ params: { token } }) => deleteByWayBack(context, token) },
    getWayBackImage: {
      limit,
      async handle({ params: { token }, response }) {
        const { content, contentType } = await openWayBackFile(context, token, 'image');
        response.set({ 'Content-Type': contentType, ...INERT_HEADERS }).end(content);
      },
    },
    getWayBackAudio: {
      limit,
      async handle({ params: { token }, request, response }) {
        const { content, contentType } = await openWayBackFile(context, token, 'audio');
        const sound = { size: content.length, contentType, etag: entityTagOf(content) };
        const range = readByteRange(request, response, sound);
        beginRangedAnswer(response, sound, range);
        response.end(range ? content.subarray(range.start, range.end + 1) : content);
      },
    },
  };
}
