import { Flag, Pin } from 'lucide-react';
import { useState } from 'react';
import { styled } from 'styled-components';
import { LoadFailure } from '../../ui/LoadFailure.js';
import {
  Badge,
  Button,
  Card,
  EmptyState,
  Icon,
  IconButtonBase,
  ListHeader,
  MessageShape,
  MessageSkeletons,
  Optional,
  OptionalView,
  Ornament,
  Stack,
} from '../../ui/index.js';
import { useFormats, useTranslation } from '../../i18n/index.js';
import { DESK, STACKED } from '../../theme/index.js';
import { useLoadMore } from '../../lib/hooks.js';
import { lazyPart } from '../../lib/on-demand.js';
import { useSavedWaysBack } from '../../lib/kept-ways.js';
import { AnsweredPrompt, MessageMeta, MessageMedia, MessageText, ReplyBubble } from '../../shared/message/index.js';
import { ReportDialog } from '../../shared/report/index.js';
import { useCurrentUser } from '../../shared/session/index.js';
import { usePublicMessages } from './api.js';
import { Carpet } from './Carpet.js';
import type { FirstMessages, PublicMessage, PublicProfile } from './types.js';

const OwnPage = lazyPart(async () => (await import('./OwnPage.js')).OwnPage);

interface Props {
  owner: PublicProfile;
  first: FirstMessages | undefined;
}

export function PublicMessages({ owner, first }: Props) {
  const { t } = useTranslation();
  const { number } = useFormats();
  const { user } = useCurrentUser();
  const hasWritten = useSavedWaysBack(user?.id ?? null).some(({ username }) => username === owner.username);
  const list = usePublicMessages(owner.id, first);
  const loadMore = useLoadMore(list.isFetching, () => list.fetchNextPage());
  const total = list.data?.pages[0]?.total ?? 0;
  // A message pinned or unpinned meanwhile can be on two pages.
  const messages = list.data && [
    ...new Map(list.data.pages.flatMap(({ items }) => items.map((message) => [message.id, message]))).values(),
  ];
  return (
    <List as="section" aria-labelledby="published-title">
      <ListHeader>
        <h2 id="published-title">{t('publicPage.list')}</h2>
        {total > 0 && <Badge>{number(total)}</Badge>}
      </ListHeader>
      {total > 0 && <ListCarpet $of={owner.username} $isInBanner={!(owner.isAdmin && owner.isVerified)} />}
      {messages === undefined &&
        (list.error === undefined ? (
          <MessageSkeletons />
        ) : (
          <Card as="div">
            <LoadFailure error={list.error} retrying={list.isFetching} onRetry={() => void list.refetch()} />
          </Card>
        ))}
      {messages?.length === 0 && (
        <EmptyState
          title={t('publicPage.empty')}
          text={
            owner.receiving.from === 'nobody' ? undefined : t(`publicPage.${hasWritten ? 'emptyWritten' : 'emptyText'}`)
          }
        />
      )}
      {messages?.map((message) => (
        <PublicCard key={message.id} message={message} owner={owner} />
      ))}
      {list.hasNextPage && (
        <Button
          block
          data-scripts
          busy={list.isFetchingNextPage ? t('common.action.loading') : undefined}
          onClick={loadMore}
        >
          {t('common.action.loadMore')}
        </Button>
      )}
      {user?.id === owner.id && (
        <Optional>
          <OwnPage />
        </Optional>
      )}
    </List>
  );
}

function PublicCard({ message, owner }: { message: PublicMessage; owner: PublicProfile }) {
  const { t } = useTranslation();
  const { dateTime } = useFormats();
  const time = dateTime(message.createdAt);
  return (
    <MessageShape state="published" data-testid="public-message" data-message-id={message.id}>
      <Head>
        <MessageMeta
          avatar={<Ornament bits={message.ornament} size={40} />}
          time={time}
          createdAt={message.createdAt}
        />
        <ReportButton message={message} />
      </Head>
      <AnsweredPrompt prompt={message.prompt} />
      {message.content !== '' && <MessageText>{message.content}</MessageText>}
      <MessageMedia message={message} isFile />
      {message.reply !== null && (
        <ReplyBubble reply={message.reply} owner={owner} premium={owner.isAdmin && owner.isVerified} />
      )}
      {message.pinned === true && (
        <Pinned $tone="line">
          <Icon of={Pin} />
          {t('publicPage.pinned')}
        </Pinned>
      )}
    </MessageShape>
  );
}

function ReportButton({ message }: { message: PublicMessage }) {
  const { t } = useTranslation();
  const [reporting, setReporting] = useState(false);
  const close = () => setReporting(false);
  return (
    <>
      <IconButtonBase
        type="button"
        $size="sm"
        data-scripts
        aria-label={t('publicPage.report')}
        onClick={() => setReporting(true)}
      >
        <Icon of={Flag} />
      </IconButtonBase>
      {reporting && (
        <OptionalView onClose={close}>
          <ReportDialog message={message} onClose={close} />
        </OptionalView>
      )}
    </>
  );
}

const List = styled(Stack)`
  @media ${DESK} {
    grid-template-columns: repeat(2, minmax(0, 1fr));
    align-items: start;
    > :not([data-message-id]),
    > :only-of-type {
      grid-column: 1 / -1;
    }
  }
`;

const ListCarpet = styled(Carpet)<{ $isInBanner: boolean }>`
  @media not all and ${STACKED} {
    ${({ $isInBanner }) => $isInBanner && 'display: none;'}
  }
`;

const Head = styled.div`
  display: flex;
  align-items: flex-start;
  justify-content: space-between;
  gap: 12px;
  > button {
    color: var(--ink-3);
  }
`;

const Pinned = styled(Badge)`
  margin-block-start: 14px;
`;
