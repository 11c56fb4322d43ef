import { AppError, id, validate } from '@najwa/common/errors';
import type { UnaryHandlers } from '@najwa/common/grpc';
import { VoiceType, type MediaServiceService, type MorphVoiceOrder, type MorphVoiceRequest } from '@najwa/proto/media';
import { z } from 'zod';
import type { MediaContext } from '../context.js';
import { receiveRecording, withRecordingFile } from '../domain/recordings.js';
import { keepVoice } from '../domain/sounds.js';
import { readerIds, senderKey, senderSite, storageKey } from './fields.js';

const VOICE_TYPES = {
  [VoiceType.VOICE_TYPE_MALE]: 'male',
  [VoiceType.VOICE_TYPE_FEMALE]: 'female',
} as const;

const maker = z.discriminatedUnion('$case', [
  z.object({ $case: z.literal('userId'), value: id }).transform(({ value }) => ({ userId: value })),
  z
    .object({ $case: z.literal('visitorId'), value: z.string().min(1, 'required') })
    .transform(({ value }) => ({ visitorId: value })),
]);

const opening = z.object({ senderKey, senderSite });

const order = z.object({
  voiceType: z
    .literal([VoiceType.VOICE_TYPE_MALE, VoiceType.VOICE_TYPE_FEMALE], { error: 'not_a_choice' })
    .transform((type) => VOICE_TYPES[type]),
  storageKey,
  readerIds,
  maker,
  isAltered: z.boolean(),
});

interface VoiceStream {
  sender: z.output<typeof opening>;
  chunks: AsyncIterable<Buffer>;
  /** Available after the chunks are read. */
  orderOf: () => MorphVoiceOrder;
}

async function openVoiceStream(requests: AsyncIterable<MorphVoiceRequest>): Promise<VoiceStream> {
  const parts = requests[Symbol.asyncIterator]();
  const first = await parts.next();
  const { part, senderSite: site } = first.done === true ? {} : first.value;
  let received: MorphVoiceOrder | undefined;
  const readChunks = async function* (): AsyncIterable<Buffer> {
    for await (const { part: next } of { [Symbol.asyncIterator]: () => parts }) {
      if (next?.$case === 'recording') yield next.value;
      else if (next?.$case === 'order') received = next.value;
    }
  };
  return {
    sender: validate(opening, { senderKey: part?.$case === 'senderKey' ? part.value : undefined, senderSite: site }),
    chunks: readChunks(),
    orderOf: () => {
      if (received === undefined)
        throw new AppError({ code: 'malformed', message: 'The stream ended without an order.' });
      return received;
    },
  };
}

export function morphVoiceMethod(context: MediaContext): UnaryHandlers<MediaServiceService>['morphVoice'] {
  return async (requests) => {
    const { sender, chunks, orderOf } = await openVoiceStream(requests);
    return withRecordingFile(context.recordings, sender, async (file) => {
      const recording = await receiveRecording(file, chunks);
      const { name, contentType, duration, peaks } = await keepVoice(context, {
        recording,
        ...sender,
        ...validate(order, orderOf()),
      });
      return { name, contentType, duration, peaks };
    });
  };
}
