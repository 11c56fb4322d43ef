import { type Answer, type Body, buildRequest } from '@najwa/proto/http/client';
import { api, NO_RETRY, UPLOAD } from '../../api/api.js';
import { type Content, messageRequest, type Recipient } from '../../lib/message-request.js';

export type VoiceType = Body<'previewVoice'>['voiceType'];

export type SentVoice = Answer<'uploadVoiceMessage'>;

const recorderApi = api.injectEndpoints({
  endpoints: (build) => ({
    previewVoice: build.mutation<Answer<'previewVoice'>, Pick<Body<'previewVoice'>, 'audio' | 'voiceType'>>({
      query: (voice) => buildRequest('previewVoice', { body: { ...voice, isPreview: 'true' } }),
      // Expensive for the server, and the user can click again.
      extraOptions: NO_RETRY,
    }),
    sendVoice: build.mutation<SentVoice, { recipient: Recipient; voice: Content; key: string }>({
      query: ({ recipient, voice, key }) => messageRequest(recipient, voice, key),
      extraOptions: UPLOAD,
      invalidatesTags: (_message, error) =>
        error === undefined
          ? [{ type: 'Message', id: 'SENT' }, { type: 'Message', id: 'RECEIVED' }, 'Stats', 'WayBack']
          : [],
    }),
  }),
});

export const { usePreviewVoiceMutation, useSendVoiceMutation } = recorderApi;
