import { styled } from 'styled-components';
import { Badge, Skeleton, Row } from '../../ui/index.js';
import { useFormats, useTexts, useTranslation } from '../../i18n/index.js';
import { tiny } from '../../theme/index.js';
import { LoadFailure } from '../../ui/LoadFailure.js';
import { type OwnReport, useGetOwnReportsQuery } from './safety-api.js';
import { SettingsSection } from './SettingsSection.js';

const TEXTS = ['report'] as const;

export function OwnReports() {
  useTexts(TEXTS);
  const { t } = useTranslation();
  const {
    data: reports,
    error,
    refetch,
    isFetching,
  } = useGetOwnReportsQuery(undefined, { refetchOnMountOrArgChange: true });
  return (
    <SettingsSection title={t('report.own.title')} text={t('report.own.text')}>
      {reports === undefined && error === undefined && <Skeleton $inline="100%" $block="72px" />}
      {reports === undefined && error !== undefined && (
        <LoadFailure error={error} retrying={isFetching} onRetry={() => void refetch()} />
      )}
      {reports?.length === 0 && <p>{t('report.own.none')}</p>}
      {reports !== undefined && reports.length > 0 && (
        <ul>
          {reports.map((report) => (
            <ReportRow key={report.id} report={report} />
          ))}
        </ul>
      )}
    </SettingsSection>
  );
}

function ReportRow({ report: { reason, outcome, createdAt } }: { report: OwnReport }) {
  const { t } = useTranslation();
  const { date } = useFormats();
  return (
    <Line as="li" $gap={14} $between data-testid="own-report">
      <div>
        <b>{t(`report.reason.${reason}`)}</b>
        <small>{t('report.own.since', { date: date(createdAt) })}</small>
      </div>
      <Badge $tone={outcome === null ? 'gold' : 'plain'}>{t(`report.own.${outcome ?? 'open'}`)}</Badge>
    </Line>
  );
}

const Line = styled(Row)`
  padding-block: 14px;
  border-block-start: 1px solid var(--line);
  &:first-child {
    border: 0;
    padding-block-start: 0;
  }
  small {
    display: block;
    color: var(--ink-3);
    ${tiny}
  }
`;
