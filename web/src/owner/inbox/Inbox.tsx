import { type ReactNode, useMemo, useRef, useState } from 'react';
import { createPortal, flushSync } from 'react-dom';
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
import { EntryList, type ListHandle, type ListState } from './EntryList.js';
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
import { ListTools } from './ListTools.js';
import { SearchField } from './search-parts.js';
import type { Entry } from './types.js';
import { useFollowedChanges } from './use-followed-changes.js';
import { useKeepFocus } from './use-keep-focus.js';
import { useMessageActions } from './use-message-actions.js';
import { useNearEdge } from './use-near-edge.js';
import { type InboxPlace, usePlace } from './use-place.js';
import { useOpenMessage, useReadEntry, useReadingKeys } from './use-reading.js';
import { useSelection } from './use-selection.js';
import { useArrivedTarget, useSentTarget } from './use-sent-target.js';
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

type List = ReturnType<typeof useEntries>;

interface Props {
  owner: Owner;
  onCopyLink: () => void;
  onShare: (message: Message) => void;
  /** In place of a list that has never had a message. */
  firstDay: ReactNode;
  /** Holds the search and the tools of a desk, once it is there. Undefined where a list has no room for a pane. */
  head?: HTMLElement | null | undefined;
}

/** While scrolling the message stays in place; after a press the button does. */
function useEdges(list: List, isPaused: boolean) {
  const [end, setEnd] = useState<HTMLElement | null>(null);
  const [beginning, setBeginning] = useState<HTMLElement | null>(null);
  const [keepsPlace, setKeepsPlace] = useState(true);
  const loadPrevious = (keeps: boolean) => {
    setKeepsPlace(keeps);
    list.loadPrevious();
  };
  useNearEdge(end, {
    isReady: list.hasMore && !list.loadingMore && list.moreError === undefined && !isPaused,
    pages: list.pages,
    onNear: list.loadMore,
  });
  useNearEdge(beginning, {
    edge: 'start',
    isReady: list.hasPrevious && !list.loadingPrevious && list.previousError === undefined && !isPaused,
    pages: list.pages,
    onNear: () => loadPrevious(true),
  });
  return { setEnd, setBeginning, keepsPlace, loadPrevious };
}

function usePicking(entries: readonly Entry[], onEnd: () => void) {
  const [isSelecting, setIsSelecting] = useState(false);
  const selection = useSelection(
    useMemo(() => entries.flatMap(({ kind, message }) => (kind === 'received' ? message.id : [])), [entries]),
  );
  return {
    selection: isSelecting ? selection : null,
    toggle: selection.toggle,
    begin: () => setIsSelecting(true),
    end: () => {
      setIsSelecting(false);
      selection.clear();
      onEnd();
    },
  };
}

/** Tools stay once they are there. @param count undefined while unknown */
function useHasTools({ isSearching, month, sort }: InboxPlace, count: number | undefined): boolean {
  const needsTools = (count ?? MANY) >= MANY || isSearching || month !== null || sort !== 'newest';
  const [hadTools, setHadTools] = useState(false);
  if (needsTools && !hadTools && count !== undefined) setHadTools(true);
  return needsTools || hadTools;
}

function useInbox({ owner, onShare, head }: Props) {
  const { data: stats, isError: lacksStats, refetch: readStats } = useGetStatsQuery();
  const place = usePlace(owner.id);
  const [replying, setReplying] = useState<Message | null>(null);
  const [conversing, setConversing] = useState<Message | null>(null);
  const [deleting, setDeleting] = useState<Entry | null>(null);
  const offerUndo = useUndo(owner.id);
  const actions = useMessageActions(offerUndo, onShare);
  const list = useEntries({ filter: place.listed, sort: place.sort, q: place.query, start: place.start });
  const title = useRef<HTMLHeadingElement>(null);
  const focusTitle = () => title.current?.focus({ preventScroll: true });
  const picking = usePicking(list.entries, focusTitle);
  const count = stats && countOf(stats);
  // While the count is unknown, nothing moves in an inbox that is in use.
  const hasMessages = count !== 0 || list.entries.length > 0;
  const isDesk = useMedia(DESK) && head !== undefined && hasMessages;
  const open = useOpenMessage();
  const reading = useReadEntry(open.id, list, isDesk);
  const hasTools = useHasTools(place, count);
  const calls = useStableCalls({
    reply: setReplying,
    converse: setConversing,
    remove: setDeleting,
    pick: picking.toggle,
    open: (id: number, isOpen: boolean) => {
      if (isDesk || id === open.id) open.choose(isOpen ? id : null);
      if (!isDesk) place.toggle(id, isOpen);
    },
    markRead: actions.markRead,
    setPublic: actions.setPublic,
    share: onShare,
  });
  return {
    owner,
    stats,
    place,
    offerUndo,
    actions,
    list,
    retry: () => {
      list.retry();
      if (lacksStats) void readStats();
    },
    edges: useEdges(list, place.isAside),
    rows: useRef<ListHandle>(null),
    title,
    focusTitle,
    picking,
    hasMessages,
    isEmpty: !list.loading && list.error === undefined && list.entries.length === 0 && !list.hasMore,
    isDesk,
    open,
    reading,
    hasTools,
    calls,
    cardActions: useMemo(() => ({ ...calls, pending: actions.pending }), [actions.pending, calls]),
    replying,
    conversing,
    deleting,
  };
}

