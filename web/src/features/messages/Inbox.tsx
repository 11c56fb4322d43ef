import { searchedWords } from '@najwa/proto/words';
import { Archive, ChevronRight, Copy, ListChecks } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
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
  LoadingDots,
  MessageSkeletons,
  OptionalView,
  Stack,
} from '../../components/index.js';
import { useFormats, useTranslation } from '../../i18n/index.js';
import { isolate } from '../../lib/text.js';
import { semibold, small, textSize, visuallyHidden } from '../../theme/index.js';
import { useGetStatsQuery } from './api.js';
import { ArrivedBar } from './ArrivedBar.js';
import { DensitySwitch } from './DensitySwitch.js';
import { EntryList, type ListHandle, Month } from './EntryList.js';
import { EntryCard } from './EntryCard.js';
import type { Owner } from './MessageCard.js';
import { MonthMenu, startOfMonth } from './MonthMenu.js';
import { SearchField } from './search-parts.js';
import { SortMenu } from './SortMenu.js';
import { toolButton } from './tool-button.js';
import type { Entry, Filter, MessageStats, ReceivedMessage, Sort } from './types.js';
import { useDensity } from './use-density.js';
import { useEntries } from './use-entries.js';
import { useFollowedChanges } from './use-followed-changes.js';
import { useKeepFocus } from './use-keep-focus.js';
import { useMessageActions } from './use-message-actions.js';
import { useNearEnd } from './use-near-end.js';
import { useFormerPlace, useKeepPlace } from './use-place.js';
import { useSelection } from './use-selection.js';
import { isSentLink, useSentTarget } from './use-sent-target.js';
import { useMonthName } from './use-short-time.js';
import { useStableCalls } from './use-stable-calls.js';
import { useUndo } from './use-undo.js';
import { lazyPart } from '../../lib/on-demand.js';

