import { isUrgent } from '@najwa/proto/http/client';
import { useState } from 'react';
import { Badge, FilterChips, Stack } from '../../ui/index.js';
import { useFormats, useTranslation } from '../../i18n/index.js';
import { useGetReportCountsQuery, useGetReportsInfiniteQuery } from './api.js';
import { ListDetail, PaneNote, PaneRow, type RowState, usePagedList, useSelected } from './kit/index.js';
import { ReportDetail } from './ReportDetail.js';
import { byUrgency, ReportBadge } from './report-sections.js';
import type { ReportedMessage, ReportFilter } from './types.js';

const FILTERS = ['open', 'mine', 'closed'] as const;

export function ReportsTab() {
  const { t } = useTranslation();
  const { number } = useFormats();
  const [filter, setFilter] = useState<ReportFilter>('open');
  // Other moderators change the queue, too.
  const list = usePagedList(useGetReportsInfiniteQuery(filter, { refetchOnMountOrArgChange: true }));
  const { data: counts } = useGetReportCountsQuery(undefined, { refetchOnMountOrArgChange: true });
  // Keep a report that another moderator closes meanwhile: a decision may be half written.
  const selected = useSelected(list, { keepsGone: true });
  const countOf = (value: ReportFilter) => {
    const count = counts?.[value] ?? 0;
    return count === 0 ? undefined : number(count);
  };
  return (
    <Stack $gap={12}>
      <FilterChips
        label={t('admin.reports.filterLabel')}
        value={filter}
        options={FILTERS.map((value) => ({
          value,
          label: t(`admin.reports.filter.${value}`),
          count: countOf(value),
        }))}
        onChoose={(chosen) => {
          setFilter(chosen);
          selected.clear();
        }}
      />
      <ListDetail
        title={t(`admin.reports.filter.${filter}`)}
        list={list}
        selected={selected}
        failed={t('admin.reports.failed')}
        empty={<PaneNote title={t(`admin.reports.empty.${filter}`)} text={t(`admin.reports.emptyText.${filter}`)} />}
        row={(report, row) => <ReportRow report={report} {...row} />}
        detail={(report) => <ReportDetail key={report.id} listed={report} onDecided={selected.clear} />}
        prompt={{ title: t('admin.reports.choose'), text: t('admin.reports.chooseText') }}
      />
    </Stack>
  );
}

function ReportRow({ report, ...row }: RowState & { report: ReportedMessage }) {
  const { t } = useTranslation();
  const { dateTime } = useFormats();
  const { message, reasons, reports, createdAt, status, assignedTo } = report;
  const [first, ...others] = byUrgency(reasons);
  return (
    <PaneRow
      {...row}
      text={message.content || t(message.audioUrl === null ? 'report.picture' : 'report.voice')}
      badge={first && <Badge $tone={isUrgent(first) ? 'rose' : 'line'}>{t(`report.reason.${first}`)}</Badge>}
      facts={
        <>
          {others.slice(0, 1).map((reason) => (
            <span key={reason}>{t(`report.reason.${reason}`)}</span>
          ))}
          <span>{t('admin.reports.count', { count: reports })}</span>
          <time dateTime={createdAt}>{dateTime(createdAt)}</time>
          {(status === 'closed' || assignedTo !== null) && <ReportBadge report={report} />}
        </>
      }
    />
  );
}
