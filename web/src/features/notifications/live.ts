import type { Answer } from '@najwa/proto/http/client';
import { api, type ApiAddress } from '../../app/api.js';
import { followEventStream } from './event-stream.js';

type Notification = Answer<'listNotifications'>[number];

export interface MessageEventData {
  /** Null on the stream of a way back. */
  messageId: number | null;
  change: 'created' | 'updated' | 'deleted';
}

export interface Live {
  /** Ids of messages that arrived and are not shown yet. */
  arrived: number[];
  /** Ids of messages that changed, here or elsewhere, since lists were compared with the server. */
  changed: number[];
  /** The stream was away: any message may have changed. */
  isBehind: boolean;
  /** Unread notifications. Null before the first count. */
  unread: number | null;
  /** The stream has been away for a while. */
  isLost: boolean;
}

/** Tags of what is read anew. `SENT` is that of the messages that the user sent. */
type Stale = 'Notification' | 'Stats' | 'PublicMessages' | 'SENT';

const STREAM = '/notifications/stream';

/** Lists are read again at most this often, in milliseconds, however much arrives. */
const REFRESH_PAUSE = 1000;

export const streamAddress = ({ apiRoot }: ApiAddress, wayBack?: string) =>
  `${apiRoot}${STREAM}${wayBack === undefined ? '' : `?wayBack=${encodeURIComponent(wayBack)}`}`;

const liveApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** Open as long as a component uses it. All components of a tab share one stream. */
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
          // Removed before it was loaded.
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
              // Something was read, perhaps in another tab.
              refreshSoon('Notification');
            } else if (event === 'message') {
              const { messageId, change } = data as MessageEventData;
              if (messageId === null) return;
              if (change === 'created') noteArrival(messageId);
              else {
                lifecycle.updateCachedData((live) => {
                  if (!live.changed.includes(messageId)) live.changed.push(messageId);
                });
                refreshSoon('PublicMessages');
              }
            } else {
              const notification = data as Notification;
              // A stream that was away names only notifications of the messages that it missed.
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
    /** As `followEvents`, for the message behind a way back. Reads it anew when it changes. */
    followWayBack: build.query<null, string>({
      queryFn: () => ({ data: null }),
      keepUnusedDataFor: 0,
      onCacheEntryAdded: async (token, { dispatch, extra, cacheEntryRemoved }) => {
        if (typeof EventSource === 'undefined') return;
        const refresh = () => dispatch(api.util.invalidateTags([{ type: 'WayBack', id: token }]));
        const end = followEventStream(streamAddress(extra as ApiAddress, token), {
          onEvent: refresh,
          onState: (state) => {
            // The reply may have come since the message was read, and before the stream was there.
            if (state === 'open') refresh();
          },
        });
        await cacheEntryRemoved;
        end();
      },
    }),
  }),
});

/** For what events keep up to date. Otherwise each look at the tab would read it again, and move what one reads. */
export const NO_REFETCH = {
  refetchOnFocus: false,
  refetchOnReconnect: false,
  refetchOnMountOrArgChange: false,
} as const;

/** Updates from the server as they happen. Only for signed-in users. */
export const useLive = () => liveApi.useFollowEventsQuery(undefined, NO_REFETCH).currentData;

/** Keeps the message behind a way back up to date. */
export function useLiveWayBack(token: string): void {
  liveApi.useFollowWayBackQuery(token, NO_REFETCH);
}

/** Forgets what arrived, because it is shown now, or is gone. */
export const forgetArrived = (ids?: readonly number[]) =>
  liveApi.util.updateQueryData('followEvents', undefined, (live) => {
    live.arrived = live.arrived.filter((id) => ids?.includes(id) === false);
  });

/** A message came back that was away. */
export const noteArrived = (messageId: number) =>
  liveApi.util.updateQueryData('followEvents', undefined, (live) => {
    if (!live.arrived.includes(messageId)) live.arrived.push(messageId);
  });

/** Forgets changes, because the lists have them now. */
export const forgetChanged = (ids: readonly number[]) =>
  liveApi.util.updateQueryData('followEvents', undefined, (live) => {
    live.changed = live.changed.filter((id) => !ids.includes(id));
    live.isBehind = false;
  });
