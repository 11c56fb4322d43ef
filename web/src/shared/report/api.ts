import { type Answer, type Body, buildRequest } from '@najwa/proto/http/client';
import { api } from '../../api/api.js';

const reportApi = api.injectEndpoints({
  endpoints: (build) => ({
    sendReport: build.mutation<Answer<'createReport'>, Body<'createReport'>>({
      query: (body) => buildRequest('createReport', { body }),
      invalidatesTags: ['OwnReport'],
    }),
  }),
});

export const { useSendReportMutation } = reportApi;
