import { searchedWords } from '@najwa/proto/words';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import { createPortal, flushSync } from 'react-dom';
import { useLocation } from 'react-router-dom';
import { styled } from 'styled-components';
import { LoadFailure } from '../../ui/LoadFailure.js';
import { useErrorText } from '../../api/use-error-text.js';
import { Card, ConfirmDialog, MessageSkeletons, Optional, OptionalView, Stack } from '../../ui/index.js';
import { useTranslation } from '../../i18n/index.js';
import { useMedia } from '../../lib/hooks.js';
import { lazyPart } from '../../lib/on-demand.js';
import type { Message } from '../../shared/message/index.js';
import { DESK } from '../../theme/index.js';
import { ArrivedBar } from './ArrivedBar.js';
import type { Owner } from './card-parts.js';
import { othersOf, useEntries } from './entries.js';
import { EntryCard } from './EntryCard.js';
import { EntryList, type ListHandle } from './EntryList.js';
import {
  AsideRow,
  EmptyInbox,
  InboxFilters,
  InboxHeader,
  MonthBack,
  MoreEntries,
  MoreFailed,
  PreviousEntries,
  SearchResult,
} from './inbox-parts.js';
import { countOf } from './filters.js';
import { useGetStatsQuery } from './list-cache.js';
import { ListTools, startOfMonth } from './ListTools.js';
import { SearchField } from './search-parts.js';
import type { Entry, Filter, Sort } from './types.js';
import { useFollowedChanges } from './use-followed-changes.js';
import { useKeepFocus } from './use-keep-focus.js';
import { useMessageActions } from './use-message-actions.js';
import { useNearEdge } from './use-near-edge.js';
import { useFormerPlace, useKeepPlace } from './use-place.js';
import { useOpenMessage, useReadEntry, useReadingKeys } from './use-reading.js';
import { useSelection } from './use-selection.js';
import { isSentLink, useArrivedTarget, useSentTarget } from './use-sent-target.js';
import { useStableCalls } from './use-stable-calls.js';
import { useUndo } from './use-undo.js';

const ReadingPane = lazyPart(async () => (await import('./ReadingPane.js')).ReadingPane);
const ReplyDialog = lazyPart(async () => (await import('./ReplyDialog.js')).ReplyDialog);
const Conversation = lazyPart(async () => (await import('./Conversation.js')).Conversation);
const BulkBar = lazyPart(async () => (await import('./BulkBar.js')).BulkBar);
const ReadAll = lazyPart(async () => (await import('./BulkBar.js')).ReadAll);
const AsideFolder = lazyPart(async () => (await import('./AsideFolder.js')).AsideFolder);

/** Messages from which on a list is searched. */
const MANY = 10;

interface Props {
  owner: Owner;
  onCopyLink: () => void;
  onShare: (message: Message) => void;
  /** In place of a list that has never had a message. */
  firstDay: ReactNode;
  /** Holds the search and the tools of a desk, once it is there. Undefined where a list has no room for a pane. */
  head?: HTMLElement | null | undefined;
}

