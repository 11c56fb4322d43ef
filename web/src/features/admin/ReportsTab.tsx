import { isUrgent } from '@najwa/proto/http/client';
import { useState } from 'react';
import { Badge, Chip, ChipGroup, Stack, StatusDot } from '../../components/index.js';
import { useFormats, useTranslation } from '../../i18n/index.js';
import { useCurrentUser } from '../session/index.js';
import { useGetReportCountsQuery, useGetReportsInfiniteQuery } from './api.js';
import { PaneRow, PaneRows } from './PaneRows.js';
import { PaneNote, Panes } from './Panes.js';
import { ReportDetail } from './ReportDetail.js';
import { byUrgency } from './report-sections.js';
import type { ReportedMessage, ReportFilter } from './types.js';
import { usePagedList } from './use-paged-list.js';

const FILTERS = ['open', 'mine', 'closed'] as const;

/** The queue of moderators. */
export function ReportsTab() {
  const { t } = useTranslation();
  const [filter, setFilter] = useState<ReportFilter>('open');
  const [selected, setSelected] = useState<ReportedMessage | null>(null);
  // Other moderators change the queue as well.
  const list = usePagedList(useGetReportsInfiniteQuery(filter, { refetchOnMountOrArgChange: true }));
  const { data: counts } = useGetReportCountsQuery(undefined, { refetchOnMountOrArgChange: true });
  // Somebody else may close it meanwhile. Then it stays, with what is being written about it.
  const report = list.items?.find(({ id }) => id === selected?.id) ?? selected;
  const clear = () => {
    setSelected(null);
  };
  return (
    <Stack $gap={12}>
      <ChipGroup
        type="single"
        value={filter}
        aria-label={t('admin.reports.filterLabel')}
        onValueChange={(value) => {
          const chosen = FILTERS.find((one) => one === value);
          if (chosen === undefined) return;
          setFilter(chosen);
          clear();
        }}
      >
        {FILTERS.map((value) => (
          <Chip key={value} value={value}>
            {t(`admin.reports.filter.${value}`)}
            <Count count={counts?.[value]} />
          </Chip>
        ))}
      </ChipGroup>
      <Panes
        title={t(`admin.reports.filter.${filter}`)}
        list={list}
        rows={
          <PaneRows
            list={list}
            failed={t('admin.reports.failed')}
            empty={
              <PaneNote title={t(`admin.reports.empty.${filter}`)} text={t(`admin.reports.emptyText.${filter}`)} />
            }
          >
            {(item) => (
              <ReportRow
                key={item.id}
                report={item}
                current={item.id === selected?.id}
                onSelect={() => {
                  setSelected(item);
                }}
              />
            )}
          </PaneRows>
        }
        detail={
          report === null
            ? null
            : { id: report.id, content: <ReportDetail key={report.id} listed={report} onDecided={clear} /> }
        }
        prompt={{ title: t('admin.reports.choose'), text: t('admin.reports.chooseText') }}
        onBack={clear}
      />
    </Stack>
  );
}

/** Shows nothing while the number is unknown. */
function Count({ count }: { count: number | null | undefined }) {
  const { number } = useFormats();
  return count === null || count === undefined ? null : <span>{number(count)}</span>;
}

interface RowProps {
  report: ReportedMessage;
  current: boolean;
  onSelect: () => void;
}

function ReportRow({ report, current, onSelect }: RowProps) {
  const { t } = useTranslation();
  const { dateTime } = useFormats();
  const { message, reasons, reports, createdAt, status, assignedTo } = report;
  const [first, ...others] = byUrgency(reasons);
  return (
    <PaneRow
      id={report.id}
      current={current}
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
      onSelect={onSelect}
    />
  );
}

/** Name of the moderator who has it, or its state. */
export function ReportBadge({ report: { status, assignedTo } }: { report: ReportedMessage }) {
  const { t } = useTranslation();
  const { user } = useCurrentUser();
  if (status === 'closed') return <Badge>{t('admin.reports.status.closed')}</Badge>;
  if (assignedTo === null)
    return (
      <Badge $tone="rose">
        <StatusDot $size={7} $colour="var(--rose-strong)" />
        {t('admin.reports.status.open')}
      </Badge>
    );
  return (
    <Badge $tone="violet">
      {assignedTo === user?.username
        ? t('admin.reports.status.mine')
        : t('admin.reports.with', { username: `\u2066@${assignedTo}\u2069` })}
    </Badge>
  );
}
