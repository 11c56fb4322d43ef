import { type Answer, type Body, buildRequest, LIMITS } from '@najwa/proto/http/client';
import { type AnswerMeta, NO_RETRY } from '../../api/api.js';
import { type ApiError, isApiError } from '../../api/api-error.js';
import { cursorPaging, type Page, pageParams, toPage } from '../../api/paging.js';
import type { Message } from '../../shared/message/index.js';
import { applyChange, applyPins, applyRemoval, listApi, readTurns, revertOnError } from './list-cache.js';

type Update = { isRead: true } | { isPublic: boolean };

const EVERY_LIST = [
  { type: 'Message', id: 'RECEIVED' },
  { type: 'Message', id: 'READ' },
  { type: 'Message', id: 'SENT' },
  'Stats',
  'PublicMessages',
] as const;

/** Successful changes are already cached, except in the list of read messages. After an error all may be stale. */
const changedTags = (error: unknown) =>
  error === undefined ? [{ type: 'Message', id: 'READ' } as const, 'PublicMessages' as const] : EVERY_LIST;

export interface Changed {
  done: number[];
  /** One for each call. */
  undoTokens: string[];
  /** By the device's clock, in milliseconds: the server's may differ by hours. */
  until: number;
  /** Of a later call: what is done stays so. */
  failure?: unknown;
  /** Time for the undo was short, so that the rest is not done. */
  isPart?: boolean;
}

/** A long change stops when its undo has no more than this left, in milliseconds. */
const LEAST_UNDO_MS = 6_000;

function toChanged({ done, undoToken, undoUntil }: Answer<'changeMessages'>, meta: AnswerMeta | undefined): Changed {
  const now = Date.parse(meta?.response.headers.get('date') ?? '');
  const most = LIMITS.undoSeconds * 1000;
  const left = Number.isNaN(now) ? most : Date.parse(undoUntil) - now;
  return { done, undoTokens: [undoToken], until: Date.now() + Math.min(Math.max(left, 0), most) };
}

/** A call takes `LIMITS.bulk` ids. */
const partsOf = ({ ids, ...rest }: Body<'changeMessages'>): Body<'changeMessages'>[] =>
  ids === undefined
    ? [rest]
    : Array.from({ length: Math.ceil(ids.length / LIMITS.bulk) }, (_, part) => ({
        ...rest,
        ids: ids.slice(part * LIMITS.bulk, (part + 1) * LIMITS.bulk),
      }));

export type BulkChange = Body<'changeMessages'> & {
  /** Of conversations that are meant as a whole: a message of each. */
  wholes?: readonly number[];
};

export type BulkAction = Body<'changeMessages'>['action'];

const CHANGES = { read: { isRead: true }, publish: { isPublic: true }, unpublish: { isPublic: false } } as const;

export interface Pins {
  pinned: Message[];
  tag: string | undefined;
}

export const isChangedElsewhere = (error: unknown): boolean => isApiError(error) && error.code === 'changed_elsewhere';

