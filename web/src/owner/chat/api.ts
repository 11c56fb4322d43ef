import { type Answer, type Body, buildRequest } from '@najwa/proto/http/client';
import { api } from '../../api/api.js';
import type { Language } from '../../i18n/index.js';

interface UploadAnswer {
  success?: unknown;
  image?: { url?: unknown };
}

const chatApi = api.injectEndpoints({
  endpoints: (build) => ({
    ask: build.mutation<Answer<'chat'>, { question: Body<'chat'>; language: Language; key: string }>({
      query: ({ question, language, key }) => {
        const request = buildRequest('chat', { body: question, idempotencyKey: key });
        // A picture without text is answered in this language, not the browser's.
        return { ...request, headers: { ...request.headers, 'Accept-Language': language } };
      },
    }),
    uploadChatImage: build.mutation<UploadAnswer, { file: File; key: string }>({
      query: ({ file, key }) => buildRequest('uploadChatImage', { body: { image: file }, idempotencyKey: key }),
    }),
  }),
});

export const { useAskMutation, useUploadChatImageMutation } = chatApi;

/** @throws {Error} if the answer has no image URL */
export function uploadedUrl({ success, image }: UploadAnswer): string {
  if (success !== true || typeof image?.url !== 'string') throw new Error('invalid response from server');
  return image.url;
}
