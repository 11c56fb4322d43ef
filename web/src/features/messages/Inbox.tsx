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
  Empty,
  Icon,
  ListHead,
  MessageSkeletons,
  Stack,
} from '../../components/index.js';
import { useFormats } from '../../i18n/index.js';
import { useGetStatsQuery } from './api.js';
import { ReceivedCard, SentCard, type Owner } from './MessageCard.js';
import { ReplyDialog } from './ReplyDialog.js';
import { SortMenu } from './SortMenu.js';
import type { Filter, MessageStats, ReceivedMessage, Sort } from './types.js';
import { useEntries } from './use-entries.js';
import { useKeptFocus } from './use-kept-focus.js';
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
  const [replyingTo, setReplyingTo] = useState<ReceivedMessage | null>(null);
  const [deleting, setDeleting] = useState<number | null>(null);
  const actions = useMessageActions();
  const list = useEntries(filter, sort);
  const place = useRef<HTMLElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const { hash } = useLocation();

  useEffect(() => {
    if (hash === '#messages') place.current?.scrollIntoView();
  }, [hash]);

  useKeptFocus(actions.pending !== null || deleting !== null, title);

  const confirmDelete = async (id: number) => {
    if (await actions.remove(id)) setDeleting(null);
  };

  return (
    <Stack as="section" ref={place} id="messages" aria-labelledby="messages-title">
      <ListHead>
        <h2 id="messages-title" ref={title} tabIndex={-1}>
          {t('messages.list.title')}
        </h2>
        {stats !== undefined && stats.unread > 0 && (
          <Badge $tone="rose">{t('messages.list.fresh', { count: stats.unread })}</Badge>
        )}
        <SortMenu sort={sort} onChange={setSort} />
      </ListHead>
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
        <Failed as="div" role="alert">
          <p>{t('common.failure.load', { text: errors.text(list.error) })}</p>
          <Button onClick={list.retry}>{t('common.action.retry')}</Button>
        </Failed>
      )}
      {list.entries.map((entry) =>
        entry.kind === 'received' ? (
          <ReceivedCard
            key={entry.message.id}
            message={entry.message}
            owner={owner}
            actions={actions}
            onReply={() => {
              setReplyingTo(entry.message);
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
      {!list.loading && list.error === undefined && list.entries.length === 0 && (
        <NothingHere filter={filter} onCopyLink={onCopyLink} />
      )}
      {list.moreError !== undefined && (
        <Failed as="div" role="alert">
          <p>{t('common.failure.load', { text: errors.text(list.moreError) })}</p>
        </Failed>
      )}
      {list.hasMore && (
        <Button block busy={list.loadingMore ? t('common.action.loading') : undefined} onClick={list.loadMore}>
          {t('common.action.loadMore')}
        </Button>
      )}
      {replyingTo !== null && (
        <ReplyDialog
          message={replyingTo}
          onClose={() => {
            setReplyingTo(null);
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
      />
    </Stack>
  );
}

function NothingHere({ filter, onCopyLink }: { filter: Filter; onCopyLink: () => void }) {
  const { t } = useTranslation();
  if (filter === 'read') return <Empty title={t('messages.empty.read')} text={t('messages.empty.readText')} />;
  if (filter === 'sent') return <Empty title={t('messages.empty.sent')} text={t('messages.empty.sentText')} />;
  const [title, text] =
    filter === 'unread'
      ? [t('messages.empty.unread'), t('messages.empty.unreadText')]
      : [t('messages.empty.title'), t('messages.empty.text')];
  return (
    <Empty title={title} text={text}>
      <Button variant="primary" onClick={onCopyLink}>
        <Icon of={Copy} />
        {t('messages.empty.copy')}
      </Button>
    </Empty>
  );
}

const Failed = styled(Card)`
  display: grid;
  gap: 12px;
  justify-items: start;
`;
