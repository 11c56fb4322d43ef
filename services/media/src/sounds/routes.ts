import { AppError } from '@najwa/common/errors';
import { beginRangedAnswer, matchesEntityTag, readByteRange, type Call, type Handlers } from '@najwa/common/http';
import { senderKey, senderOf } from '@najwa/common/identity';
import { isMediaName } from '../files/media-names.js';
import { sendBody } from '../files/send-body.js';
import { receiveRecording, withRecordingFile } from './recordings.js';
import { makerOf, mayHear, previewVoice, type SoundsDeps } from './sounds.js';

async function sendSound(
  deps: SoundsDeps,
  { identity, params: { id: name }, request, response }: Call<'streamAudio'>,
): Promise<void> {
  const { sounds, blobs, logger } = deps;
  const sound = isMediaName(name) ? await sounds.findStored(name) : null;
  if (sound === null || !(await mayHear(deps, sound, identity, new Date()))) throw notFound();

  response.set({ 'Cache-Control': 'private, no-cache', 'Accept-Ranges': 'bytes', ETag: sound.etag });
  if (matchesEntityTag(request.get('if-none-match'), sound.etag)) {
    response.status(304).end();
    return;
  }
  const range = readByteRange(request, response, sound);
  const body = request.method === 'HEAD' ? undefined : await blobs.open(name, range);
  // Removed after the lookup.
  if (body === null) throw notFound();
  beginRangedAnswer(response, sound, range);
  await sendBody(body, response, logger);
}

const notFound = (): AppError => new AppError({ code: 'media_not_found', message: 'There is no such sound.' });

export const soundHandlers = (deps: SoundsDeps): Pick<Handlers<'media'>, 'previewVoice' | 'streamAudio'> => ({
  previewVoice: {
    limit: ({ identity }) => deps.limits.voice.consume(senderKey(identity)),
    async handle({ identity, form }) {
      const sender = senderOf(identity);
      const { name } = await withRecordingFile(deps.recordings, sender, async (file) => {
        const recording = await receiveRecording(file, form);
        const { voiceType } = form.complete();
        return previewVoice(deps, { recording, voiceType, maker: makerOf(identity), ...sender });
      });
      return { previewUrl: `/audio/stream/${name}` };
    },
  },
  streamAudio: (call) => sendSound(deps, call),
});
