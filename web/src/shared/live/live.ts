import type { Answer } from '@najwa/proto/http/client';
import { api, type ApiAddress } from '../../api/api.js';
import { followEventStream } from './event-stream.js';

type Notification = Answer<'listNotifications'>[number];

export interface MessageEventData {
  /** Null on the stream of a way back. */
  messageId: number | null;
  change: 'created' | 'updated' | 'deleted';
}

export interface Live {
  arrived: number[];
  /** Ids that changed since lists were compared with the server. */
  changed: number[];
  /** After a disconnect, or too many changes, any message may have changed. */
  isBehind: boolean;
  /** Null before the first count. */
  unread: number | null;
  isLost: boolean;
}

type Stale = 'Notification' | 'Stats' | 'PublicMessages' | 'SENT';

const STREAM = '/notifications/stream';

/** Minimum interval between refetches, in milliseconds. */
const REFRESH_PAUSE = 1000;

/** After more, everything loaded is compared: a change of all unread messages names thousands. */
const MOST_CHANGED = 100;

export const streamAddress = ({ apiRoot }: ApiAddress, wayBack?: string) =>
  `${apiRoot}${STREAM}${wayBack === undefined ? '' : `?wayBack=${encodeURIComponent(wayBack)}`}`;

const liveApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** Open while in use. All components share one stream. */
    followEvents: build.query<Live, void>({
      queryFn: () => ({
        data: { arrived: [], changed: [], isBehind: false, unread: null, isLost: typeof EventSource === 'undefined' },
      }),
      keepUnusedDataFor: 0,
      onCacheEntryAdded: async (_arg, lifecycle) => {
        const { dispatch, extra, cacheDataLoaded, cacheEntryRemoved } = lifecycle;
        try {
          await cacheDataLoaded;
        } catch {
          // Removed before it loaded.
          return;
        }
        if (typeof EventSource === 'undefined') return;
        const known = new Set<number>();
        const stale = new Set<Stale>();
        let refreshTimer: ReturnType<typeof setTimeout> | undefined;
        const refreshSoon = (...tags: Stale[]) => {
          for (const tag of tags) stale.add(tag);
          refreshTimer ??= setTimeout(() => {
            refreshTimer = undefined;
            dispatch(
              api.util.invalidateTags([...stale].map((tag) => (tag === 'SENT' ? { type: 'Message', id: tag } : tag))),
            );
            stale.clear();
          }, REFRESH_PAUSE);
        };
        const noteArrival = (messageId: number) => {
          if (known.has(messageId)) return;
          known.add(messageId);
          lifecycle.updateCachedData((live) => {
            live.arrived.push(messageId);
          });
          refreshSoon('Notification', 'Stats');
        };
        let isFirst = true;
        const end = followEventStream(streamAddress(extra as ApiAddress), {
          onState: (state) => {
            lifecycle.updateCachedData((live) => {
              live.isLost = state === 'lost';
              if (state === 'open' && !isFirst) live.isBehind = true;
            });
            isFirst = false;
          },
          onEvent: (event, data) => {
            if (event === 'count') {
              const { unread } = data as { unread: number };
              lifecycle.updateCachedData((live) => {
                live.unread = unread;
              });
              // Read here or in another tab.
              refreshSoon('Notification');
            } else if (event === 'message') {
              const { messageId, change } = data as MessageEventData;
              if (messageId === null) return;
              if (change === 'created') noteArrival(messageId);
              else {
                lifecycle.updateCachedData((live) => {
                  if (live.changed.includes(messageId)) return;
                  live.changed.push(messageId);
                  if (live.changed.length <= MOST_CHANGED) return;
                  live.changed = [];
                  live.isBehind = true;
                });
                refreshSoon('PublicMessages');
              }
            } else {
              const notification = data as Notification;
              // After a disconnect, only notifications name missed messages.
              if (notification.kind === 'message') noteArrival(notification.subject.messageId);
              if (notification.kind === 'reply') refreshSoon('SENT');
              refreshSoon('Notification');
            }
          },
        });
        await cacheEntryRemoved;
        clearTimeout(refreshTimer);
        end();
      },
    }),
    /** Refetches the message behind a way back when it changes. */
    followWayBack: build.query<null, string>({
      queryFn: () => ({ data: null }),
      keepUnusedDataFor: 0,
      onCacheEntryAdded: async (token, { dispatch, extra, cacheEntryRemoved }) => {
        if (typeof EventSource === 'undefined') return;
        const refresh = () => dispatch(api.util.invalidateTags([{ type: 'WayBack', id: token }]));
        const end = followEventStream(streamAddress(extra as ApiAddress, token), {
          onEvent: refresh,
          onState: (state) => {
            // The reply may have come before the stream opened.
            if (state === 'open') refresh();
          },
        });
        await cacheEntryRemoved;
        end();
      },
    }),
  }),
});

/** Events keep these up to date. Refetching on focus would move what is being read. */
export const NO_REFETCH = {
  refetchOnFocus: false,
  refetchOnReconnect: false,
  refetchOnMountOrArgChange: false,
} as const;

/** Only for signed-in users. */
export const useLive = () => liveApi.useFollowEventsQuery(undefined, NO_REFETCH).currentData;

export function useLiveWayBack(token: string): void {
  liveApi.useFollowWayBackQuery(token, NO_REFETCH);
}

/** Shown now, or gone. */
export const forgetArrived = (ids?: readonly number[]) =>
  liveApi.util.updateQueryData('followEvents', undefined, (live) => {
    live.arrived = live.arrived.filter((id) => ids?.includes(id) === false);
  });

/** A message was restored. */
export const noteArrived = (messageId: number) =>
  liveApi.util.updateQueryData('followEvents', undefined, (live) => {
    if (!live.arrived.includes(messageId)) live.arrived.push(messageId);
  });

/** The lists have them now. */
export const forgetChanged = (ids: readonly number[]) =>
  liveApi.util.updateQueryData('followEvents', undefined, (live) => {
    live.changed = live.changed.filter((id) => !ids.includes(id));
    live.isBehind = false;
  });
