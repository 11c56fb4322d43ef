import { searchedWords } from '@najwa/proto/words';
import { Archive, ChevronRight, Copy, ListChecks } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useLocation } from 'react-router-dom';
import { styled } from 'styled-components';
import { LoadFailure } from '../../app/LoadFailure.js';
import { useErrorText } from '../../app/use-error-text.js';
import {
  Badge,
  Button,
  Card,
  Checkbox,
  Chip,
  ChipGroup,
  ConfirmDialog,
  EmptyState,
  Icon,
  ListHeader,
  MessageSkeletons,
  OptionalView,
  Stack,
} from '../../components/index.js';
import { useFormats, useTranslation } from '../../i18n/index.js';
import { isolate } from '../../lib/text.js';
import { small } from '../../theme/index.js';
import { useGetStatsQuery } from './api.js';
import { ArrivedBar } from './ArrivedBar.js';
import { BulkBar } from './BulkBar.js';
import { type Owner, ReceivedCard, SentCard } from './MessageCard.js';
import { ReplyDialog } from './ReplyDialog.js';
import { SearchField } from './search-parts.js';
import { SortMenu } from './SortMenu.js';
import type { Entry, Filter, MessageStats, ReceivedMessage, Sort } from './types.js';
import { useEntries } from './use-entries.js';
import { useFollowedChanges } from './use-followed-changes.js';
import { useKeepFocus } from './use-keep-focus.js';
import { useMessageActions } from './use-message-actions.js';
import { useSelection } from './use-selection.js';
import { isSentLink, useSentTarget } from './use-sent-target.js';
import { useUndo } from './use-undo.js';
import { lazyPart } from '../../lib/on-demand.js';

const AsideFolder = lazyPart(async () => (await import('./AsideFolder.js')).AsideFolder);

const FILTERS: readonly Filter[] = ['all', 'unread', 'read', 'received', 'sent'];

/** A message to oneself is one in the list of all. */
const countOf = (filter: Filter, stats: MessageStats) =>
  filter === 'all' ? stats.received + stats.sent - (stats.toSelf ?? 0) : stats[filter];

interface Props {
  owner: Owner;
  onCopyLink: () => void;
}

