import { skipToken } from '@reduxjs/toolkit/query';
import { useState } from 'react';
import { Button, Handle, Icon } from '../../components/index.js';
import { useFormats, useTranslation } from '../../i18n/index.js';
import { ReadBadge } from './detail-parts.js';
import { Fact, PaneRow, PaneRows } from './PaneRows.js';
import type { TrackingFilter, TrackingRecord } from './types.js';
import { useDeviceKind } from './devices.js';
import { useFindRecipientQuery, useGetTrackingInfiniteQuery, useRecipient } from './api.js';
import { type PagedList, usePagedList } from './use-paged-list.js';
import { PaneNote, Panes } from './Panes.js';
import { EVERYTHING, parseSearch, type Search, SearchField } from './SearchField.js';
import { TrackingDetail } from './TrackingDetail.js';

interface Props {
  record: TrackingRecord;
  current: boolean;
  onSelect: () => void;
}

export function TrackingRow({ record, current, onSelect }: Props) {
  const { t } = useTranslation();
  const { dateTime } = useFormats();
  const device = useDeviceKind(record.device);
  const recipient = useRecipient(record.message.userId);
  return (
    <PaneRow
      id={record.id}
      current={current}
      text={record.message.content || t('admin.tracking.voice')}
      badge={<ReadBadge isRead={record.message.isRead} />}
      facts={
        <>
          <time dateTime={record.createdAt}>{dateTime(record.createdAt)}</time>
          <Fact>
            <Icon of={device.icon} size="sm" />
            {device.name}
          </Fact>
          {recipient !== undefined && <Handle username={recipient.username} />}
        </>
      }
      onSelect={onSelect}
    />
  );
}

/** Sender tracking: the newest messages or search results. */
export function TrackingTab() {
  const { t } = useTranslation();
  const [search, setSearch] = useState<Search>(EVERYTHING);
  const [selected, setSelected] = useState<number | null>(null);
  const { list, nobody } = useTracking(search);
  const record = list.items?.find(({ id }) => id === selected);
  const searching = search.username !== null || search.text !== '';

  return (
    <Panes
      title={t('admin.tracking.title')}
      list={list}
      search={
        <SearchField
          active={searching}
          onSearch={(written) => {
            setSearch(parseSearch(written));
          }}
        />
      }
      rows={
        nobody ? (
          <PaneNote title={t('admin.search.nobody')} text={t('admin.search.nobodyText')} />
        ) : (
          <PaneRows
            list={list}
            failed={t('admin.tracking.failed')}
            empty={<EmptyTracking list={list} searching={searching} />}
          >
            {(item) => (
              <TrackingRow
                key={item.id}
                record={item}
                current={item.id === selected}
                onSelect={() => {
                  setSelected(item.id);
                }}
              />
            )}
          </PaneRows>
        )
      }
      detail={record === undefined ? null : { id: record.id, content: <TrackingDetail record={record} /> }}
      prompt={{ title: t('admin.tracking.choose'), text: t('admin.tracking.chooseText') }}
      onBack={() => {
        setSelected(null);
      }}
    />
  );
}

/** The list for a search. A username is looked up first. `nobody` is true if there is no such account. */
function useTracking({ username, text }: Search) {
  const recipient = useFindRecipientQuery(username ?? skipToken);
  const found = username === null ? undefined : recipient.currentData;
  const filter: TrackingFilter = { ...(found && { userId: found.id }), ...(text !== '' && { text }) };
  const list = usePagedList(useGetTrackingInfiniteQuery(username !== null && !found ? skipToken : filter));
  if (username === null || found) return { list, nobody: false };
  const { currentData, error, isFetching, refetch } = recipient;
  return {
    list: {
      ...list,
      loading: currentData === undefined && error === undefined,
      error,
      retrying: isFetching,
      retry: () => void refetch(),
    },
    nobody: found === null,
  };
}

/** A search scans a bounded number of messages per page, so an empty page is not the end. */
function EmptyTracking({ list, searching }: { list: PagedList<TrackingRecord>; searching: boolean }) {
  const { t } = useTranslation();
  if (list.hasMore) {
    return (
      <PaneNote title={t('admin.search.notYet')} text={t('admin.search.notYetText')}>
        <Button busy={list.loadingMore ? t('common.action.loading') : undefined} onClick={list.loadMore}>
          {t('admin.search.further')}
        </Button>
      </PaneNote>
    );
  }
  if (searching) return <PaneNote title={t('admin.search.nothing')} text={t('admin.search.nothingText')} />;
  return <PaneNote title={t('admin.tracking.empty')} text={t('admin.tracking.emptyText')} />;
}
