import { isUrgent, LIMITS, REPORT_REASONS, type ReportReason } from '@najwa/proto/http/client';
import { Flag, Phone } from 'lucide-react';
import { useId, useState } from 'react';
import { styled } from 'styled-components';
import {
  FACTS_GAP,
  Callout,
  Checkbox,
  DialogQuote,
  FormDialog,
  Icon,
  OptionList,
  TextareaField,
  useOutcome,
} from '../../ui/index.js';
import { useTexts, useTranslation } from '../../i18n/index.js';
import { site } from '../../lib/site.js';
import { directionOf, readText, withoutForbidden } from '../../lib/text.js';
import { semibold } from '../../theme/index.js';
import { useCurrentUser, useKeptState } from '../session/index.js';
import { useSendReportMutation } from './api.js';

const TEXTS = ['report'] as const;
const { comment: BOUNDS } = LIMITS.text;

interface Props {
  message: { id: number; content: string; imageUrl: string | null; audioUrl: string | null };
  /** Blocks the sender. Only the recipient can. @returns the error, if any */
  onBlock?: (messageId: number) => Promise<unknown>;
  onClose: () => void;
}

export function ReportDialog({ message, onBlock, onClose }: Props) {
  useTexts(TEXTS);
  const { t, language } = useTranslation();
  const say = useOutcome();
  const questionId = useId();
  const { user } = useCurrentUser();
  const [reason, setReason] = useState<ReportReason | null>(null);
  const [comment, setComment] = useKeptState(`report-${message.id}`, '');
  const [alsoBlock, setAlsoBlock] = useState(true);
  const [blocking, setBlocking] = useState(false);
  const [send, { isLoading }] = useSendReportMutation();
  const { content, used, fault } = readText(comment, BOUNDS);
  const busy = isLoading || blocking;

  const submit = async () => {
    if (reason === null) return;
    const { error } = await send({ messageId: message.id, reason, comment: content });
    if (error !== undefined) {
      say.failed(t('report.failed'), error);
      return;
    }
    setComment('');
    setBlocking(true);
    const failure = alsoBlock ? await onBlock?.(message.id) : undefined;
    if (failure === undefined) say.done(t('report.done'), t(user === null ? 'report.doneVisitor' : 'report.doneText'));
    else say.failed(t('report.notBlocked'), failure);
    onClose();
  };

  return (
    <FormDialog
      title={t('report.title')}
      description={t(onBlock ? 'report.text' : 'report.publicText')}
      submit={
        <>
          <Icon of={Flag} />
          {t('report.send')}
        </>
      }
      isReady={reason !== null && fault === null}
      busy={busy ? t('report.sending') : undefined}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <DialogQuote>{message.content || t(message.audioUrl === null ? 'report.picture' : 'report.voice')}</DialogQuote>
      <Reason>
        <Question id={questionId}>{t('report.question')}</Question>
        <OptionList
          label={t('report.question')}
          name="report-reason"
          value={reason}
          disabled={busy}
          options={REPORT_REASONS.map((value) => ({ value, label: t(`report.reason.${value}`) }))}
          onChange={setReason}
        />
      </Reason>
      {reason !== null && isUrgent(reason) && (
        <Callout
          tone="gold"
          icon={Phone}
          text={
            reason === 'self_harm' || reason === 'blackmail'
              ? `${t(`report.help.${reason}`)} ${site.help[language]}`.trimEnd()
              : t('report.danger')
          }
          alert
        />
      )}
      <TextareaField
        label={t('report.details')}
        optional={t('report.optional')}
        hint={`${t('report.count', { used, limit: BOUNDS.max })}${FACTS_GAP}${t('report.evidence')}`}
        error={fault === 'too_long' ? t('report.tooLong', { used, limit: BOUNDS.max }) : undefined}
        rows={2}
        dir={directionOf(comment)}
        value={comment}
        disabled={busy}
        placeholder={t('report.placeholder')}
        onChange={(event) => setComment(withoutForbidden(event.target.value))}
      />
      {onBlock && (
        <Check>
          <Checkbox checked={alsoBlock} disabled={busy} onCheckedChange={(checked) => setAlsoBlock(checked === true)} />
          <span>{t('report.block')}</span>
        </Check>
      )}
    </FormDialog>
  );
}

const Reason = styled.div`
  fieldset {
    margin: 0;
    padding: 0;
  }
`;

const Question = styled.p`
  ${semibold}
  margin-block-end: 8px;
`;

const Check = styled.label`
  display: flex;
  align-items: center;
  justify-self: start;
  gap: 12px;
  min-block-size: 44px;
  cursor: pointer;
`;
