import { api } from '../../app/api.js';
import type { Language } from '../../i18n/index.js';

interface Question {
  message: string;
  imageUrl: string | null;
}

interface UploadAnswer {
  success?: unknown;
  image?: { url?: unknown };
}

const chatApi = api.injectEndpoints({
  endpoints: (build) => ({
    ask: build.mutation<{ response: string }, { question: Question; language: Language; key: string }>({
      // An image without text is answered in the page's language, which may differ from the browser's.
      query: ({ question, language, key }) => ({
        url: '/chat',
        method: 'POST',
        body: question,
        headers: { 'Idempotency-Key': key, 'Accept-Language': language },
      }),
    }),
    uploadChatImage: build.mutation<UploadAnswer, { file: File; key: string }>({
      query: ({ file, key }) => {
        const form = new FormData();
        form.set('image', file);
        return { url: '/chat/upload', method: 'POST', body: form, headers: { 'Idempotency-Key': key } };
      },
    }),
  }),
});

export const { useAskMutation, useUploadChatImageMutation } = chatApi;

/** @throws {Error} if the answer has no image URL */
export function uploadedUrl({ success, image }: UploadAnswer): string {
  if (success !== true || typeof image?.url !== 'string') throw new Error('invalid response from server');
  return image.url;
}
