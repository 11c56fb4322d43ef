import { api, ONCE } from '../../app/api.js';
import type { Message } from '../messages/index.js';

export type VoiceType = 'male' | 'female';

interface Altered {
  audio: Blob;
  voiceType: VoiceType;
}

interface NewVoiceMessage extends Altered {
  userId: number;
  /** In seconds. */
  duration: number;
}

function formOf(audio: Blob, fields: Record<string, string>): FormData {
  const form = new FormData();
  form.set('audio', audio, 'voice');
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

const recorderApi = api.injectEndpoints({
  endpoints: (build) => ({
    previewVoice: build.mutation<{ previewUrl: string }, Altered>({
      query: ({ audio, voiceType }) => ({
        url: '/audio/preview',
        method: 'POST',
        body: formOf(audio, { voiceType, isPreview: 'true' }),
      }),
      // A preview is expensive for the server, and the user can click again.
      extraOptions: ONCE,
    }),
    sendVoice: build.mutation<Message, { voice: NewVoiceMessage; key: string }>({
      query: ({ voice: { audio, userId, duration, voiceType }, key }) => ({
        url: '/audio/upload',
        method: 'POST',
        body: formOf(audio, { userId: String(userId), duration: duration.toFixed(1), voiceType }),
        headers: { 'Idempotency-Key': key },
      }),
      invalidatesTags: (_message, error) =>
        error === undefined ? [{ type: 'Message', id: 'SENT' }, { type: 'Message', id: 'RECEIVED' }, 'Stats'] : [],
    }),
  }),
});

export const { usePreviewVoiceMutation, useSendVoiceMutation } = recorderApi;
