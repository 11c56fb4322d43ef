import { LIMITS } from '@najwa/proto/http/client';
import { useState } from 'react';
import { isApiError } from '../../api/api-error.js';
import { useTranslation } from '../../i18n/index.js';
import { forgetDraft, keepDraft, readDraft, type Target } from '../../lib/drafts.js';
import { useSubmissionKey } from '../../lib/submission-key.js';
import { readText } from '../../lib/text.js';
import type { Message } from '../../shared/message/index.js';
import { useToast } from '../../ui/index.js';
import { useSendReplyMutation } from './api.js';

/** The text of a reply, kept as a draft until it is sent. */
export function useReply({ id, reply }: Message, account: number) {
  const { t } = useTranslation();
  const toast = useToast();
  const target: Target = `reply-${id}`;
  const earlier = reply?.content ?? '';
  const [text, setText] = useState(() => readDraft(target, account) ?? earlier);
  const [send, { isLoading }] = useSendReplyMutation();
  const { keyFor } = useSubmissionKey();
  const { content, fault } = readText(text, LIMITS.text.reply);

  const forget = () => forgetDraft(target, account);

  return {
    text,
    isReady: fault === null,
    /** Too long. */
    fault: fault === 'too_long' ? t('messages.reply.tooLong', { limit: LIMITS.text.reply.max }) : undefined,
    busy: isLoading ? t('messages.reply.sending') : undefined,
    write: (next: string) => {
      setText(next);
      if (next === '' || next === earlier) forget();
      else keepDraft(target, { text: next, account });
    },
    forget,
    /** Resolves to true if sent. */
    submit: async () => {
      try {
        await send({ messageId: id, content, key: keyFor(content) }).unwrap();
      } catch (error) {
        const answered = isApiError(error) && error.status !== null;
        const text = t(answered ? 'messages.reply.failedText' : 'messages.reply.offlineText');
        toast({ variant: 'destructive', title: t('messages.reply.failed'), text });
        return false;
      }
      forget();
      return true;
    },
  };
}
