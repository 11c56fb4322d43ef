import { type Answer, type Body, buildRequest } from '@najwa/proto/http/client';
import { api, NO_RETRY } from '../../api/api.js';

export type Prompt = Answer<'listPrompts'>[number];

const promptsApi = api.injectEndpoints({
  endpoints: (build) => ({
    getPrompts: build.query<Prompt[], void>({
      query: () => buildRequest('listPrompts'),
      providesTags: ['Prompt'],
    }),
    // All also after an error: the list may be stale.
    createPrompt: build.mutation<Prompt, Body<'createPrompt'>>({
      query: (body) => buildRequest('createPrompt', { body }),
      invalidatesTags: ['Prompt', 'Profile'],
    }),
    deletePrompt: build.mutation<null, number>({
      query: (id) => buildRequest('deletePrompt', { params: { id } }),
      extraOptions: NO_RETRY,
      transformResponse: () => null,
      invalidatesTags: ['Prompt', 'Profile'],
    }),
  }),
});

export const { useGetPromptsQuery, useCreatePromptMutation, useDeletePromptMutation } = promptsApi;
