import { AppError, id, validate, type UnaryHandlers } from '@najwa/common';
import { VoiceType, type MediaServiceService, type MorphVoiceOrder, type MorphVoiceRequest } from '@najwa/proto/media';
import { z } from 'zod';
import type { MediaContext } from '../context.js';
import { receiveRecording, withRecordingFile } from '../domain/recordings.js';
import { keepVoice } from '../domain/sounds.js';
import { readerIds, storageKey } from './fields.js';

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

const order = z.object({
  voiceType: z
    .literal([VoiceType.VOICE_TYPE_MALE, VoiceType.VOICE_TYPE_FEMALE], { error: 'not_a_choice' })
    .transform((type) => VOICE_TYPES[type]),
  storageKey,
  readerIds,
  maker,
  senderKey: z.string().min(1, 'required'),
});

/** The pieces of the recording, and once they have all been read, what to do with it. */
function separate(requests: AsyncIterable<MorphVoiceRequest>): {
  pieces: AsyncIterable<Buffer>;
  orderOf: () => MorphVoiceOrder;
} {
  let received: MorphVoiceOrder | undefined;
  const orderOf = (): MorphVoiceOrder => {
    if (received === undefined)
      throw new AppError({ code: 'malformed', message: 'The stream ended without an order.' });
    return received;
  };
  const pieces = async function* (): AsyncIterable<Buffer> {
    for await (const { part } of requests) {
      if (part?.$case === 'recording') yield part.value;
      else received = part?.value;
    }
  };
  return { pieces: pieces(), orderOf };
}

export function morphVoiceMethod(context: MediaContext): UnaryHandlers<MediaServiceService>['morphVoice'] {
  return (requests) =>
    withRecordingFile(context.recordings, async (file) => {
      const { pieces, orderOf } = separate(requests);
      const recording = await receiveRecording(file, pieces);
      const { name, contentType, duration, peaks } = await keepVoice(context, {
        recording,
        ...validate(order, orderOf()),
      });
      return { name, contentType, duration, peaks };
    });
}
