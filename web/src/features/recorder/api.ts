import { api, NO_RETRY } from '../../app/api.js';
import type { Message } from '../messages/index.js';

export type VoiceType = 'male' | 'female';

interface VoiceRequest {
  audio: Blob;
  voiceType: VoiceType;
}

interface NewVoiceMessage extends VoiceRequest {
  userId: number;
  /** In seconds. */
  duration: number;
}

function toFormData(audio: Blob, fields: Record<string, string>): FormData {
  const form = new FormData();
  form.set('audio', audio, 'voice');
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

const recorderApi = api.injectEndpoints({
  endpoints: (build) => ({
    previewVoice: build.mutation<{ previewUrl: string }, VoiceRequest>({
      query: ({ audio, voiceType }) => ({
        url: '/audio/preview',
        method: 'POST',
        body: toFormData(audio, { voiceType, isPreview: 'true' }),
      }),
      // A preview is expensive for the server, and the user can click again.
      extraOptions: NO_RETRY,
    }),
    sendVoice: build.mutation<Message, { voice: NewVoiceMessage; key: string }>({
      query: ({ voice: { audio, userId, duration, voiceType }, key }) => ({
        url: '/audio/upload',
        method: 'POST',
        body: toFormData(audio, { userId: String(userId), duration: duration.toFixed(1), voiceType }),
        headers: { 'Idempotency-Key': key },
      }),
      invalidatesTags: (_message, error) =>
        error === undefined ? [{ type: 'Message', id: 'SENT' }, { type: 'Message', id: 'RECEIVED' }, 'Stats'] : [],
    }),
  }),
});

export const { usePreviewVoiceMutation, useSendVoiceMutation } = recorderApi;
