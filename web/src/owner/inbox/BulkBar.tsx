import { LIMITS } from '@najwa/proto/http/client';
import { Check, EyeOff, Globe, type LucideIcon, Trash2, X } from 'lucide-react';
import { styled } from 'styled-components';
import { Button, Icon, useOutcome } from '../../ui/index.js';
import { useTranslation } from '../../i18n/index.js';
import { DESK, PHONE, textSize } from '../../theme/index.js';
import { type BulkAction, type BulkChange, useChangeMessagesMutation } from './api.js';
import { othersOf } from './entries.js';
import type { Entry } from './types.js';
import type { Selection } from './use-selection.js';
import { useUndo } from './use-undo.js';

const ACTIONS: readonly (readonly [BulkAction, LucideIcon])[] = [
  ['read', Check],
  ['publish', Globe],
  ['unpublish', EyeOff],
  ['delete', Trash2],
];

/** A row of a conversation stands for all of it, but what is published is the message that it shows. */
function changeOf(action: BulkAction, ids: number[], entries: readonly Entry[]): BulkChange {
  const rows = entries.filter((entry) => entry.kind === 'received' && entry.others && ids.includes(entry.message.id));
  if (action === 'delete') return { action, ids, wholes: rows.map(({ message }) => message.id) };
  if (action !== 'read') return { action, ids };
  return { action, ids: [...ids, ...rows.flatMap(othersOf).flatMap(({ id, isRead }) => (isRead ? [] : id))] };
}

interface Props {
  entries: readonly Entry[];
  selection: Selection;
  /** Whether the list goes on beyond what is shown. */
  hasMore: boolean;
  offerUndo: ReturnType<typeof useUndo>;
  onDone: () => void;
}

function useChange({ offerUndo, onDone }: Pick<Props, 'offerUndo' | 'onDone'>) {
  const { t } = useTranslation();
  const say = useOutcome();
  const [change, { isLoading }] = useChangeMessagesMutation();
  const run = async (body: BulkChange) => {
    const { action } = body;
    const { data, error } = await change(body);
    if (error !== undefined) {
      say.failed(t('messages.update.failed', { text: say.errors.message(error) }));
      return [];
    }
    const { done, failure, isPart } = data;
    const failed =
      failure === undefined ? undefined : t('messages.update.failed', { text: say.errors.message(failure) });
    if (action === 'delete' || action === 'read') offerUndo(data, action, failed);
    else if (failed === undefined) say.done(t(`messages.bulk.done.${action}`, { count: done.length }));
    else say.failed(failed);
    if (failed === undefined && isPart !== true) onDone();
    return done;
  };
  return { run, isLoading };
}

export function ReadAll({
  unread = 0,
  ...props
}: { unread: number | undefined } & Pick<Props, 'offerUndo' | 'onDone'>) {
  const { t } = useTranslation();
  const { run, isLoading } = useChange(props);
  return (
    <div>
      <Button
        variant="ghost"
        size="sm"
        busy={isLoading ? t('common.action.loading') : undefined}
        onClick={() => void run({ all: 'unread', action: 'read' })}
      >
        <Icon of={Check} />
        {t('messages.bulk.readAll', { count: Math.min(unread, LIMITS.unreadAtOnce) })}
      </Button>
    </div>
  );
}

export function BulkBar({ entries, selection, hasMore, ...props }: Props) {
  const { t } = useTranslation();
  const { run, isLoading } = useChange(props);
  const { selected } = selection;

  return (
    <Bar role="toolbar" aria-label={t('messages.bulk.label')}>
      <b aria-live="polite">
        {t(`messages.bulk.${selection.isAll && hasMore ? 'allShown' : 'selected'}`, { count: selected.length })}
      </b>
      {ACTIONS.map(([action, icon]) => (
        <button
          key={action}
          type="button"
          data-action={action}
          disabled={isLoading || selected.length === 0}
          onClick={() => void run(changeOf(action, selected, entries)).then(selection.drop)}
        >
          <Icon of={icon} />
          {t(`messages.bulk.${action}`)}
        </button>
      ))}
      <button
        type="button"
        data-action="clear"
        aria-label={t('messages.bulk.clear')}
        disabled={selected.length === 0}
        onClick={selection.clear}
      >
        <Icon of={X} />
      </button>
    </Bar>
  );
}

const Bar = styled.div`
  position: sticky;
  inset-block-end: 20px;
  z-index: 45;
  display: flex;
  gap: 4px;
  align-items: center;
  background: var(--night);
  color: var(--on-night);
  border: 1px solid color-mix(in srgb, var(--on-night-2) 24%, transparent);
  border-radius: 22px;
  border-end-start-radius: 7px;
  padding: 10px;
  padding-inline-start: 20px;
  box-shadow: var(--shadow-3);
  b {
    margin-inline-end: auto;
    white-space: nowrap;
  }
  button {
    display: flex;
    gap: 10px;
    align-items: center;
    justify-content: center;
    min-block-size: 44px;
    padding-inline: 14px;
    border-radius: 14px;
    border-end-start-radius: 4px;
    font-weight: 600;
    &:hover:enabled {
      background: rgb(255 255 255 / 0.1);
    }
    &:disabled {
      opacity: 0.6;
    }
    &:focus-visible {
      outline-color: #c3b5ff;
    }
    &[data-action='delete'] {
      color: #ff9ca5;
    }
  }
  @media (prefers-color-scheme: dark) {
    background: var(--raised);
  }
  @media ${PHONE}, ${DESK} {
    inset-block-end: 8px;
    display: grid;
    grid-template-columns: repeat(4, minmax(0, 1fr)) 44px;
    padding: 8px;
    gap: 2px;
    b {
      grid-column: 1 / -1;
      padding: 4px 12px 2px;
    }
    button {
      flex-direction: column;
      gap: 2px;
      padding: 6px 2px;
      min-block-size: 58px;
      ${textSize('14px', '12.5px')}
      overflow-wrap: anywhere;
      hyphens: auto;
    }
  }
`;
