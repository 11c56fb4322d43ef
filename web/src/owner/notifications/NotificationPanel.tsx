import { Check, Settings, X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { keyframes, styled } from 'styled-components';
import { Link } from '../../ui/navigation.js';
import { LoadFailure } from '../../ui/LoadFailure.js';
import {
  Badge,
  Button,
  EmptyState,
  Icon,
  IconButtonBase,
  Optional,
  Skeleton,
  useCloseRequest,
  useFocusReturn,
  useOutcome,
} from '../../ui/index.js';
import { useTranslation } from '../../i18n/index.js';
import { useLoadMore } from '../../lib/hooks.js';
import { small, textSize } from '../../theme/index.js';
import { type Notification, useGetNotificationsInfiniteQuery, useReadNotificationsMutation } from './api.js';
import { groupsOf, NotificationRow } from './NotificationRow.js';
import { useFreshText } from './use-fresh-text.js';
import { lazyPart } from '../../lib/on-demand.js';

interface Props {
  open: boolean;
  unread: number;
  isLost: boolean;
  onClose: () => void;
}

const PushOffer = lazyPart(async () => (await import('./PushOffer.js')).PushOffer);

export function NotificationPanel({ open, unread, isLost, onClose }: Props) {
  const { t } = useTranslation();
  const fresh = useFreshText(unread);
  const returnFocus = useFocusReturn(open);
  useCloseRequest(open, onClose);
  return (
    <Radix.Root
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
    >
      <Radix.Portal>
        <Overlay>
          <Panel aria-describedby={undefined} onCloseAutoFocus={returnFocus} data-testid="notifications">
            <Head>
              <Radix.Title asChild>
                <h2>{t('notifications.title')}</h2>
              </Radix.Title>
              <span role="status">{fresh !== null && <Badge $tone="rose">{fresh}</Badge>}</span>
              <IconButtonBase
                as={Link}
                to="/settings/notices"
                aria-label={t('notifications.settings')}
                onClick={onClose}
              >
                <Icon of={Settings} />
              </IconButtonBase>
              <Radix.Close asChild>
                <IconButtonBase aria-label={t('common.action.close')}>
                  <Icon of={X} />
                </IconButtonBase>
              </Radix.Close>
            </Head>
            {isLost && <Lost role="status">{t('notifications.lost')}</Lost>}
            <Notifications hasUnread={unread > 0} onClose={onClose} />
          </Panel>
        </Overlay>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Messages read before push is offered. One reply suffices, too. */
const MESSAGES_BEFORE_ASKING = 3;

function hasReadEnough(notifications: readonly Notification[]): boolean {
  const read = notifications.filter(({ readAt }) => readAt !== null);
  const messages = read.filter(({ kind }) => kind === 'message').length;
  return messages >= MESSAGES_BEFORE_ASKING || read.some(({ kind }) => kind === 'reply');
}

function Notifications({ hasUnread, onClose }: { hasUnread: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const say = useOutcome();
  const list = useGetNotificationsInfiniteQuery(undefined, { refetchOnMountOrArgChange: true });
  const [read, { isLoading: isReading }] = useReadNotificationsMutation();
  const loadMore = useLoadMore(list.isFetching, () => list.fetchNextPage());
  const notifications = list.data?.pages.flatMap(({ items }) => items);
  const { error } = list;

  const readAll = async () => {
    // Later ones are still unread.
    const seen = notifications?.map(({ id }) => id) ?? [];
    if (seen.length === 0) return;
    try {
      await read({ upTo: Math.max(...seen) }).unwrap();
    } catch (failure) {
      say.toast({ variant: 'destructive', title: t('notifications.readFailed'), text: say.errors.message(failure) });
    }
  };

  if (notifications === undefined && error === undefined)
    return (
      <Loading>
        <Skeleton $inline="100%" $block="56px" />
        <Skeleton $inline="100%" $block="56px" />
      </Loading>
    );
  return (
    <>
      <Optional>
        <PushOffer isDue={hasReadEnough(notifications ?? [])} />
      </Optional>
      {notifications?.length === 0 && (
        <Empty level={3} title={t('notifications.empty')} text={t('notifications.emptyText')} />
      )}
      {notifications !== undefined && notifications.length > 0 && (
        <ul>
          {groupsOf(notifications).map((group) => (
            <NotificationRow
              key={group[0].id}
              group={group}
              onOpen={() => {
                // On failure they stay unread.
                if (group[0].readAt === null) void read({ ids: group.map(({ id }) => id) });
                onClose();
              }}
            />
          ))}
        </ul>
      )}
      {error !== undefined && (
        <Failure>
          <LoadFailure error={error} retrying={list.isFetching} size="sm" onRetry={() => void list.refetch()} />
        </Failure>
      )}
      {(hasUnread || list.hasNextPage) && (
        <More>
          {hasUnread && (
            <Button
              variant="ghost"
              size="sm"
              busy={isReading ? t('notifications.readingAll') : undefined}
              onClick={() => void readAll()}
            >
              <Icon of={Check} />
              {t('notifications.readAll')}
            </Button>
          )}
          {list.hasNextPage && (
            <Button
              variant="ghost"
              size="sm"
              busy={list.isFetchingNextPage ? t('common.action.loading') : undefined}
              onClick={loadMore}
            >
              {t('notifications.earlier')}
            </Button>
          )}
        </More>
      )}
    </>
  );
}

const dropDown = keyframes`
  from { opacity: 0; translate: 0 -8px; }
`;

const Overlay = styled(Radix.Overlay)`
  position: fixed;
  inset: 0;
  z-index: ${({ theme }) => theme.zIndex.dialog};
  ${({ theme }) => theme.media.phone} {
    background: var(--scrim);
  }
`;

const Panel = styled(Radix.Content)`
  position: absolute;
  inset-block-start: 74px;
  inset-inline-end: max(var(--gutter), calc((100vw - var(--wrap)) / 2));
  inline-size: 432px;
  max-block-size: calc(100vh - 98px);
  overflow: auto;
  background: var(--raised);
  border: 1px solid var(--line);
  border-radius: 24px;
  border-start-end-radius: 6px;
  box-shadow: var(--shadow-3);
  animation: ${dropDown} var(--base) var(--ease);
  &:focus {
    outline: 0;
  }
  ${({ theme }) => theme.media.phone} {
    inset-block-start: 8px;
    inset-inline: 8px;
    inline-size: auto;
    max-block-size: calc(100dvh - 16px);
  }
`;

const Head = styled.div`
  display: flex;
  gap: 10px;
  align-items: center;
  padding-block: 14px 10px;
  padding-inline: 20px 12px;
  h2 {
    ${textSize('20px', '18px')}
  }
  > a {
    margin-inline-start: auto;
  }
`;

const Lost = styled.p`
  padding: 0 20px 12px;
  color: var(--ink-2);
  ${small}
`;

const Loading = styled.div`
  display: grid;
  gap: 14px;
  padding: 12px 20px 20px;
`;

const Empty = styled(EmptyState)`
  background: none;
  border: 0;
  box-shadow: none;
  padding: 24px 24px 48px;
`;

const Failure = styled.div`
  padding: 12px 20px 20px;
  border-block-start: 1px solid var(--line);
`;

const More = styled.div`
  display: flex;
  flex-wrap: wrap;
  justify-content: space-between;
  gap: 4px;
  padding: 10px 12px 12px;
  border-block-start: 1px solid var(--line);
`;
