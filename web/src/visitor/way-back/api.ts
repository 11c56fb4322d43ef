import { type Answer, buildRequest } from '@najwa/proto/http/client';
import { createContext } from 'react';
import type { ApiError } from '../../api/api-error.js';
import { api, NO_RETRY } from '../../api/api.js';
import type { Store } from '../../api/store.js';
import type { Unsent } from '../public-page/index.js';

export type WayBack = Answer<'getWayBack'>;

const wayBackApi = api.injectEndpoints({
  endpoints: (build) => ({
    getWayBack: build.query<WayBack, string>({
      query: (token) => buildRequest('getWayBack', { params: { token } }),
      providesTags: (_wayBack, _error, token) => [{ type: 'WayBack', id: token }],
    }),
    /** Null if the account has sent none with that id. */
    getSentMessage: build.query<Answer<'listSentMessages'>[number] | null, string>({
      query: (id) => buildRequest('listSentMessages', { query: { ids: [Number(id)] } }),
      transformResponse: ([message]: Answer<'listSentMessages'>) => message ?? null,
      providesTags: ['WayBack', { type: 'Message', id: 'SENT' }],
    }),
    /** @param before id of a turn */
    getEarlierTurns: build.query<WayBack['turns'], { token: string; before: number }>({
      query: ({ token, before }) => buildRequest('getWayBack', { params: { token }, query: { before } }),
      transformResponse: ({ turns }: WayBack) => turns,
    }),
    endWayBack: build.mutation<undefined, string>({
      query: (token) => buildRequest('endWayBack', { params: { token } }),
      invalidatesTags: (_nothing, _error, token) => [{ type: 'WayBack', id: token }],
    }),
    deleteWayBack: build.mutation<undefined, string>({
      query: (token) => buildRequest('deleteWayBack', { params: { token } }),
      extraOptions: NO_RETRY,
      // Also after a refusal: the page was stale.
      invalidatesTags: (_nothing, _error, token) => [
        { type: 'WayBack', id: token },
        { type: 'Message', id: 'SENT' },
        { type: 'Message', id: 'RECEIVED' },
        'Stats',
      ],
    }),
  }),
});

export const {
  useGetSentMessageQuery,
  useGetWayBackQuery,
  useLazyGetEarlierTurnsQuery,
  useDeleteWayBackMutation,
  useEndWayBackMutation,
} = wayBackApi;

/** With the state of the last message in place of the first one's. */
export function withLast(wayBack: WayBack): WayBack {
  const { turns, isLastRead, createdAt } = wayBack;
  if (turns.length < 3) return wayBack;
  const last = turns.at(-1);
  return {
    ...wayBack,
    createdAt: turns.filter(({ from }) => from === 'sender').at(-1)?.createdAt ?? createdAt,
    isRead: isLastRead,
    reply: last?.from === 'recipient' ? last : null,
  };
}

export type WayBackAct = 'delete' | 'end';

/** Written into the page by the gateway. */
export interface WayBackData {
  wayBack: WayBack | null;
  /** By a form without scripts. No outcome: its question is shown. */
  asked?: {
    act: WayBackAct;
    outcome?: 'done' | Pick<ApiError, 'status' | 'code' | 'message' | 'retryAfter' | 'maxBytes'>;
  };
  /** A message without scripts that was refused. */
  unsent?: Unsent;
}

/** Null unless the gateway rendered the page. */
export const WayBackDataContext = createContext<WayBackData | null>(null);

export async function primeWayBack({ dispatch }: Store, token: string, { wayBack }: WayBackData): Promise<void> {
  if (wayBack !== null) await dispatch(wayBackApi.util.upsertQueryData('getWayBack', token, wayBack));
}