/** The owner's messages: received and sent, filtered, in either order, page by page. */
export function Inbox({ owner, onCopyLink }: Props) {
  const { t } = useTranslation();
  const { number } = useFormats();
  const errors = useErrorText();
  const { data: stats, isError: lacksStats, refetch: readStats } = useGetStatsQuery();
  const { hash } = useLocation();
  // Reading the inbox shows others that the user is there, and a reply must not cause that.
  const [filter, setFilter] = useState<Filter>(isSentLink(hash) ? 'sent' : 'all');
  const [sort, setSort] = useState<Sort>('newest');
  const [isAside, setIsAside] = useState(false);
  const [replyTarget, setReplyTarget] = useState<ReceivedMessage | null>(null);
  const [deleting, setDeleting] = useState<Entry | null>(null);
  const offerUndo = useUndo(owner.id);
  const actions = useMessageActions(offerUndo);
  const [query, setQuery] = useState('');
  const isSearching = query !== '';
  const searched = searchedWords(query);
  const list = useEntries(isSearching ? 'all' : filter, sort, query);
  const [isSelecting, setIsSelecting] = useState(false);
  const selection = useSelection(list.entries.flatMap(({ kind, message }) => (kind === 'received' ? message.id : [])));
  const endSelection = () => {
    setIsSelecting(false);
    selection.clear();
    title.current?.focus();
  };
  const section = useRef<HTMLElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const asideRow = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (hash === '#messages') section.current?.scrollIntoView();
  }, [hash]);

  useSentTarget({
    list,
    isShown: filter === 'sent' && !isSearching && !isAside,
    onShow: () => {
      setFilter('sent');
      setIsAside(false);
      setQuery('');
    },
  });

  const { restore: restoreFocus, hold } = useKeepFocus(actions.pending !== null || deleting !== null, title);
  useFollowedChanges(filter, hold);

  const retry = () => {
    list.retry();
    if (lacksStats) void readStats();
  };

  const confirmDelete = async (entry: Entry) => {
    if (await actions.remove(entry)) setDeleting(null);
  };

  const closeAside = () => {
    flushSync(() => {
      setIsAside(false);
    });
    (asideRow.current ?? title.current)?.focus();
  };
  if (isAside)
    return (
      <Stack as="section" ref={section} id="messages" aria-labelledby="messages-title">
        <OptionalView fallback={<MessageSkeletons />} onClose={closeAside}>
          <AsideFolder onBack={closeAside} />
        </OptionalView>
      </Stack>
    );

  return (
    <Stack as="section" ref={section} id="messages" aria-labelledby="messages-title">
      {isSelecting ? (
        <ListHeader>
          <Checkbox
            checked={selection.isAll || (selection.selected.length > 0 && 'indeterminate')}
            aria-label={t('messages.select.all')}
            onCheckedChange={selection.isAll ? selection.clear : selection.selectAll}
          />
          <h2 key="title" id="messages-title" ref={title} tabIndex={-1}>
            {t('messages.select.title')}
          </h2>
          <Button variant="ghost" onClick={endSelection}>
            {t('messages.select.done')}
          </Button>
        </ListHeader>
      ) : (
        <ListHeader>
          <h2 key="title" id="messages-title" ref={title} tabIndex={-1}>
            {t('messages.list.title')}
          </h2>
          {stats !== undefined && stats.unread > 0 && (
            <Badge $tone="rose">{t('messages.list.fresh', { count: stats.unread })}</Badge>
          )}
          <SortMenu sort={sort} onChange={setSort} />
        </ListHeader>
      )}
      <Tools hidden={isSelecting}>
        <SearchField onSearch={setQuery} />
        <Button
          onClick={() => {
            setIsSelecting(true);
          }}
        >
          <Icon of={ListChecks} />
          {t('messages.select.begin')}
        </Button>
      </Tools>
      {isSearching ? (
        <SearchStatus role="status">
          {!list.loading && list.error === undefined && list.entries.length > 0 && (
            <>
              {list.hasMore
                ? t('messages.search.foundMore', { q: isolate(query) })
                : t('messages.search.found', { q: isolate(query), count: list.entries.length })}
            </>
          )}
        </SearchStatus>
      ) : (
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
      )}
      {!isSearching && (
        <ArrivedBar shown={list.entries.map(({ message }) => message.id)} onShow={() => title.current?.focus()} />
      )}
      {list.loading && <MessageSkeletons />}
      {list.error !== undefined && (
        <Card as="div">
          <LoadFailure error={list.error} retrying={list.retrying} onRetry={retry} />
        </Card>
      )}
      {list.entries.map((entry) =>
        entry.kind === 'received' ? (
          <ReceivedCard
            key={entry.message.id}
            message={entry.message}
            owner={owner}
            actions={actions}
            searched={searched}
            picking={
              isSelecting
                ? {
                    isPicked: selection.has(entry.message.id),
                    onPick: (isRange) => {
                      selection.toggle(entry.message.id, isRange);
                    },
                  }
                : undefined
            }
            onReply={() => {
              setReplyTarget(entry.message);
            }}
            onDelete={() => {
              setDeleting(entry);
            }}
          />
        ) : (
          <SentCard
            key={entry.message.id}
            message={entry.message}
            actions={actions}
            searched={searched}
            isPicking={isSelecting}
            onDelete={() => {
              setDeleting(entry);
            }}
          />
        ),
      )}
      {!list.loading &&
        list.error === undefined &&
        list.entries.length === 0 &&
        !list.hasMore &&
        (isSearching ? (
          <EmptyState title={t('messages.search.none', { q: isolate(query) })} text={t('messages.search.noneText')} />
        ) : (
          <EmptyInbox filter={filter} onCopyLink={onCopyLink} />
        ))}
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
      {isSelecting && <BulkBar selection={selection} offerUndo={offerUndo} onDone={endSelection} />}
      {!list.loading && !isSelecting && (
        <AsideRow
          ref={asideRow}
          type="button"
          onClick={() => {
            setIsAside(true);
          }}
        >
          <Icon of={Archive} />
          <span>
            <b>{t('messages.aside.title')}</b>
            <small>{t('messages.aside.hint')}</small>
          </span>
          <Icon of={ChevronRight} size="sm" flip />
        </AsideRow>
      )}
      {replyTarget !== null && (
        <ReplyDialog
          message={replyTarget}
          account={owner.id}
          onClose={() => {
            setReplyTarget(null);
          }}
        />
      )}
      <ConfirmDialog
        open={deleting !== null}
        title={t('messages.remove.title')}
        text={t(deleting?.kind === 'received' ? 'messages.remove.textReceived' : 'messages.remove.text')}
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

const Tools = styled.div`
  display: flex;
  gap: 8px;
  align-items: center;
  &[hidden] {
    display: none;
  }
`;

const SearchStatus = styled.p`
  color: var(--ink-2);
  ${small}
`;

const LoadError = styled(Card)`
  display: grid;
  gap: 12px;
  justify-items: start;
`;

/** Quiet and without a number: what was set aside asks for nothing. */
const AsideRow = styled.button`
  display: flex;
  gap: 14px;
  align-items: center;
  min-block-size: 56px;
  padding: 10px 16px;
  border-radius: 18px;
  border-end-start-radius: 5px;
  color: var(--ink-2);
  text-align: start;
  &:hover {
    background: color-mix(in srgb, var(--ink) 5%, transparent);
  }
  b {
    display: block;
    font-weight: 500;
    line-height: 1.5;
  }
  small {
    color: var(--ink-3);
    ${small}
  }
  > svg:last-child {
    margin-inline-start: auto;
  }
`;
