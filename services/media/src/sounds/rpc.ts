import { buffer } from 'node:stream/consumers';
import { AppError, id, validate } from '@najwa/common/errors';
import type { UnaryHandlers } from '@najwa/common/grpc';
import { VoiceType, type MediaServiceService, type MorphVoiceOrder, type MorphVoiceRequest } from '@najwa/proto/media';
import { z } from 'zod';
import { readerIds, senderKey, senderSite, storageKey } from '../files/fields.js';
import { receiveRecording, withRecordingFile } from './recordings.js';
import { keepVoice, type SoundsDeps } from './sounds.js';

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

type Methods = Pick<UnaryHandlers<MediaServiceService>, 'morphVoice' | 'getSound'>;

export const soundMethods = (deps: SoundsDeps): Methods => ({
  async morphVoice(requests) {
    const { sender, chunks, orderOf } = await openVoiceStream(requests);
    return withRecordingFile(deps.recordings, sender, async (file) => {
      const recording = await receiveRecording(file, chunks);
      const { name, contentType, duration, peaks } = await keepVoice(deps, {
        recording,
        ...sender,
        ...validate(order, orderOf()),
      });
      return { name, contentType, duration, peaks };
    });
  },
  async getSound({ name }) {
    const sound = await deps.sounds.findStored(name);
    const body = sound?.kind === 'message' ? await deps.blobs.open(name) : null;
    if (!sound || !body) throw new AppError({ code: 'media_not_found', message: 'There is no such sound.' });
    return { content: await buffer(body), contentType: sound.contentType };
  },
});