type InboxState = ReturnType<typeof useInbox>;

interface RegionProps {
  inbox: InboxState;
}

export function Inbox(props: Props) {
  const { onCopyLink, firstDay, head } = props;
  const inbox = useInbox(props);
  const { place, list, title, focusTitle, picking, rows, open, reading, isDesk, hasTools, isEmpty } = inbox;
  const { filter, isSearching, isAside } = place;
  const section = useRef<HTMLElement>(null);
  const asideRow = useRef<HTMLButtonElement>(null);
  const listKey = [place.listed, place.sort, place.query, place.start, isDesk].join(' ');
  const [firstKey] = useState(listKey);

  useArrivedTarget(() => {
    place.show(filter === 'unread' ? filter : 'all');
    section.current?.scrollIntoView();
  });
  useSentTarget({
    list,
    onFound: (id) => {
      rows.current?.reveal(id);
      open.choose(id);
    },
    isShown: filter === 'sent' && !isSearching && !isAside,
    onShow: () => place.show('sent'),
  });
  const { restore, hold } = useKeepFocus(inbox.actions.pending !== null || inbox.deleting !== null, title);
  useFollowedChanges(filter, hold);
  useReadingKeys({
    isActive: isDesk && picking.selection === null && !isAside,
    openId: reading?.message.id ?? null,
    list,
    rows,
    onChoose: open.choose,
    onRowGone: focusTitle,
  });

  const closeAside = () => {
    flushSync(() => place.setIsAside(false));
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

  const tools = hasTools && <ToolBar inbox={inbox} />;
  return (
    <Section ref={section} id="messages" aria-labelledby="messages-title" $isDesk={isDesk}>
      <Column $gap={8}>
        <InboxHeader title={title} selection={picking.selection} onEndSelection={picking.end} />
        {isDesk ? head && createPortal(tools, head) : tools}
        <ListHead inbox={inbox} />
        <Entries inbox={inbox} listKey={listKey} former={listKey === firstKey ? place.former : undefined}>
          {isEmpty && <EmptyInbox filter={filter} query={place.query} onCopyLink={onCopyLink} firstDay={firstDay} />}
        </Entries>
        {!list.loading && picking.selection === null && (
          <AsideRow ref={asideRow} onOpen={() => place.setIsAside(true)} />
        )}
      </Column>
      <Opened inbox={inbox} />
      <Deletion inbox={inbox} onOpenerGone={restore} />
    </Section>
  );
}

function ToolBar({ inbox: { place, picking } }: RegionProps) {
  return (
    <Tools hidden={picking.selection !== null}>
      <SearchField begun={place.query} onSearch={(query) => place.change({ query })} />
      <ListTools
        filter={place.filter}
        hasMonths={!place.isSearching}
        sort={place.sort}
        onJump={(month) => place.change({ month })}
        onSort={(sort) => place.change({ sort })}
        onSelect={picking.begin}
      />
    </Tools>
  );
}

function ListHead({ inbox: { place, list, stats, offerUndo, hasMessages, isEmpty, focusTitle } }: RegionProps) {
  const { filter, start, change } = place;
  if (place.isSearching) return <SearchResult list={list} query={place.query} />;
  return (
    <>
      {hasMessages && (
        <InboxFilters filter={filter} stats={stats} onChoose={(next) => change({ filter: next, month: null })} />
      )}
      <ArrivedBar
        shown={list.entries.flatMap((entry) => [entry.message, ...othersOf(entry)]).map(({ id }) => id)}
        isEmpty={isEmpty}
        onShow={(isAsked) => {
          change({ month: null });
          list.restart();
          if (!isAsked) return;
          window.scrollTo({ top: 0 });
          focusTitle();
        }}
      />
      {start !== undefined && (
        <MonthBack
          onBack={() => {
            change({ month: null });
            focusTitle();
          }}
        />
      )}
      {filter === 'unread' && start === undefined && list.entries.length > 0 && (
        <Optional>
          <ReadAll unread={stats?.unread} offerUndo={offerUndo} onDone={focusTitle} />
        </Optional>
      )}
    </>
  );
}

interface EntriesProps extends RegionProps {
  listKey: string;
  former: ListState | undefined;
  children: ReactNode;
}

function Entries({ inbox, listKey, former, children }: EntriesProps) {
  const errors = useErrorText();
  const { place, list, picking, rows, reading, offerUndo, isDesk } = inbox;
  const { keepsPlace, setBeginning, setEnd, loadPrevious } = inbox.edges;
  const { selection, end } = picking;
  const hasStart = place.start !== undefined;
  return (
    <>
      {list.loading && <MessageSkeletons />}
      {list.error !== undefined && (
        <Card as="div">
          <LoadFailure error={list.error} retrying={list.retrying} onRetry={inbox.retry} />
        </Card>
      )}
      {list.previousError !== undefined && <MoreFailed text={errors.text(list.previousError)} />}
      {hasStart && <PreviousEntries ref={setBeginning} list={list} onLoad={() => loadPrevious(false)} />}
      {list.entries.length > 0 && (
        <EntryList
          key={listKey}
          ref={rows}
          entries={list.entries}
          isWhole={!list.hasMore && !list.hasPrevious}
          keepsPlace={hasStart && keepsPlace}
          startsWithMonth={hasStart}
          isDesk={isDesk}
          former={former}
          onLeave={place.leave}
          render={(entry) => (
            <EntryCard
              entry={entry}
              owner={inbox.owner}
              isRow={isDesk}
              actions={inbox.cardActions}
              calls={inbox.calls}
              searched={place.searched}
              isOpen={entry.message.id === reading?.message.id || (!isDesk && place.opened.has(entry.message.id))}
              isPicked={selection && selection.has(entry.message.id)}
            />
          )}
        />
      )}
      {children}
      {list.moreError !== undefined && <MoreFailed text={errors.text(list.moreError)} />}
      <MoreEntries ref={setEnd} list={list} sort={place.sort} />
      {selection && (
        <OptionalView onClose={end}>
          <BulkBar
            entries={list.entries}
            selection={selection}
            hasMore={list.hasMore}
            offerUndo={offerUndo}
            onDone={end}
          />
        </OptionalView>
      )}
    </>
  );
}

/** The open message of a desk, and what is open above the list. */
function Opened({ inbox }: RegionProps) {
  const { place, owner, actions, calls, replying, conversing, focusTitle } = inbox;
  const { isSearching: isFound, searched } = place;
  const endReply = () => calls.reply(null);
  const endConversing = () => calls.converse(null);
  return (
    <>
      {inbox.isDesk && (
        <Optional>
          <ReadingPane
            entry={inbox.reading}
            owner={owner}
            actions={actions}
            isFound={isFound}
            searched={searched}
            onDelete={calls.remove}
            onClose={() => {
              inbox.open.choose(null);
              focusTitle();
            }}
          />
        </Optional>
      )}
      {replying !== null && (
        <OptionalView onClose={endReply}>
          <ReplyDialog message={replying} account={owner.id} onClose={endReply} />
        </OptionalView>
      )}
      {conversing !== null && (
        <OptionalView onClose={endConversing}>
          <Conversation
            message={conversing}
            isFound={isFound}
            searched={searched}
            account={owner.id}
            actions={actions}
            onClose={endConversing}
            onOpenerGone={focusTitle}
          />
        </OptionalView>
      )}
    </>
  );
}

function Deletion({ inbox, onOpenerGone }: RegionProps & { onOpenerGone: () => void }) {
  const { t } = useTranslation();
  const { deleting, actions, calls, open, reading } = inbox;
  const isOfMany = deleting?.kind === 'received' && deleting.message.conversationId != null;
  const confirm = async (removal: Promise<boolean>) => {
    if (!(await removal)) return;
    calls.remove(null);
    if (deleting?.message.id === reading?.message.id) open.choose(null);
  };
  return (
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
          onChoose: () => void confirm(actions.removeAll(deleting.message.id)),
        }
      }
      busy={actions.pending?.action === 'delete' ? t('messages.remove.pending') : undefined}
      onConfirm={() => {
        if (deleting !== null) void confirm(actions.remove(deleting));
      }}
      onCancel={() => calls.remove(null)}
      onOpenerGone={onOpenerGone}
    />
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
