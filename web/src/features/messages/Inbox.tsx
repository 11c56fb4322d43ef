import { Copy } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { styled } from 'styled-components';
import { useErrorText } from '../../app/use-error-text.js';
import {
  Badge,
  Button,
  Card,
  Chip,
  ChipGroup,
  ConfirmDialog,
  EmptyState,
  Icon,
  ListHeader,
  MessageSkeletons,
  Stack,
} from '../../components/index.js';
import { useFormats } from '../../i18n/index.js';
import { useGetStatsQuery } from './api.js';
import { type Owner, ReceivedCard, SentCard } from './MessageCard.js';
import { ReplyDialog } from './ReplyDialog.js';
import { SortMenu } from './SortMenu.js';
import type { Filter, MessageStats, ReceivedMessage, Sort } from './types.js';
import { useEntries } from './use-entries.js';
import { useKeepFocus } from './use-keep-focus.js';
import { useMessageActions } from './use-message-actions.js';

const FILTERS: readonly Filter[] = ['all', 'unread', 'read', 'received', 'sent'];

const countOf = (filter: Filter, stats: MessageStats) =>
  filter === 'all' ? stats.received + stats.sent : stats[filter];

interface Props {
  owner: Owner;
  onCopyLink: () => void;
}

/** The owner's messages: received and sent, filtered, in either order, page by page. */
export function Inbox({ owner, onCopyLink }: Props) {
  const { t } = useTranslation();
  const { number } = useFormats();
  const errors = useErrorText();
  const { data: stats } = useGetStatsQuery();
  const [filter, setFilter] = useState<Filter>('all');
  const [sort, setSort] = useState<Sort>('newest');
  const [replyTarget, setReplyTarget] = useState<ReceivedMessage | null>(null);
  const [deleting, setDeleting] = useState<number | null>(null);
  const actions = useMessageActions();
  const list = useEntries(filter, sort);
  const section = useRef<HTMLElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const { hash } = useLocation();

  useEffect(() => {
    if (hash === '#messages') section.current?.scrollIntoView();
  }, [hash]);

  const restoreFocus = useKeepFocus(actions.pending !== null || deleting !== null, title);

  const confirmDelete = async (id: number) => {
    if (await actions.remove(id)) setDeleting(null);
  };

  return (
    <Stack as="section" ref={section} id="messages" aria-labelledby="messages-title">
      <ListHeader>
        <h2 id="messages-title" ref={title} tabIndex={-1}>
          {t('messages.list.title')}
        </h2>
        {stats !== undefined && stats.unread > 0 && (
          <Badge $tone="rose">{t('messages.list.fresh', { count: stats.unread })}</Badge>
        )}
        <SortMenu sort={sort} onChange={setSort} />
      </ListHeader>
      <ChipGroup
        type="single"
        value={filter}
        aria-label={t('messages.list.filter')}
        onValueChange={(value) => {
          if (value !== '') setFilter(value as Filter);
        }}
      >
        {FILTERS.map((value) => (
          <Chip key={value} value={value}>
            {t(`messages.filter.${value}`)}
            {stats !== undefined && <span>{number(countOf(value, stats))}</span>}
          </Chip>
        ))}
      </ChipGroup>
      {list.loading && <MessageSkeletons />}
      {list.error !== undefined && (
        <LoadError as="div" role="alert">
          <p>{t('common.failure.load', { text: errors.text(list.error) })}</p>
          <Button onClick={list.retry}>{t('common.action.retry')}</Button>
        </LoadError>
      )}
      {list.entries.map((entry) =>
        entry.kind === 'received' ? (
          <ReceivedCard
            key={entry.message.id}
            message={entry.message}
            owner={owner}
            actions={actions}
            onReply={() => {
              setReplyTarget(entry.message);
            }}
            onDelete={() => {
              setDeleting(entry.message.id);
            }}
          />
        ) : (
          <SentCard
            key={entry.message.id}
            message={entry.message}
            actions={actions}
            onDelete={() => {
              setDeleting(entry.message.id);
            }}
          />
        ),
      )}
      {!list.loading && list.error === undefined && list.entries.length === 0 && !list.hasMore && (
        <EmptyInbox filter={filter} onCopyLink={onCopyLink} />
      )}
      {list.moreError !== undefined && (
        <LoadError as="div" role="alert">
          <p>{t('common.failure.load', { text: errors.text(list.moreError) })}</p>
        </LoadError>
      )}
      {list.hasMore && (
        <Button block busy={list.loadingMore ? t('common.action.loading') : undefined} onClick={list.loadMore}>
          {t('common.action.loadMore')}
        </Button>
      )}
      {replyTarget !== null && (
        <ReplyDialog
          message={replyTarget}
          onClose={() => {
            setReplyTarget(null);
          }}
        />
      )}
      <ConfirmDialog
        open={deleting !== null}
        title={t('messages.remove.title')}
        text={t('messages.remove.text')}
        confirm={t('messages.remove.confirm')}
        busy={actions.pending?.action === 'delete' ? t('messages.remove.pending') : undefined}
        onConfirm={() => {
          if (deleting !== null) void confirmDelete(deleting);
        }}
        onCancel={() => {
          setDeleting(null);
        }}
        onOpenerGone={restoreFocus}
      />
    </Stack>
  );
}

function EmptyInbox({ filter, onCopyLink }: { filter: Filter; onCopyLink: () => void }) {
  const { t } = useTranslation();
  if (filter === 'read') return <EmptyState title={t('messages.empty.read')} text={t('messages.empty.readText')} />;
  if (filter === 'sent') return <EmptyState title={t('messages.empty.sent')} text={t('messages.empty.sentText')} />;
  const [title, text] =
    filter === 'unread'
      ? [t('messages.empty.unread'), t('messages.empty.unreadText')]
      : [t('messages.empty.title'), t('messages.empty.text')];
  return (
    <EmptyState title={title} text={text}>
      <Button variant="primary" onClick={onCopyLink}>
        <Icon of={Copy} />
        {t('messages.empty.copy')}
      </Button>
    </EmptyState>
  );
}

const LoadError = styled(Card)`
  display: grid;
  gap: 12px;
  justify-items: start;
`;
