import { REPORT_REASONS } from '@najwa/proto/http/client';
import { styled } from 'styled-components';
import { ScrollText } from 'lucide-react';
import { Badge, Button, CollapsibleSection, Handle, Note, Skeleton, Stack } from '../../ui/index.js';
import { useFormats, useTranslation } from '../../i18n/index.js';
import { semibold, textSize } from '../../theme/index.js';
import { LoadFailure } from '../../ui/LoadFailure.js';
import type { AuditEntry } from './types.js';
import { useGetAuditInfiniteQuery } from './api.js';
import { usePagedList } from './kit/index.js';

const isNumber = (value: unknown): value is number => typeof value === 'number';

export function useAuditDetails({ details }: AuditEntry): string[] {
  const { t } = useTranslation();
  const { records, newestId, oldestId, recipientId, byText, conversations, deleted, conversationId, username } =
    details;
  const { reports, reportId, actions, reason } = details;
  const chosen = REPORT_REASONS.find((one) => one === reason);
  return [
    isNumber(records) && t('admin.audit.records', { count: records }),
    isNumber(oldestId) && isNumber(newestId) && t('admin.audit.range', { from: oldestId, to: newestId }),
    isNumber(recipientId) && t('admin.audit.recipient', { id: recipientId }),
    byText === true && t('admin.audit.byText'),
    isNumber(conversations) && t('admin.audit.conversations', { count: conversations }),
    isNumber(deleted) && t('admin.audit.conversations', { count: deleted }),
    isNumber(conversationId) && t('admin.audit.conversation', { id: conversationId }),
    isNumber(reports) && t('admin.audit.reports', { count: reports }),
    isNumber(actions) && t('admin.audit.actions', { count: actions }),
    isNumber(reportId) && t('admin.audit.report', { id: reportId }),
    typeof reason === 'string' && (chosen === undefined ? reason : t(`report.reason.${chosen}`)),
    typeof username === 'string' && t('admin.audit.account', { username: `\u2066@${username}\u2069` }),
  ].filter((detail) => detail !== false);
}

const ACTIONS = {
  'tracking.list': 'trackingList',
  'conversations.list': 'conversationsList',
  'conversation.delete': 'conversationDelete',
  'conversations.delete_all': 'conversationsDeleteAll',
  'administrator.create': 'administratorCreate',
  'reports.list': 'reportsList',
  'actions.list': 'actionsList',
  'report.open': 'reportOpen',
  'report.conversation': 'reportConversation',
  'report.act': 'reportAct',
  'action.undo': 'actionUndo',
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
        <Actor entry={entry} />
        {entry.ipAddress !== null && <bdi dir="ltr">{entry.ipAddress}</bdi>}
        <time dateTime={entry.createdAt}>{dateTime(entry.createdAt)}</time>
        {details.map((detail) => (
          <span key={detail}>{detail}</span>
        ))}
      </Facts>
    </Row>
  );
}

function Actor({ entry: { userId, username } }: { entry: AuditEntry }) {
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

/** Loads only when opened. */
export function AuditLog() {
  const { t } = useTranslation();
  return (
    <Surface data-testid="audit">
      <CollapsibleSection title={t('admin.audit.title')} icon={ScrollText}>
        <Stack $gap={8}>
          <Note>{t('admin.audit.text')}</Note>
          <Entries />
        </Stack>
      </CollapsibleSection>
    </Surface>
  );
}

function Entries() {
  const { t } = useTranslation();
  // Other tabs add entries.
  const list = usePagedList(useGetAuditInfiniteQuery(undefined, { refetchOnMountOrArgChange: true }));
  return (
    <>
      {list.loading && (
        <Stack aria-hidden="true">
          <Skeleton $inline="100%" $block="44px" />
          <Skeleton $inline="100%" $block="44px" />
        </Stack>
      )}
      <ol>
        {list.items?.map((entry) => (
          <AuditRow key={entry.id} entry={entry} />
        ))}
      </ol>
      {list.error !== undefined && <LoadFailure error={list.error} retrying={list.retrying} onRetry={list.retry} />}
      {list.hasMore && (
        <Button block busy={list.loadingMore ? t('common.action.loading') : undefined} onClick={list.loadMore}>
          {t('common.action.loadMore')}
        </Button>
      )}
    </>
  );
}

const Surface = styled.div`
  background: var(--surface);
  border-radius: 18px;
  border-end-start-radius: 5px;
`;
