import { SendHorizontal } from 'lucide-react';
import { useTranslation } from '../../i18n/index.js';
import { DialogQuote, FieldError, FormDialog, Icon, Textarea, useToast } from '../../ui/index.js';
import { directionOf, withoutForbidden } from '../../lib/text.js';
import type { Message } from '../../shared/message/index.js';
import { useReply } from './use-reply.js';

interface Props {
  message: Message;
  account: number;
  onClose: () => void;
}

export function ReplyDialog({ message, account, onClose }: Props) {
  const { t } = useTranslation();
  const toast = useToast();
  const { text, isReady, fault, busy, write, forget, submit } = useReply(message, account);

  const send = async () => {
    if (!(await submit())) return;
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
      isReady={isReady}
      busy={busy}
      onSubmit={() => void send()}
      onCancel={() => {
        forget();
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
          disabled={busy !== undefined}
          aria-label={t('messages.reply.label')}
          aria-invalid={fault !== undefined}
          dir={directionOf(text)}
          onChange={(event) => write(withoutForbidden(event.target.value))}
        />
        {fault !== undefined && <FieldError>{fault}</FieldError>}
      </div>
    </FormDialog>
  );
}
