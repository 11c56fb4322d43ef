import { isSanction, LIMITS, SANCTION_DAYS, type ModerationAction } from '@najwa/proto/http/client';
import { useState } from 'react';
import { isApiError } from '../../api/api-error.js';
import { DialogQuote, FormDialog, InputField, TextareaField, useOutcome } from '../../ui/index.js';
import { useTranslation } from '../../i18n/index.js';
import { useKeptState } from '../../shared/session/index.js';
import { directionOf, readNumber, readText, withoutForbidden } from '../../lib/text.js';
import { useActOnReportMutation, useUndoActionMutation } from './api.js';
import type { Action } from './types.js';

export type Decision = { kind: 'act'; reportId: number; action: ModerationAction } | { kind: 'undo'; action: Action };

interface Props {
  decision: Decision;
  quote: string;
  /** Also after a refusal: another moderator was first. */
  onDone: () => void;
  onClose: () => void;
}

const isRefusal = (error: unknown): boolean =>
  isApiError(error) && error.status !== null && error.status < 500 && error.status !== 429;

const { reason: BOUNDS } = LIMITS.text;
const { min: MIN_DAYS, max: MAX_DAYS } = LIMITS.sanctionDays;

export function DecisionDialog({ decision, quote, onDone, onClose }: Props) {
  const { t } = useTranslation();
  const say = useOutcome();
  const [act, acting] = useActOnReportMutation();
  const [undo, undoing] = useUndoActionMutation();
  const isUndo = decision.kind === 'undo';
  const [reason, setReason] = useKeptState(`decision-${isUndo ? decision.action.id : `of-${decision.reportId}`}`, '');
  const [tried, setTried] = useState(false);
  const sanction = decision.kind === 'act' && isSanction(decision.action) ? decision.action : null;
  const [days, setDays] = useState(sanction === null ? '' : String(SANCTION_DAYS[sanction]));
  const { content, used, fault } = readText(reason, BOUNDS);
  const busy = acting.isLoading || undoing.isLoading;
  const chosenDays = readNumber(days);
  const hasDays =
    sanction === null || (Number.isInteger(chosenDays) && chosenDays >= MIN_DAYS && chosenDays <= MAX_DAYS);
  const taken = isUndo ? t(`admin.reports.taken.${decision.action.action}`) : '';

  const submit = async () => {
    setTried(true);
    if (fault !== null || !hasDays) return;
    const { error } = isUndo
      ? await undo({ id: decision.action.id, reason: content })
      : await act({
          id: decision.reportId,
          body: { action: decision.action, reason: content, ...(sanction !== null && { days: chosenDays }) },
        });
    if (error === undefined) say.done(t(isUndo ? 'admin.reports.undoDone' : 'admin.reports.done'));
    else say.failed(t('admin.reports.actionFailed'), error);
    // Keep the reason for a retry unless the server decided.
    if (error === undefined) setReason('');
    if (error === undefined || isRefusal(error)) onDone();
  };

  const reasonError =
    fault === 'too_long'
      ? t('admin.reports.reasonTooLong', { used, limit: BOUNDS.max })
      : tried && fault !== null
        ? t('admin.reports.reasonFault')
        : undefined;

  return (
    <FormDialog
      title={isUndo ? t('admin.reports.undoTitle', { action: taken }) : t(`admin.reports.title.${decision.action}`)}
      description={isUndo ? t('admin.reports.undoText') : t(`admin.reports.text.${decision.action}`)}
      submit={isUndo ? t('admin.reports.undo') : t(`admin.reports.action.${decision.action}`)}
      variant={!isUndo && decision.action === 'remove' ? 'danger' : 'primary'}
      busy={busy ? t('admin.reports.pending') : undefined}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      {(isUndo ? decision.action.reason : quote) !== '' && (
        <DialogQuote>{isUndo ? decision.action.reason : quote}</DialogQuote>
      )}
      {sanction !== null && (
        <InputField
          label={t('admin.reports.duration')}
          error={tried && !hasDays ? t('admin.reports.daysFault', { min: MIN_DAYS, max: MAX_DAYS }) : undefined}
          dir="ltr"
          inputMode="numeric"
          value={days}
          disabled={busy}
          onChange={(event) => setDays(event.target.value.trim())}
        />
      )}
      <TextareaField
        label={t(isUndo ? 'admin.reports.undoReason' : 'admin.reports.reason')}
        hint={t('admin.reports.reasonHint', { used, limit: BOUNDS.max })}
        error={reasonError}
        rows={3}
        dir={directionOf(reason)}
        autoFocus
        value={reason}
        disabled={busy}
        onChange={(event) => setReason(withoutForbidden(event.target.value))}
      />
    </FormDialog>
  );
}
