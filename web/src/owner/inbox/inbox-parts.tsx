import { Archive, ChevronRight, Copy } from 'lucide-react';
import type { ReactNode, Ref, RefObject } from 'react';
import { styled } from 'styled-components';
import {
  Button,
  Card,
  Checkbox,
  EmptyState,
  FilterChips,
  Icon,
  ListHeader,
  LoadingDots,
  Note,
  Row,
} from '../../ui/index.js';
import { useFormats, useTranslation } from '../../i18n/index.js';
import { isolate } from '../../lib/text.js';
import { DESK, small, visuallyHidden } from '../../theme/index.js';
import type { useEntries } from './entries.js';
import { FILTERS } from './filters.js';
import type { Filter, MessageStats, Sort } from './types.js';
import type { Selection } from './use-selection.js';

type List = ReturnType<typeof useEntries>;

interface HeaderProps {
  title: RefObject<HTMLHeadingElement | null>;
  selection: Selection | null;
  onEndSelection: () => void;
}

/** One component for both states: the title keeps the focus. */
export function InboxHeader({ title, selection, onEndSelection }: HeaderProps) {
  const { t } = useTranslation();
  return selection !== null ? (
    <Header $isQuiet={false}>
      <Checkbox
        checked={selection.isAll || (selection.selected.length > 0 && 'indeterminate')}
        aria-label={t('messages.select.all')}
        onCheckedChange={selection.isAll ? selection.clear : selection.selectAll}
      />
      <h2 key="title" id="messages-title" ref={title} tabIndex={-1}>
        {t('messages.select.title')}
      </h2>
      <Button variant="ghost" onClick={onEndSelection}>
        {t('messages.select.done')}
      </Button>
    </Header>
  ) : (
    <Header $isQuiet>
      <h2 key="title" id="messages-title" ref={title} tabIndex={-1}>
        {t('messages.list.title')}
      </h2>
    </Header>
  );
}

const FILTER_NAMES = Object.keys(FILTERS) as Filter[];

interface FilterProps {
  filter: Filter;
  stats: MessageStats | undefined;
  onChoose: (filter: Filter) => void;
}

export function InboxFilters({ filter, stats, onChoose }: FilterProps) {
  const { t } = useTranslation();
  const { number } = useFormats();
  return (
    <Strip>
      <FilterChips
        label={t('messages.list.filter')}
        value={filter}
        options={FILTER_NAMES.map((value) => ({
          value,
          label: t(`messages.filter.${value}`),
          // The one that asks for attention. The statistics have all.
          count:
            value === 'unread' && stats !== undefined && stats.unread > 0 ? <b>{number(stats.unread)}</b> : undefined,
        }))}
        onChoose={onChoose}
      />
    </Strip>
  );
}

export function SearchResult({ list, query }: { list: List; query: string }) {
  const { t } = useTranslation();
  const { entries, loading, error, hasMore } = list;
  return (
    <Note role="status">
      {!loading &&
        error === undefined &&
        entries.length > 0 &&
        (hasMore
          ? t('messages.search.foundMore', { q: isolate(query) })
          : t('messages.search.found', { q: isolate(query), count: entries.length }))}
    </Note>
  );
}

export function MonthBack({ onBack }: { onBack: () => void }) {
  const { t } = useTranslation();
  return (
    <Row $gap={12} $between>
      <Button variant="ghost" size="sm" onClick={onBack}>
        {t('messages.month.back')}
      </Button>
    </Row>
  );
}

interface EmptyProps {
  filter: Filter;
  query: string;
  onCopyLink: () => void;
  firstDay: ReactNode;
}

export function EmptyInbox({ filter, query, onCopyLink, firstDay }: EmptyProps) {
  const { t } = useTranslation();
  if (query !== '')
    return <EmptyState title={t('messages.search.none', { q: isolate(query) })} text={t('messages.search.noneText')} />;
  const { empty } = FILTERS[filter];
  if (empty === null) return firstDay;
  const { title, text, offersLink } = empty;
  return (
    <EmptyState title={t(title)} text={t(text)}>
      {offersLink && (
        <Button variant="primary" onClick={onCopyLink}>
          <Icon of={Copy} />
          {t('messages.empty.copy')}
        </Button>
      )}
    </EmptyState>
  );
}

export function MoreEntries({ list, sort, ref }: { list: List; sort: Sort; ref: Ref<HTMLDivElement> }) {
  const { t } = useTranslation();
  return (
    <Older ref={ref}>
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
  );
}

interface PreviousProps {
  list: List;
  onLoad: () => void;
  ref: Ref<HTMLDivElement>;
}

export function PreviousEntries({ list, onLoad, ref }: PreviousProps) {
  const { t } = useTranslation();
  return (
    <Beginning ref={ref} $isWhole={!list.hasPrevious}>
      <Button block busy={list.loadingPrevious ? t('common.action.loading') : undefined} onClick={onLoad}>
        {t('messages.month.before')}
      </Button>
    </Beginning>
  );
}

export function MoreFailed({ text }: { text: string }) {
  const { t } = useTranslation();
  return (
    <Failed as="div" role="alert">
      <p>{t('common.failure.load', { text })}</p>
    </Failed>
  );
}

export function AsideRow({ ref, onOpen }: { ref: Ref<HTMLButtonElement>; onOpen: () => void }) {
  const { t } = useTranslation();
  return (
    <Aside ref={ref} type="button" onClick={onOpen}>
      <Icon of={Archive} />
      <span>
        <b>{t('messages.aside.title')}</b>
        <small>{t('messages.aside.hint')}</small>
      </span>
      <Icon of={ChevronRight} size="sm" flip />
    </Aside>
  );
}

/** To the eye the search says what the list is. */
const Header = styled(ListHeader)<{ $isQuiet: boolean }>`
  ${({ $isQuiet }) => $isQuiet && visuallyHidden}
`;

/** One row of a desk's narrow list. */
const Strip = styled.div`
  min-inline-size: 0;
  @media ${DESK} {
    > div {
      flex-wrap: nowrap;
      gap: 0;
      margin: -4px;
      padding: 4px;
      overflow-x: auto;
      scrollbar-width: none;
    }
    button {
      flex: none;
      min-block-size: 36px;
      padding-inline: 11px;
      border-color: transparent;
    }
    button:not([data-state='on']) {
      background: none;
    }
  }
`;

/** Excluded from scroll anchoring: the browser would follow it to the list's new end. */
const Older = styled.div`
  overflow-anchor: none;
  display: grid;
  gap: 8px;
  &:empty {
    display: none;
  }
`;

/** Keeps its height, so that the list does not move when all is loaded. */
const Beginning = styled.div<{ $isWhole: boolean }>`
  visibility: ${({ $isWhole }) => ($isWhole ? 'hidden' : 'visible')};
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

/** No count: set-aside messages ask for no attention. */
const Aside = styled.button`
  overflow-anchor: none;
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

const Failed = styled(Card)`
  display: grid;
  gap: 12px;
  justify-items: start;
`;