const ReplyDialog = lazyPart(async () => (await import('./ReplyDialog.js')).ReplyDialog);
const BulkBar = lazyPart(async () => (await import('./BulkBar.js')).BulkBar);
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
  const former = useFormerPlace(owner.id);
  const [filter, setFilter] = useState<Filter>(isSentLink(hash) ? 'sent' : (former?.filter ?? 'all'));
  const [sort, setSort] = useState<Sort>(former?.sort ?? 'newest');
  const [isAside, setIsAside] = useState(false);
  const [replyTarget, setReplyTarget] = useState<ReceivedMessage | null>(null);
  const [deleting, setDeleting] = useState<Entry | null>(null);
  const offerUndo = useUndo(owner.id);
  const actions = useMessageActions(offerUndo);
  const [query, setQuery] = useState(former?.query ?? '');
  const isSearching = query !== '';
  const searched = useMemo(() => searchedWords(query), [query]);
  const { isPhone, density, choose } = useDensity();
  const [opened, setOpened] = useState<ReadonlySet<number>>(former?.opened ?? new Set());
  const [month, setMonth] = useState(former?.month ?? null);
  const monthName = useMonthName();
  const start = month === null || isSearching ? undefined : startOfMonth(month, sort);
  const list = useEntries({ filter: isSearching ? 'all' : filter, sort, q: query, start });
  const [isSelecting, setIsSelecting] = useState(false);
  const selection = useSelection(
    useMemo(() => list.entries.flatMap(({ kind, message }) => (kind === 'received' ? message.id : [])), [list.entries]),
  );
  const endSelection = () => {
    setIsSelecting(false);
    selection.clear();
    title.current?.focus();
  };
  const section = useRef<HTMLElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const asideRow = useRef<HTMLButtonElement>(null);
  const [end, setEnd] = useState<HTMLElement | null>(null);
  const rows = useRef<ListHandle>(null);
  const left = useRef(former?.list);
  useKeepPlace(owner.id, { filter, sort, query, month, opened }, left);
  const listKey = [isSearching ? 'all' : filter, sort, query, start, density].join(' ');
  const [firstKey] = useState(listKey);
  useNearEnd(end, list.hasMore && !list.loadingMore && list.moreError === undefined && !isAside, list.loadMore);

  useEffect(() => {
    if (hash === '#messages') section.current?.scrollIntoView();
  }, [hash]);

  useSentTarget({
    list,
    onFound: (id) => rows.current?.reveal(id),
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

  const confirmDelete = async (entry: Entry) => {
    if (await actions.remove(entry)) setDeleting(null);
  };

  const calls = useStableCalls({
    reply: setReplyTarget,
    remove: setDeleting,
    pick: selection.toggle,
    open: (id: number, isOpen: boolean) => {
      const next = new Set(opened);
      if (isOpen) next.add(id);
      else next.delete(id);
      setOpened(next);
    },
    markRead: actions.markRead,
    setPublic: actions.setPublic,
  });
  const cardActions = useMemo(
    () => ({ pending: actions.pending, markRead: calls.markRead, setPublic: calls.setPublic }),
    [actions.pending, calls],
  );

  const endReply = () => {
    setReplyTarget(null);
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
    <Section ref={section} id="messages" aria-labelledby="messages-title">
      {isSelecting ? (
        <Header $isQuiet={false}>
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
        </Header>
      ) : (
        <Header $isQuiet>
          <h2 key="title" id="messages-title" ref={title} tabIndex={-1}>
            {t('messages.list.title')}
          </h2>
          {stats !== undefined && stats.unread > 0 && (
            <Badge $tone="rose">{t('messages.list.fresh', { count: stats.unread })}</Badge>
          )}
          {!isPhone && <DensitySwitch density={density} onChoose={choose} />}
        </Header>
      )}
      <Tools hidden={isSelecting}>
        <SearchField begun={query} onSearch={setQuery} />
        {!isSearching && <MonthMenu filter={filter} onJump={setMonth} />}
        <SortMenu sort={sort} onChange={setSort} />
        <ToolButton
          type="button"
          onClick={() => {
            setIsSelecting(true);
          }}
        >
          <Icon of={ListChecks} />
          <span>{t('messages.select.begin')}</span>
        </ToolButton>
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
            if (value === '') return;
            setFilter(value as Filter);
            setMonth(null);
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
        <ArrivedBar
          shown={list.entries.map(({ message }) => message.id)}
          onShow={() => {
            setMonth(null);
            list.restart();
            window.scrollTo({ top: 0 });
            title.current?.focus({ preventScroll: true });
          }}
        />
      )}
      {start !== undefined && month !== null && (
        <Jumped>
          <Month>{monthName(`${month}-01T00:00`)}</Month>
          <Button
            variant="ghost"
            size="sm"
            onClick={() => {
              setMonth(null);
              title.current?.focus({ preventScroll: true });
            }}
          >
            {t('messages.month.back')}
          </Button>
        </Jumped>
      )}
      {list.loading && <MessageSkeletons />}
      {list.error !== undefined && (
        <Card as="div">
          <LoadFailure error={list.error} retrying={list.retrying} onRetry={retry} />
        </Card>
      )}
      {list.entries.length > 0 && (
        <EntryList
          key={listKey}
          ref={rows}
          entries={list.entries}
          isWhole={!list.hasMore}
          density={density}
          former={listKey === firstKey ? former?.list : undefined}
          onLeave={(state) => {
            left.current = state;
          }}
          render={(entry) => (
            <EntryCard
              entry={entry}
              owner={owner}
              density={density}
              actions={cardActions}
              calls={calls}
              searched={searched}
              isOpen={opened.has(entry.message.id)}
              isPicked={isSelecting ? selection.has(entry.message.id) : null}
            />
          )}
        />
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
      <Older ref={setEnd}>
        {list.loadingMore && (
          <Fetching role="status">
            <LoadingDots />
            {t(sort === 'newest' ? 'messages.older' : 'common.action.loading')}
          </Fetching>
        )}
        {list.hasMore && (
          <Button block busy={list.loadingMore ? t('common.action.loading') : undefined} onClick={list.loadMore}>
            {t('common.action.loadMore')}
          </Button>
        )}
      </Older>
      {isSelecting && (
        <OptionalView onClose={endSelection}>
          <BulkBar selection={selection} offerUndo={offerUndo} onDone={endSelection} />
        </OptionalView>
      )}
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
        <OptionalView onClose={endReply}>
          <ReplyDialog message={replyTarget} account={owner.id} onClose={endReply} />
        </OptionalView>
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
    </Section>
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

const Section = styled(Stack).attrs({ as: 'section' })`
  ${({ theme }) => theme.media.phone} {
    gap: 6px;
  }
`;

/** On a phone the search says what the list is. */
const Header = styled(ListHeader)<{ $isQuiet: boolean }>`
  ${({ theme }) => theme.media.phone} {
    ${({ $isQuiet }) => $isQuiet && visuallyHidden}
  }
`;

const Tools = styled.div`
  display: flex;
  gap: 8px;
  align-items: center;
  ${({ theme }) => theme.media.phone} {
    gap: 6px;
  }
  @media (max-width: 359px) {
    flex-wrap: wrap;
  }
  &[hidden] {
    display: none;
  }
`;

const ToolButton = styled.button`
  ${toolButton}
  ${semibold}
  ${textSize('17px', '15px')}
`;

const Jumped = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 4px 12px;
  align-items: center;
  justify-content: space-between;
`;

const Older = styled.div`
  display: grid;
  gap: 8px;
  &:empty {
    display: none;
  }
`;

const Fetching = styled.p`
  display: inline-flex;
  gap: 10px;
  align-items: center;
  justify-self: center;
  min-block-size: 24px;
  color: var(--ink-2);
  ${small}
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
