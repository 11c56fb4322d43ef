import { LIMITS } from '@najwa/proto/http/client';
import { SendHorizontal } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '../../i18n/index.js';
import { isApiError } from '../../api/api-error.js';
import { DialogQuote, FieldError, FormDialog, Icon, Textarea, useToast } from '../../ui/index.js';
import { forgetDraft, keepDraft, readDraft, type Target } from '../../lib/drafts.js';
import { directionOf, readText, withoutForbidden } from '../../lib/text.js';
import { useSubmissionKey } from '../../lib/submission-key.js';
import { useSendReplyMutation } from './api.js';
import type { Message } from '../../shared/message/index.js';

const { max: MAX_LENGTH } = LIMITS.text.reply;

interface Props {
  message: Message;
  account: number;
  onClose: () => void;
}

export function ReplyDialog({ message, account, onClose }: Props) {
  const { t } = useTranslation();
  const toast = useToast();
  const target: Target = `reply-${message.id}`;
  const earlier = message.reply?.content ?? '';
  const [text, setText] = useState(() => readDraft(target, account) ?? earlier);
  const [send, { isLoading }] = useSendReplyMutation();
  const { keyFor } = useSubmissionKey();
  const { content, fault } = readText(text, LIMITS.text.reply);
  const tooLong = fault === 'too_long';

  /** Stores a draft: an outside tap closes the dialog. */
  const write = (next: string) => {
    setText(next);
    if (next === '' || next === earlier) forgetDraft(target, account);
    else keepDraft(target, { text: next, account });
  };

  const submit = async () => {
    try {
      await send({ messageId: message.id, content, key: keyFor(content) }).unwrap();
    } catch (error) {
      const answered = isApiError(error) && error.status !== null;
      toast({
        variant: 'destructive',
        title: t('messages.reply.failed'),
        text: t(answered ? 'messages.reply.failedText' : 'messages.reply.offlineText'),
      });
      return;
    }
    forgetDraft(target, account);
    toast({ variant: 'success', title: t('messages.reply.done'), text: t('messages.reply.doneText') });
    onClose();
  };

  return (
    <FormDialog
      title={t('messages.reply.title')}
      description={t('messages.reply.text')}
      submit={
        <>
          <Icon of={SendHorizontal} flip />
          {t('messages.reply.send')}
        </>
      }
      isReady={fault === null}
      busy={isLoading ? t('messages.reply.sending') : undefined}
      onSubmit={() => void submit()}
      onCancel={() => {
        forgetDraft(target, account);
        onClose();
      }}
      onClose={onClose}
    >
      <DialogQuote maxHeight="30vh">{message.content === '' ? t('messages.card.voice') : message.content}</DialogQuote>
      <div>
        <Textarea
          rows={4}
          value={text}
          autoFocus
          disabled={isLoading}
          aria-label={t('messages.reply.label')}
          aria-invalid={tooLong}
          dir={directionOf(text)}
          onChange={(event) => {
            write(withoutForbidden(event.target.value));
          }}
        />
        {tooLong && <FieldError>{t('messages.reply.tooLong', { limit: MAX_LENGTH })}</FieldError>}
      </div>
    </FormDialog>
  );
}