const messagesApi = listApi.injectEndpoints({
  endpoints: (build) => ({
    updateMessage: build.mutation<Message, { id: number; change: Update }>({
      query: ({ id, change }) => buildRequest('updateMessage', { params: { id }, body: change }),
      onQueryStarted: ({ id, change }, { queryFulfilled, ...cache }) =>
        revertOnError(
          queryFulfilled.then(({ data: { isRead, isPublic, reply } }) =>
            applyChange(cache, [id], { isRead, isPublic, reply }),
          ),
          applyChange(cache, [id], change),
        ),
      invalidatesTags: (_message, error) => [...changedTags(error)],
    }),
    deleteMessage: build.mutation<null, number>({
      query: (id) => buildRequest('deleteMessage', { params: { id } }),
      onQueryStarted: (id, { queryFulfilled, ...cache }) => revertOnError(queryFulfilled, applyRemoval(cache, id)),
      extraOptions: NO_RETRY,
      transformResponse: () => null,
      invalidatesTags: (_nothing, error) => (error === undefined ? ['PublicMessages'] : [...EVERY_LIST]),
    }),
    sendReply: build.mutation<Answer<'createReply'>, { messageId: number; content: string; key: string }>({
      query: ({ messageId, content, key }) =>
        buildRequest('createReply', { body: { messageId, content }, idempotencyKey: key }),
      onQueryStarted: async ({ messageId }, { queryFulfilled, ...cache }) => {
        try {
          const { content, createdAt } = (await queryFulfilled).data;
          applyChange(cache, [messageId], { reply: { content, createdAt }, isRead: true });
        } catch {
          // The dialog shows the error.
        }
      },
      invalidatesTags: (_reply, error) => (error === undefined ? [...changedTags(error)] : []),
    }),
    changeMessages: build.mutation<Changed, BulkChange>({
      queryFn: async ({ wholes = [], ...body }, _api, _options, baseQuery) => {
        let changed: Changed | undefined;
        const ids = [...(body.ids ?? [])];
        for (const id of wholes)
          for (let cursor: string | null | undefined; cursor !== null;) {
            const turns = await readTurns(baseQuery, id, cursor);
            if (turns.error !== undefined) return { error: turns.error };
            ids.push(...turns.ids);
            cursor = turns.next;
          }
        for (const part of partsOf(wholes.length === 0 ? body : { ...body, ids: [...new Set(ids)] })) {
          if (changed && changed.until - Date.now() < LEAST_UNDO_MS) return { data: { ...changed, isPart: true } };
          const { data, error, meta } = await baseQuery(buildRequest('changeMessages', { body: part }));
          if (error !== undefined) return changed ? { data: { ...changed, failure: error } } : { error };
          const { done, undoTokens, until } = toChanged(data as Answer<'changeMessages'>, meta);
          changed = {
            done: [...(changed?.done ?? []), ...done],
            undoTokens: [...(changed?.undoTokens ?? []), ...undoTokens],
            until: Math.min(changed?.until ?? until, until),
          };
        }
        return { data: changed ?? { done: [], undoTokens: [], until: 0 } };
      },
      extraOptions: NO_RETRY,
      onQueryStarted: async ({ action }, { queryFulfilled, ...cache }) => {
        try {
          const { done } = (await queryFulfilled).data;
          if (action !== 'delete') applyChange(cache, done, CHANGES[action]);
          else for (const id of done) applyRemoval(cache, id);
        } catch {
          // The caller shows the error.
        }
      },
      invalidatesTags: (_answer, error, { all }) =>
        error === undefined
          ? // Most of all messages are in no list, which counts what it changes.
            [{ type: 'Message', id: 'READ' }, 'PublicMessages', ...(all === undefined ? [] : (['Stats'] as const))]
          : ['Message', 'Stats', 'PublicMessages'],
    }),
    endConversation: build.mutation<null, { id: number; shown: readonly number[] }>({
      query: ({ id }) => buildRequest('endConversation', { params: { id } }),
      transformResponse: () => null,
      onQueryStarted: ({ shown }, { queryFulfilled, ...cache }) =>
        revertOnError(queryFulfilled, applyChange(cache, shown, { hasEnded: true })),
    }),
    /** Can be undone. */
    deleteReceived: build.mutation<Changed, number>({
      query: (id) => buildRequest('changeMessages', { body: { ids: [id], action: 'delete' } }),
      transformResponse: toChanged,
      extraOptions: NO_RETRY,
      onQueryStarted: (id, { queryFulfilled, ...cache }) => revertOnError(queryFulfilled, applyRemoval(cache, id)),
      invalidatesTags: (_answer, error) =>
        error === undefined ? ['PublicMessages'] : ['Message', 'Stats', 'PublicMessages'],
    }),
    /** Of one change, also of several calls. Idempotent. @returns how many came back */
    undoMessages: build.mutation<number, readonly string[]>({
      queryFn: async (undoTokens, _api, _options, baseQuery) => {
        let count = 0;
        let expired: ApiError | undefined;
        for (const undoToken of undoTokens) {
          const { data, error } = await baseQuery(buildRequest('undoMessages', { body: { undoToken } }));
          if (error !== undefined && error.code !== 'undo_expired') return { error };
          if (error === undefined) count += (data as Message[]).length;
          else expired = error;
        }
        return expired && count === 0 ? { error: expired } : { data: count };
      },
      invalidatesTags: ['Message', 'Stats', 'PublicMessages', 'Notification'],
    }),
    getPinned: build.query<Pins, void>({
      query: () => buildRequest('listPinnedMessages'),
      transformResponse: (pinned: Message[], meta) => ({
        pinned,
        tag: meta?.response.headers.get('etag') ?? undefined,
      }),
      keepUnusedDataFor: 0,
    }),
    /** Refused if the pins changed since `tag`. */
    pinMessages: build.mutation<Message[], { ids: number[]; tag: string | undefined }>({
      query: ({ ids, tag }) => buildRequest('pinMessages', { body: { ids }, ifMatch: tag }),
      onQueryStarted: async (_ids, { queryFulfilled, ...cache }) => {
        try {
          applyPins(cache, (await queryFulfilled).data);
        } catch {
          // The caller shows the error.
        }
      },
      invalidatesTags: (_pinned, error) =>
        error === undefined ? ['PublicMessages'] : [{ type: 'Message', id: 'RECEIVED' }, 'PublicMessages'],
    }),
    getAside: build.infiniteQuery<Page<Message>, void, string | null>({
      infiniteQueryOptions: cursorPaging,
      query: ({ pageParam }) => buildRequest('listMessages', { query: { folder: 'aside', ...pageParams(pageParam) } }),
      transformResponse: (items: Message[], meta) => toPage(items, meta),
      providesTags: [{ type: 'Message', id: 'ASIDE' }],
    }),
    restoreMessage: build.mutation<Answer<'restoreMessage'>, number>({
      query: (id) => buildRequest('restoreMessage', { params: { id } }),
      invalidatesTags: ['Message', 'Stats'],
    }),
    discardMessage: build.mutation<null, number>({
      query: (id) => buildRequest('deleteMessage', { params: { id } }),
      extraOptions: NO_RETRY,
      transformResponse: () => null,
      invalidatesTags: [{ type: 'Message', id: 'ASIDE' }],
    }),
    emptyAside: build.mutation<null, void>({
      query: () => buildRequest('emptyAside', { query: { folder: 'aside' } }),
      transformResponse: () => null,
      invalidatesTags: [{ type: 'Message', id: 'ASIDE' }],
    }),
    blockSender: build.mutation<Answer<'createBlock'>, number>({
      query: (messageId) => buildRequest('createBlock', { body: { messageId } }),
      invalidatesTags: ['Block'],
    }),
  }),
});

export const removeFromAside = (ids: readonly number[]) =>
  messagesApi.util.updateQueryData('getAside', undefined, ({ pages }) => {
    for (const page of pages)
      if (page.items.some(({ id }) => ids.includes(id))) page.items = page.items.filter(({ id }) => !ids.includes(id));
  });

export const {
  useBlockSenderMutation,
  useChangeMessagesMutation,
  useDeleteMessageMutation,
  useDeleteReceivedMutation,
  useDiscardMessageMutation,
  useEmptyAsideMutation,
  useEndConversationMutation,
  useGetAsideInfiniteQuery,
  useLazyGetPinnedQuery,
  usePinMessagesMutation,
  useRestoreMessageMutation,
  useSendReplyMutation,
  useUndoMessagesMutation,
  useUpdateMessageMutation,
} = messagesApi;
