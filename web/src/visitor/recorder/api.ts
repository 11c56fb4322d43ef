import { type Answer, type Body, buildRequest } from '@najwa/proto/http/client';
import { api, NO_RETRY, UPLOAD } from '../../api/api.js';

export type VoiceType = Body<'previewVoice'>['voiceType'];

export interface Recipient {
  id: number;
  username: string;
  name: string;
}

export type SentVoice = Answer<'uploadVoiceMessage'>;

const recorderApi = api.injectEndpoints({
  endpoints: (build) => ({
    previewVoice: build.mutation<Answer<'previewVoice'>, Pick<Body<'previewVoice'>, 'audio' | 'voiceType'>>({
      query: (voice) => buildRequest('previewVoice', { body: { ...voice, isPreview: 'true' } }),
      // Expensive for the server, and the user can click again.
      extraOptions: NO_RETRY,
    }),
    sendVoice: build.mutation<SentVoice, { voice: Body<'uploadVoiceMessage'>; key: string }>({
      query: ({ voice, key }) => buildRequest('uploadVoiceMessage', { body: voice, idempotencyKey: key }),
      extraOptions: UPLOAD,
      invalidatesTags: (_message, error) =>
        error === undefined ? [{ type: 'Message', id: 'SENT' }, { type: 'Message', id: 'RECEIVED' }, 'Stats'] : [],
    }),
  }),
});

export const { usePreviewVoiceMutation, useSendVoiceMutation } = recorderApi;
