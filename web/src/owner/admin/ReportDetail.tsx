import { isSanction, type ModerationAction } from '@najwa/proto/http/client';
import { Eye, Flag, History, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { styled } from 'styled-components';
import { IconNote, Button, CollapsibleSection, Icon } from '../../ui/index.js';
import { serverTime, useFormats, useTranslation } from '../../i18n/index.js';
import { MessageMedia } from '../../shared/message/index.js';
import { useCurrentUser } from '../../shared/session/index.js';
import { useOpenReportQuery } from './api.js';
import { type Decision, DecisionDialog } from './DecisionDialog.js';
import { DetailHeader } from './kit/index.js';
import { MessageQuote, PublicBadge } from './message-parts.js';
import { ACTION_ICONS, EarlierDecisions, Hint, ReportBadge, ReportReasons, TakenAction } from './report-sections.js';
import type { Action, ReportedMessage } from './types.js';

/** Button order. */
const ORDER: readonly ModerationAction[] = ['remove', 'warn', 'dismiss', 'suspend', 'block'];

export function ReportDetail({ listed, onDecided }: { listed: ReportedMessage; onDecided: () => void }) {
  const { t } = useTranslation();
  const { dateTime } = useFormats();
  const { user } = useCurrentUser();
  const { currentData: report = listed } = useOpenReportQuery(listed.id, { refetchOnMountOrArgChange: true });
  const [decision, setDecision] = useState<Decision | null>(null);
  const { id, message, createdAt, actions } = report;
  const isAdministrator = user?.isAdmin === true;
  const possible = ORDER.filter((action) =>
    isSanction(action) ? isAdministrator && !isInForce(actions, action) : report.status === 'open',
  );

  return (
    <>
      <DetailHeader
        title={t('admin.reports.number', { id })}
        facts={t('admin.reports.first', { date: dateTime(createdAt) })}
        badges={
          <>
            <PublicBadge isPublic={message.isPublic} />
            <ReportBadge report={report} />
          </>
        }
      />
      {message.content !== '' && <MessageQuote dir="auto">{message.content}</MessageQuote>}
      <MessageMedia message={message} />
      <IconNote>
        <Icon of={Eye} size="sm" />
        <span>{t('admin.reports.alone')}</span>
      </IconNote>
      <CollapsibleSection title={t('admin.reports.why')} icon={Flag} defaultOpen>
        <ReportReasons report={report} />
      </CollapsibleSection>
      <CollapsibleSection title={t('admin.reports.earlier')} icon={History} defaultOpen>
        <EarlierDecisions report={report} />
      </CollapsibleSection>
      {actions.length > 0 && (
        <CollapsibleSection title={t('admin.reports.history')} icon={Undo2} defaultOpen>
          <ul>
            {actions.map((action) => (
              <TakenAction key={action.id} action={action} onUndo={() => setDecision({ kind: 'undo', action })} />
            ))}
          </ul>
        </CollapsibleSection>
      )}
      {possible.length > 0 && (
        <Actions>
          {possible.map((action) => (
            <Button
              key={action}
              variant={action === 'remove' ? 'danger' : 'secondary'}
              onClick={() => setDecision({ kind: 'act', reportId: id, action })}
            >
              <Icon of={ACTION_ICONS[action]} />
              {t(`admin.reports.action.${action}`)}
            </Button>
          ))}
        </Actions>
      )}
      {!isAdministrator && <Hint>{t('admin.reports.adminsOnly')}</Hint>}
      {decision !== null && (
        <DecisionDialog
          decision={decision}
          quote={message.content}
          onDone={() => {
            setDecision(null);
            onDecided();
          }}
          onClose={() => setDecision(null)}
        />
      )}
    </>
  );
}

const DAY_MS = 24 * 60 * 60 * 1000;

const isInForce = (actions: readonly Action[], kind: ModerationAction): boolean =>
  actions.some(
    ({ action, undone, days, createdAt }) =>
      action === kind && undone === null && Date.parse(createdAt) + (days ?? 0) * DAY_MS > serverTime(),
  );

const Actions = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 8px;
  border-block-start: 1px solid var(--line);
  padding-block-start: 18px;
  ${({ theme }) => theme.media.phone} {
    > button {
      flex: 1 1 40%;
    }
  }
`;
