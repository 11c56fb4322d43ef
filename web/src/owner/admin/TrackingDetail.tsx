import { REPORT_REASONS, type ReportReason } from '@najwa/proto/http/client';
import { Braces, Network, Smartphone } from 'lucide-react';
import { useState } from 'react';
import { styled } from 'styled-components';
import { Button, CollapsibleSection, FACTS_GAP, Handle, Row, useOutcome } from '../../ui/index.js';
import { useFormats, useTranslation } from '../../i18n/index.js';
import { site } from '../../lib/site.js';
import { isolatedLtr, small, textSize } from '../../theme/index.js';
import { DetailHeader } from './kit/index.js';
import { MessageQuote, PublicBadge, ReadBadge } from './message-parts.js';
import type { TrackingRecord } from './types.js';
import { useDeviceKind } from './devices.js';
import { useReadWordsMutation, useRecipient } from './api.js';

export function TrackingDetail({ record }: { record: TrackingRecord }) {
  const { t } = useTranslation();
  const { dateTime } = useFormats();
  const device = useDeviceKind(record.device);
  const recipient = useRecipient(record.message.userId);
  const { isRead, isPublic } = record.message;
  return (
    <>
      <DetailHeader
        title={t('admin.tracking.number', { id: record.messageId })}
        facts={
          <>
            {t('admin.tracking.to')}{' '}
            {recipient === undefined ? t('admin.unknown') : <Handle username={recipient.username} />}
            {FACTS_GAP}
            <time dateTime={record.createdAt}>{dateTime(record.createdAt)}</time>
          </>
        }
        badges={
          <>
            <ReadBadge isRead={isRead} />
            <PublicBadge isPublic={isPublic} />
          </>
        }
      />
      <Words key={record.id} record={record} />
      {site.tracking !== 'full' && <None>{t(`admin.tracking.kept.${site.tracking}`)}</None>}
      <CollapsibleSection title={t('admin.tracking.device')} icon={Smartphone} defaultOpen>
        <Facts>
          <Fact name={t('admin.tracking.device')} value={device.name} />
          <Fact name={t('admin.tracking.system')} value={record.operatingSystem} />
          <Fact name={t('admin.tracking.browser')} value={record.browser} />
          <Fact name={t('admin.tracking.userAgent')} value={record.userAgent} code />
        </Facts>
      </CollapsibleSection>
      <CollapsibleSection title={t('admin.tracking.network')} icon={Network} defaultOpen>
        <Facts>
          <Fact name={t('admin.tracking.ip')} value={record.ipAddress} code />
          <Fact name={t('admin.tracking.referrer')} value={record.referrer} code />
          <Fact name={t('admin.tracking.language')} value={record.language} code />
          {record.location !== null && <Fact name={t('admin.tracking.location')} value={record.location} />}
        </Facts>
      </CollapsibleSection>
      <CollapsibleSection title={t('admin.tracking.additional')} icon={Braces} defaultOpen>
        {record.additionalData === null ? (
          <None>{t('admin.tracking.noAdditional')}</None>
        ) : (
          <Json dir="ltr">{JSON.stringify(record.additionalData, null, 2)}</Json>
        )}
      </CollapsibleSection>
    </>
  );
}

/** Folded until there is a reason. */
function Words({ record: { id, message } }: { record: TrackingRecord }) {
  const { t } = useTranslation();
  const say = useOutcome();
  const [isOpen, setOpen] = useState(message.content === '');
  const [log, { isLoading }] = useReadWordsMutation();
  const title = t('admin.tracking.why');
  const open = async (reason: ReportReason) => {
    const { error } = await log({ id, reason });
    if (error === undefined) setOpen(true);
    else say.failed(t('admin.tracking.failed'), error);
  };
  if (isOpen) return <MessageQuote dir="auto">{message.content || t('admin.tracking.voice')}</MessageQuote>;
  return (
    <div>
      <None>{title}</None>
      <Row role="group" aria-label={title} $gap={8}>
        {REPORT_REASONS.map((reason) => (
          <Button key={reason} size="sm" disabled={isLoading} onClick={() => void open(reason)}>
            {t(`report.reason.${reason}`)}
          </Button>
        ))}
      </Row>
    </div>
  );
}

interface FactProps {
  name: string;
  value: string | null;
  code?: boolean;
}

function Fact({ name, value, code = false }: FactProps) {
  const { t } = useTranslation();
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value === null ? t('admin.unknown') : code ? <Code>{value}</Code> : <bdi>{value}</bdi>}</dd>
    </div>
  );
}

const Facts = styled.dl`
  div {
    display: grid;
    grid-template-columns: 140px minmax(0, 1fr);
    gap: 16px;
    padding-block: 8px;
    border-block-start: 1px solid var(--line);
  }
  dt {
    color: var(--ink-3);
    ${textSize('15.5px', '14px')}
  }
  dd {
    overflow-wrap: anywhere;
    ${textSize('18px', '14px')}
  }
  ${({ theme }) => theme.media.stacked} {
    div {
      grid-template-columns: minmax(0, 1fr);
      gap: 0;
    }
  }
`;

const Code = styled.code`
  ${isolatedLtr}
  font-family: ${({ theme }) => theme.font.code};
  font-size: 0.86em;
  line-height: 1.6;
`;

const Json = styled.pre`
  margin: 0;
  font-family: ${({ theme }) => theme.font.code};
  ${textSize('15px', '13px')}
  line-height: 1.6;
  white-space: pre-wrap;
  overflow-wrap: anywhere;
  text-align: start;
`;

const None = styled.p`
  color: var(--ink-3);
  ${small}
`;
