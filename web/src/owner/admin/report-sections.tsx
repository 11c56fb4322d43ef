import { isUrgent, MODERATION_ACTIONS, type ModerationAction, type ReportReason } from '@najwa/proto/http/client';
import { Ban, Check, Trash2, TriangleAlert, Undo2, UserRoundX, type LucideIcon } from 'lucide-react';
import { styled } from 'styled-components';
import { FACTS_GAP, Badge, Button, Icon, StatusDot, UserText, Row } from '../../ui/index.js';
import { useFormats, useTranslation } from '../../i18n/index.js';
import { isolate } from '../../lib/text.js';
import { semibold, small, textSize } from '../../theme/index.js';
import { useCurrentUser } from '../../shared/session/index.js';
import type { Action, ReportedMessage } from './types.js';

export const ACTION_ICONS: Record<ModerationAction, LucideIcon> = {
  dismiss: Check,
  remove: Trash2,
  warn: TriangleAlert,
  suspend: UserRoundX,
  block: Ban,
};

/** The account may be gone. */
export function useActorName(): (username: string | null) => string {
  const { t } = useTranslation();
  return (username) => (username === null ? t('admin.reports.gone') : `\u2066@${username}\u2069`);
}

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

/** Puts reasons that may mean danger first. */
export const byUrgency = (reasons: readonly ReportReason[]): ReportReason[] =>
  [...reasons].sort((one, other) => Number(isUrgent(other)) - Number(isUrgent(one)));

export function ReportReasons({ report: { reasons, reasonCounts, reports, comments } }: { report: ReportedMessage }) {
  const { t } = useTranslation();
  const { number } = useFormats();
  return (
    <>
      <Tally>
        {byUrgency(reasons).map((reason) => (
          <li key={reason}>
            <span>{t(`report.reason.${reason}`)}</span>
            <Meter aria-hidden="true">
              <i style={{ inlineSize: `${String((100 * (reasonCounts[reason] ?? 0)) / reports)}%` }} />
            </Meter>
            <span>{number(reasonCounts[reason] ?? 0)}</span>
          </li>
        ))}
      </Tally>
      {comments.map((comment, index) => (
        <Comment key={index}>
          <UserText>{comment}</UserText>
        </Comment>
      ))}
    </>
  );
}

export function EarlierDecisions({ report: { senderReportedBefore, senderActions } }: { report: ReportedMessage }) {
  const { t } = useTranslation();
  const done = MODERATION_ACTIONS.filter((action) => senderActions[action] !== undefined).map((action) =>
    t(`admin.reports.taken.${action}`),
  );
  return (
    <Facts>
      <div>
        <dt>{t('admin.reports.reportedBefore')}</dt>
        <dd>{t(`admin.reports.before.${senderReportedBefore}`)}</dd>
      </div>
      {senderReportedBefore !== 'none' && (
        <div>
          <dt>{t('admin.reports.outcome')}</dt>
          <dd>{done.join(FACTS_GAP)}</dd>
        </div>
      )}
    </Facts>
  );
}

export function TakenAction({ action, onUndo }: { action: Action; onUndo: () => void }) {
  const { t } = useTranslation();
  const { dateTime } = useFormats();
  const nameOf = useActorName();
  const { undone, days } = action;
  return (
    <Entry as="li" $gap={16} $between data-testid="action">
      <div>
        <b>
          {t(`admin.reports.taken.${action.action}`)}
          {days !== null && `${FACTS_GAP}${t('admin.reports.days', { count: days })}`}
        </b>
        <small>
          {nameOf(action.by)}
          {FACTS_GAP}
          <time dateTime={action.createdAt}>{dateTime(action.createdAt)}</time>
        </small>
        <p>
          <UserText>{action.reason}</UserText>
        </p>
        {undone !== null && (
          <p>{t('admin.reports.undoneBy', { username: nameOf(undone.by), reason: isolate(undone.reason) })}</p>
        )}
      </div>
      {undone !== null && <Badge $tone="gold">{t('admin.reports.undoDone')}</Badge>}
      <UndoAction action={action} onUndo={onUndo} />
    </Entry>
  );
}

export function UndoAction({ action: { by, undone }, onUndo }: { action: Action; onUndo: () => void }) {
  const { t } = useTranslation();
  const { user } = useCurrentUser();
  if (undone !== null) return null;
  if (user?.username === by) return <Hint as="small">{t('admin.reports.undoOther')}</Hint>;
  if (user?.isAdmin !== true) return null;
  return (
    <Button size="sm" onClick={onUndo}>
      <Icon of={Undo2} flip />
      {t('admin.reports.undo')}
    </Button>
  );
}

const Tally = styled.ul`
  display: grid;
  gap: 10px;
  li {
    display: grid;
    grid-template-columns: 144px minmax(0, 1fr) 24px;
    gap: 16px;
    align-items: center;
  }
  ${({ theme }) => theme.media.stacked} {
    li {
      grid-template-columns: 112px minmax(0, 1fr) 24px;
    }
  }
`;

const Meter = styled.span`
  display: block;
  block-size: 8px;
  border-radius: 4px;
  background: var(--sunken);
  overflow: hidden;
  i {
    display: block;
    block-size: 100%;
    border-radius: inherit;
    background: var(--ink-3);
  }
`;

const Comment = styled.p`
  margin-block-start: 12px;
  padding-block-start: 12px;
  border-block-start: 1px solid var(--line);
  overflow-wrap: anywhere;
`;

const Facts = styled.dl`
  div {
    display: grid;
    grid-template-columns: 144px minmax(0, 1fr);
    gap: 16px;
    padding-block: 8px;
    border-block-start: 1px solid var(--line);
  }
  dt {
    color: var(--ink-3);
  }
  dt,
  dd {
    ${textSize('15.5px', '14px')}
  }
`;

const Entry = styled(Row)`
  padding-block: 10px;
  border-block-start: 1px solid var(--line);
  > div {
    min-inline-size: 0;
    flex: 1 1 240px;
  }
  b {
    ${semibold}
  }
  small {
    display: block;
    color: var(--ink-3);
    ${textSize('14px', '13px')}
  }
  p {
    color: var(--ink-2);
    overflow-wrap: anywhere;
    ${small}
  }
`;

export const Hint = styled.p`
  color: var(--ink-3);
  ${textSize('15px', '13px')}
`;
