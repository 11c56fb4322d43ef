import { type Answer, type Body, buildRequest } from '@najwa/proto/http/client';
import { api, NO_RETRY } from '../../api/api.js';

export type VoiceType = Body<'previewVoice'>['voiceType'];

export type SentVoice = Answer<'uploadVoiceMessage'>;

const recorderApi = api.injectEndpoints({
  endpoints: (build) => ({
    previewVoice: build.mutation<Answer<'previewVoice'>, Pick<Body<'previewVoice'>, 'audio' | 'voiceType'>>({
      query: (voice) => buildRequest('previewVoice', { body: { ...voice, isPreview: 'true' } }),
      // Expensive for the server, and the user can click again.
      extraOptions: NO_RETRY,
    }),
  }),
});

export const { usePreviewVoiceMutation } = recorderApi;
