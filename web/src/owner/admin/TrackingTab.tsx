import { skipToken } from '@reduxjs/toolkit/query';
import { useState } from 'react';
import { Button, Handle, Icon } from '../../ui/index.js';
import { useFormats, useTranslation } from '../../i18n/index.js';
import { site } from '../../lib/site.js';
import { useFindRecipientQuery, useGetTrackingInfiniteQuery, useRecipient } from './api.js';
import { useDeviceKind } from './devices.js';
import {
  Fact,
  ListDetail,
  type PagedList,
  PaneNote,
  PaneRow,
  type RowState,
  usePagedList,
  useSelected,
} from './kit/index.js';
import { ReadBadge } from './message-parts.js';
import { EVERYTHING, parseSearch, type Search, SearchField } from './SearchField.js';
import { TrackingDetail } from './TrackingDetail.js';
import type { TrackingFilter, TrackingRecord } from './types.js';

function TrackingRow({ record, ...row }: RowState & { record: TrackingRecord }) {
  const { t } = useTranslation();
  const { dateTime } = useFormats();
  const device = useDeviceKind(record.device);
  const recipient = useRecipient(record.message.userId);
  return (
    <PaneRow
      {...row}
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
    />
  );
}

export function TrackingTab() {
  const { t } = useTranslation();
  const [search, setSearch] = useState<Search>(EVERYTHING);
  const { list, isUnknown } = useTracking(search);
  const selected = useSelected(list);
  const searching = search.username !== null || search.text !== '';

  return (
    <ListDetail
      title={t('admin.tracking.title')}
      list={list}
      selected={selected}
      search={<SearchField active={searching} onSearch={(written) => setSearch(parseSearch(written))} />}
      note={isUnknown ? <PaneNote title={t('admin.search.unknown')} text={t('admin.search.unknownText')} /> : undefined}
      failed={t('admin.tracking.failed')}
      empty={<EmptyTracking list={list} searching={searching} />}
      row={(record, row) => <TrackingRow record={record} {...row} />}
      detail={(record) => <TrackingDetail record={record} />}
      prompt={{
        title: t('admin.tracking.choose'),
        text: t(site.tracking === 'full' ? 'admin.tracking.chooseText' : `admin.tracking.kept.${site.tracking}`),
      }}
    />
  );
}

/** A username is looked up first. `isUnknown` if there is no such account. */
function useTracking({ username, text }: Search) {
  const recipient = useFindRecipientQuery(username ?? skipToken);
  const found = username === null ? undefined : recipient.currentData;
  const filter: TrackingFilter = { ...(found && { userId: found.id }), ...(text !== '' && { text }) };
  const list = usePagedList(useGetTrackingInfiniteQuery(username !== null && !found ? skipToken : filter));
  if (username === null || found) return { list, isUnknown: false };
  const { currentData, error, isFetching, refetch } = recipient;
  return {
    list: {
      ...list,
      loading: currentData === undefined && error === undefined,
      error,
      retrying: isFetching,
      retry: () => void refetch(),
    },
    isUnknown: found === null,
  };
}

/** A page scans a bounded number of messages: an empty one is not the end. */
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
