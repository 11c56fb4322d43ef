import { dataUrl, readSample, type Answer, type Bed, type CallerIdentity } from '@najwa/testing';

/** A photograph with metadata, as a data URL. */
export const photograph = async (): Promise<string> => dataUrl(await readSample('photo-gps.jpg'), 'image/jpeg');

export interface VoiceOptions {
  identity?: CallerIdentity;
  headers?: Record<string, string>;
  /** Null leaves the recording out. */
  audio?: Buffer | null;
  fields?: Record<string, string>;
  /** Order of the form's parts. */
  order?: 'audio first' | 'audio last';
}

/** A voice message as the recorder sends it. */
export function buildVoiceForm(
  userId: number,
  { audio = Buffer.alloc(0), fields, order = 'audio first' }: VoiceOptions,
): FormData {
  const form = new FormData();
  const setAudio = (): void => {
    if (audio !== null) form.set('audio', new File([new Uint8Array(audio)], 'recording.webm', { type: 'audio/webm' }));
  };
  if (order === 'audio first') setAudio();
  for (const [name, value] of Object.entries({ userId: String(userId), duration: '4', voiceType: 'female', ...fields }))
    form.set(name, value);
  if (order === 'audio last') setAudio();
  return form;
}

export const sendVoice = (bed: Bed, userId: number, options: VoiceOptions): Promise<Answer> =>
  bed.call('messages', 'POST', '/api/audio/upload', {
    ...(options.identity && { identity: options.identity }),
    ...(options.headers && { headers: options.headers }),
    init: { body: buildVoiceForm(userId, options) },
  });
