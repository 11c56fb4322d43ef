import type { UnaryHandlers } from '@najwa/common/grpc';
import { beginRangedAnswer, entityTagOf, INERT_HEADERS, readByteRange, type Handlers } from '@najwa/common/http';
import type { Identity } from '@najwa/common/identity';
import { clientNetwork } from '@najwa/common/limits';
import type { MessagesServiceService } from '@najwa/proto/messages';
import type { Limits } from '../config.js';
import { presenterOf } from '../inbox/present.js';
import {
  deleteByWayBack,
  endByWayBack,
  openWayBack,
  openWayBackFile,
  type SenderLinksDeps,
  type WayBackCaller,
} from './ways-back.js';

export const callerOf = ({ identity, params }: { identity: Identity; params: { token: string } }): WayBackCaller => ({
  token: params.token,
  network: clientNetwork(identity.ip),
});

/** The token is the only credential: account and cookie are ignored. */
export function wayBackHandlers(deps: SenderLinksDeps, limits: Limits<'wayBack'>) {
  return {
    getWayBack: async (call) =>
      (await presenterOf(deps)).wayBackView(
        call.params.token,
        await openWayBack(deps, limits, callerOf(call)),
        call.query.before,
      ),
    deleteWayBack: (call) => deleteByWayBack(deps, limits, callerOf(call)),
    endWayBack: (call) => endByWayBack(deps, limits, callerOf(call)),
    async getWayBackImage(call) {
      const { content, contentType } = await openWayBackFile(deps, limits, callerOf(call), {
        kind: 'image',
        turn: call.query.turn,
      });
      call.response.set({ 'Content-Type': contentType, ...INERT_HEADERS }).end(content);
    },
    async getWayBackAudio({ request, response, ...call }) {
      const { content, contentType } = await openWayBackFile(deps, limits, callerOf(call), {
        kind: 'audio',
        turn: call.query.turn,
      });
      const sound = { size: content.length, contentType, etag: entityTagOf(content) };
      const range = readByteRange(request, response, sound);
      beginRangedAnswer(response, sound, range);
      response.end(range ? content.subarray(range.start, range.end + 1) : content);
    },
  } satisfies Partial<Handlers<'messages'>>;
}

export const wayBackCalls = (
  deps: SenderLinksDeps,
  limits: Limits<'wayBack'>,
): Pick<UnaryHandlers<MessagesServiceService>, 'followWayBack'> => ({
  followWayBack: async (caller) => ({ messageId: (await openWayBack(deps, limits, caller)).id }),
});
