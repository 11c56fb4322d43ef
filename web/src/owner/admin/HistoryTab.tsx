import { ACTION_FILTERS, type ActionFilter } from '@najwa/proto/http/client';
import { useState } from 'react';
import { styled } from 'styled-components';
import { Badge, Card, FilterChips, Icon, Stack, UserText, Row } from '../../ui/index.js';
import { useFormats, useTranslation } from '../../i18n/index.js';
import { isolate } from '../../lib/text.js';
import { semibold, small, textSize } from '../../theme/index.js';
import { useGetActionsInfiniteQuery } from './api.js';
import { DecisionDialog } from './DecisionDialog.js';
import { PaneNote, PaneRows, usePagedList } from './kit/index.js';
import { ACTION_ICONS, UndoAction, useActorName } from './report-sections.js';
import type { Action } from './types.js';

export function HistoryTab() {
  const { t } = useTranslation();
  const [kind, setKind] = useState<ActionFilter>('all');
  const [undoing, setUndoing] = useState<Action | null>(null);
  const list = usePagedList(useGetActionsInfiniteQuery(kind, { refetchOnMountOrArgChange: true }));
  return (
    <Stack $gap={12}>
      <FilterChips
        label={t('admin.reports.filterLabel')}
        value={kind}
        options={ACTION_FILTERS.map((value) => ({ value, label: t(`admin.history.filter.${value}`) }))}
        onChoose={setKind}
      />
      <Rows aria-label={t('admin.tabs.history')}>
        <PaneRows
          list={list}
          failed={t('admin.history.failed')}
          empty={<PaneNote title={t('admin.history.empty')} text={t('admin.history.emptyText')} />}
        >
          {(action) => <ActionRow key={action.id} action={action} onUndo={() => setUndoing(action)} />}
        </PaneRows>
      </Rows>
      {undoing !== null && (
        <DecisionDialog
          decision={{ kind: 'undo', action: undoing }}
          quote=""
          onDone={() => setUndoing(null)}
          onClose={() => setUndoing(null)}
        />
      )}
    </Stack>
  );
}

function ActionRow({ action, onUndo }: { action: Action; onUndo: () => void }) {
  const { t } = useTranslation();
  const { dateTime, date } = useFormats();
  const nameOf = useActorName();
  const { undone, days } = action;
  return (
    <Entry data-testid="past-action">
      <ActorLine>
        <b>{nameOf(action.by)}</b>
        <time dateTime={action.createdAt}>{dateTime(action.createdAt)}</time>
      </ActorLine>
      <div>
        <ActionText $gap={10} $undone={undone !== null}>
          <Icon of={ACTION_ICONS[action.action]} />
          <b>
            {t(`admin.reports.taken.${action.action}`)}
            {days !== null && t('admin.history.for', { days: t('admin.reports.days', { count: days }) })}
          </b>
          {undone === null ? (
            <Badge>{t('admin.history.report', { id: action.reportId })}</Badge>
          ) : (
            <Badge $tone="gold">{t('admin.reports.undoDone')}</Badge>
          )}
        </ActionText>
        <p>
          {undone === null ? (
            <UserText>{action.reason}</UserText>
          ) : (
            t('admin.history.undoneBy', {
              username: nameOf(undone.by),
              date: date(undone.createdAt),
              reason: isolate(undone.reason),
            })
          )}
        </p>
      </div>
      <UndoAction action={action} onUndo={onUndo} />
    </Entry>
  );
}

const Rows = styled(Card)`
  && {
    padding: 0;
  }
`;

const Entry = styled.li`
  display: grid;
  grid-template-columns: 190px minmax(0, 1fr) auto;
  gap: 8px 24px;
  align-items: center;
  padding: 16px 24px;
  & + & {
    border-block-start: 1px solid var(--line);
  }
  p {
    color: var(--ink-2);
    overflow-wrap: anywhere;
    ${small}
  }
  ${({ theme }) => theme.media.phone} {
    grid-template-columns: minmax(0, 1fr);
    padding: 16px 18px;
  }
`;

const ActorLine = styled.div`
  b {
    ${semibold}
    overflow-wrap: anywhere;
  }
  time {
    display: block;
    color: var(--ink-3);
    ${textSize('14px', '13px')}
  }
`;

const ActionText = styled(Row)<{ $undone: boolean }>`
  b {
    ${semibold}
    text-decoration: ${({ $undone }) => ($undone ? 'line-through' : 'none')};
  }
`;
