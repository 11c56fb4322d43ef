import { useTranslation } from 'react-i18next';
import { styled } from 'styled-components';
import { Badge, Handle } from '../../components/index.js';
import { useFormats } from '../../i18n/index.js';
import { semibold, textSize } from '../../theme/index.js';
import type { AuditEntry } from './types.js';
import { useAuditDetails } from './use-audit-details.js';

const ACTIONS = {
  'tracking.list': 'trackingList',
  'conversations.list': 'conversationsList',
  'conversation.delete': 'conversationDelete',
  'conversations.delete_all': 'conversationsDeleteAll',
  'administrator.create': 'administratorCreate',
} as const satisfies Record<AuditEntry['action'], string>;

export function AuditRow({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation();
  const { dateTime } = useFormats();
  const details = useAuditDetails(entry);
  return (
    <Row data-testid="audit-entry">
      <div>
        <b>{t(`admin.audit.action.${ACTIONS[entry.action]}`)}</b>
        {entry.outcome !== 'done' && <Badge $tone="gold">{t(`admin.audit.outcome.${entry.outcome}`)}</Badge>}
      </div>
      <Facts>
        <Who entry={entry} />
        {entry.ipAddress !== null && <bdi dir="ltr">{entry.ipAddress}</bdi>}
        <time dateTime={entry.createdAt}>{dateTime(entry.createdAt)}</time>
        {details.map((detail) => (
          <span key={detail}>{detail}</span>
        ))}
      </Facts>
    </Row>
  );
}

function Who({ entry: { userId, username } }: { entry: AuditEntry }) {
  const { t } = useTranslation();
  if (username !== null) return <Handle username={username} />;
  return <span>{t(userId === null ? 'admin.audit.visitor' : 'admin.audit.gone')}</span>;
}

const Row = styled.li`
  padding-block: 10px;
  border-block-start: 1px solid var(--line);
  > div {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 12px;
  }
  b {
    ${semibold}
    ${textSize('16px', '14px')}
  }
`;

const Facts = styled.p`
  display: flex;
  flex-wrap: wrap;
  gap: 2px 16px;
  color: var(--ink-2);
  font-variant-numeric: tabular-nums;
  ${textSize('15px', '13px')}
  line-height: 1.6;
`;