export function Inbox({ owner, onCopyLink, onShare, firstDay, head }: Props) {
  const { t } = useTranslation();
  const errors = useErrorText();
  const { data: stats, isError: lacksStats, refetch: readStats } = useGetStatsQuery();
  const { hash } = useLocation();
  // A reply's link opens sent messages only: fetching received ones shows the user as online.
  const former = useFormerPlace(owner.id);
  const [filter, setFilter] = useState<Filter>(isSentLink(hash) ? 'sent' : (former?.filter ?? 'all'));
  const [sort, setSort] = useState<Sort>(former?.sort ?? 'newest');
  const [isAside, setIsAside] = useState(false);
  const [replyTarget, setReplyTarget] = useState<Message | null>(null);
  const [conversing, setConversing] = useState<Message | null>(null);
  const [deleting, setDeleting] = useState<Entry | null>(null);
  const offerUndo = useUndo(owner.id);
  const actions = useMessageActions(offerUndo, onShare);
  const [query, setQuery] = useState(former?.query ?? '');
  const isSearching = query !== '';
  const searched = useMemo(() => searchedWords(query), [query]);
  const [opened, setOpened] = useState<ReadonlySet<number>>(former?.opened ?? new Set());
  const [month, setMonth] = useState(former?.month ?? null);
  const start = month === null || isSearching ? undefined : startOfMonth(month, sort);
  const list = useEntries({ filter: isSearching ? 'all' : filter, sort, q: query, start });
  const [isSelecting, setIsSelecting] = useState(false);
  const selection = useSelection(
    useMemo(() => list.entries.flatMap(({ kind, message }) => (kind === 'received' ? message.id : [])), [list.entries]),
  );
  /** Positive while unknown, so that nothing moves in an inbox that is in use. */
  const total = stats === undefined ? MANY : countOf(stats);
  const hasMessages = total > 0 || list.entries.length > 0;
  const isDesk = useMedia(DESK) && head !== undefined && hasMessages;
  const open = useOpenMessage();
  const reading = useReadEntry(open.id, list, isDesk);
  const needsTools = total >= MANY || isSearching || month !== null || sort !== 'newest';
  const [hadTools, setHadTools] = useState(false);
  if (needsTools && !hadTools && stats !== undefined) setHadTools(true);
  const endSelection = () => {
    setIsSelecting(false);
    selection.clear();
    title.current?.focus({ preventScroll: true });
  };
  const section = useRef<HTMLElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const asideRow = useRef<HTMLButtonElement>(null);
  const [end, setEnd] = useState<HTMLElement | null>(null);
  const rows = useRef<ListHandle>(null);
  const left = useRef(former?.list);
  useKeepPlace(owner.id, { filter, sort, query, month, opened }, left);
  const listKey = [isSearching ? 'all' : filter, sort, query, start, isDesk].join(' ');
  const [firstKey] = useState(listKey);
  const [beginning, setBeginning] = useState<HTMLElement | null>(null);
  // After a press the button stays in place; while scrolling, the message does.
  const [keepsPlace, setKeepsPlace] = useState(true);
  useNearEdge(end, {
    isReady: list.hasMore && !list.loadingMore && list.moreError === undefined && !isAside,
    pages: list.pages,
    onNear: list.loadMore,
  });
  useNearEdge(beginning, {
    edge: 'start',
    isReady: list.hasPrevious && !list.loadingPrevious && list.previousError === undefined && !isAside,
    pages: list.pages,
    onNear: () => {
      setKeepsPlace(true);
      list.loadPrevious();
    },
  });

  useArrivedTarget(() => {
    setIsAside(false);
    setQuery('');
    setMonth(null);
    if (filter !== 'unread') setFilter('all');
    section.current?.scrollIntoView();
  });

  useSentTarget({
    list,
    onFound: (id) => {
      rows.current?.reveal(id);
      open.choose(id);
    },
    isShown: filter === 'sent' && !isSearching && !isAside,
    onShow: () => {
      setFilter('sent');
      setIsAside(false);
      setQuery('');
      setMonth(null);
    },
  });

  const { restore: restoreFocus, hold } = useKeepFocus(actions.pending !== null || deleting !== null, title);
  useFollowedChanges(filter, hold);

  const retry = () => {
    list.retry();
    if (lacksStats) void readStats();
  };

  const confirmDelete = async (removal: Promise<boolean>) => {
    if (!(await removal)) return;
    setDeleting(null);
    if (deleting?.message.id === reading?.message.id) open.choose(null);
  };
  const isOfMany = deleting?.kind === 'received' && deleting.message.conversationId != null;

  const calls = useStableCalls({
    reply: setReplyTarget,
    converse: setConversing,
    remove: setDeleting,
    pick: selection.toggle,
    open: (id: number, isOpen: boolean) => {
      if (isDesk || id === open.id) open.choose(isOpen ? id : null);
      if (isDesk) return;
      const next = new Set(opened);
      if (isOpen) next.add(id);
      else next.delete(id);
      setOpened(next);
    },
    markRead: actions.markRead,
    setPublic: actions.setPublic,
    share: onShare,
  });
  const cardActions = useMemo(() => ({ ...calls, pending: actions.pending }), [actions.pending, calls]);

  const focusTitle = () => title.current?.focus({ preventScroll: true });
  useReadingKeys({
    isActive: isDesk && !isSelecting && !isAside,
    openId: reading?.message.id ?? null,
    list,
    rows,
    onChoose: open.choose,
    onRowGone: focusTitle,
  });

  const endReply = () => setReplyTarget(null);
  const endConversing = () => setConversing(null);

  const closeAside = () => {
    flushSync(() => setIsAside(false));
    (asideRow.current ?? title.current)?.focus();
  };
  if (isAside)
    return (
      <Folder ref={section} id="messages" aria-labelledby="messages-title">
        <OptionalView fallback={<MessageSkeletons />} onClose={closeAside}>
          <AsideFolder onBack={closeAside} />
        </OptionalView>
      </Folder>
    );

  const tools = (needsTools || hadTools) && (
    <Tools hidden={isSelecting}>
      <SearchField begun={query} onSearch={setQuery} />
      <ListTools
        filter={filter}
        hasMonths={!isSearching}
        sort={sort}
        onJump={setMonth}
        onSort={setSort}
        onSelect={() => setIsSelecting(true)}
      />
    </Tools>
  );
  const isEmpty = !list.loading && list.error === undefined && list.entries.length === 0 && !list.hasMore;
  return (
    <Section ref={section} id="messages" aria-labelledby="messages-title" $isDesk={isDesk}>
      <Column $gap={8}>
        <InboxHeader title={title} selection={isSelecting ? selection : null} onEndSelection={endSelection} />
        {isDesk ? head && createPortal(tools, head) : tools}
        {isSearching && <SearchResult list={list} query={query} />}
        {!isSearching && hasMessages && (
          <InboxFilters
            filter={filter}
            stats={stats}
            onChoose={(next) => {
              setFilter(next);
              setMonth(null);
            }}
          />
        )}
        {!isSearching && (
          <ArrivedBar
            shown={list.entries.flatMap((entry) => [entry.message, ...othersOf(entry)]).map(({ id }) => id)}
            isEmpty={isEmpty}
            onShow={(isAsked) => {
              setMonth(null);
              list.restart();
              if (!isAsked) return;
              window.scrollTo({ top: 0 });
              focusTitle();
            }}
          />
        )}
        {start !== undefined && (
          <MonthBack
            onBack={() => {
              setMonth(null);
              focusTitle();
            }}
          />
        )}
        {filter === 'unread' && !isSearching && start === undefined && list.entries.length > 0 && (
          <Optional>
            <ReadAll unread={stats?.unread} offerUndo={offerUndo} onDone={focusTitle} />
          </Optional>
        )}
        {list.loading && <MessageSkeletons />}
        {list.error !== undefined && (
          <Card as="div">
            <LoadFailure error={list.error} retrying={list.retrying} onRetry={retry} />
          </Card>
        )}
        {list.previousError !== undefined && <MoreFailed text={errors.text(list.previousError)} />}
        {start !== undefined && (
          <PreviousEntries
            ref={setBeginning}
            list={list}
            onLoad={() => {
              setKeepsPlace(false);
              list.loadPrevious();
            }}
          />
        )}
        {list.entries.length > 0 && (
          <EntryList
            key={listKey}
            ref={rows}
            entries={list.entries}
            isWhole={!list.hasMore && !list.hasPrevious}
            keepsPlace={start !== undefined && keepsPlace}
            startsWithMonth={start !== undefined}
            isDesk={isDesk}
            former={listKey === firstKey ? former?.list : undefined}
            onLeave={(state) => {
              left.current = state;
            }}
            render={(entry) => (
              <EntryCard
                entry={entry}
                owner={owner}
                isRow={isDesk}
                actions={cardActions}
                calls={calls}
                searched={searched}
                isOpen={entry.message.id === reading?.message.id || (!isDesk && opened.has(entry.message.id))}
                isPicked={isSelecting ? selection.has(entry.message.id) : null}
              />
            )}
          />
        )}
        {isEmpty && <EmptyInbox filter={filter} query={query} onCopyLink={onCopyLink} firstDay={firstDay} />}
        {list.moreError !== undefined && <MoreFailed text={errors.text(list.moreError)} />}
        <MoreEntries ref={setEnd} list={list} sort={sort} />
        {isSelecting && (
          <OptionalView onClose={endSelection}>
            <BulkBar
              entries={list.entries}
              selection={selection}
              hasMore={list.hasMore}
              offerUndo={offerUndo}
              onDone={endSelection}
            />
          </OptionalView>
        )}
        {!list.loading && !isSelecting && <AsideRow ref={asideRow} onOpen={() => setIsAside(true)} />}
      </Column>
      {isDesk && (
        <Optional>
          <ReadingPane
            entry={reading}
            owner={owner}
            actions={actions}
            isFound={isSearching}
            searched={searched}
            onDelete={setDeleting}
            onClose={() => {
              open.choose(null);
              focusTitle();
            }}
          />
        </Optional>
      )}
      {replyTarget !== null && (
        <OptionalView onClose={endReply}>
          <ReplyDialog message={replyTarget} account={owner.id} onClose={endReply} />
        </OptionalView>
      )}
      {conversing !== null && (
        <OptionalView onClose={endConversing}>
          <Conversation
            message={conversing}
            isFound={isSearching}
            searched={searched}
            account={owner.id}
            actions={actions}
            onClose={endConversing}
            onOpenerGone={focusTitle}
          />
        </OptionalView>
      )}
      <ConfirmDialog
        open={deleting !== null}
        title={t(isOfMany ? 'messages.conversation.remove.which' : 'messages.remove.title')}
        text={t(
          isOfMany
            ? 'messages.conversation.remove.whichText'
            : deleting?.kind === 'received'
              ? 'messages.remove.textReceived'
              : 'messages.remove.text',
        )}
        confirm={t(isOfMany ? 'messages.conversation.remove.one' : 'messages.remove.confirm')}
        more={
          isOfMany && {
            label: t('messages.conversation.remove.all'),
            onChoose: () => void confirmDelete(actions.removeAll(deleting.message.id)),
          }
        }
        busy={actions.pending?.action === 'delete' ? t('messages.remove.pending') : undefined}
        onConfirm={() => {
          if (deleting !== null) void confirmDelete(actions.remove(deleting));
        }}
        onCancel={() => setDeleting(null)}
        onOpenerGone={restoreFocus}
      />
    </Section>
  );
}

const Tools = styled.div`
  display: flex;
  gap: 6px;
  align-items: center;
  &[hidden] {
    display: none;
  }
`;

const Section = styled.section<{ $isDesk: boolean }>`
  display: grid;
  grid-template-columns: ${({ $isDesk }) => ($isDesk ? '420px ' : '')}minmax(0, 1fr);
  gap: 28px;
  align-items: start;
`;

const Folder = styled(Stack).attrs({ as: 'section' })`
  inline-size: 100%;
  max-inline-size: 760px;
  margin-inline: auto;
`;

const Column = styled(Stack)`
  ${({ theme }) => theme.media.phone} {
    gap: 6px;
  }
`;
