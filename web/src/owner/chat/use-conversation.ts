import { useEffect, useState } from 'react';
import { isApiError } from '../../api/api-error.js';
import { useOutcome } from '../../ui/index.js';
import { useLanguage, useTranslation } from '../../i18n/index.js';
import { createKey, useSubmissionKey } from '../../lib/submission-key.js';
import type { Picture } from '../../lib/media.js';
import { uploadedUrl, useAskMutation, useUploadChatImageMutation } from './api.js';
import { type Participant, readMessages, type ShownMessage, storeMessages } from './conversations.js';

interface Draft {
  text: string;
  picture: Picture | null;
}

const newMessage = (role: ShownMessage['role'], content: string): ShownMessage => ({
  id: createKey(),
  role,
  content,
  timestamp: new Date().toISOString(),
  hasImage: false,
  imageUrl: null,
  failed: false,
});

export function useConversation(participant: Participant) {
  const { t } = useTranslation();
  const say = useOutcome();
  const { language } = useLanguage();
  const [messages, setMessages] = useState<ShownMessage[]>(() => readMessages(participant));
  const [waiting, setWaiting] = useState(false);
  const [ask] = useAskMutation();
  const [upload] = useUploadChatImageMutation();
  const question = useSubmissionKey();
  const picture = useSubmissionKey();

  useEffect(() => {
    if (messages.length === 0) return;
    const kept = messages.map(({ preview: _, ...message }) => message);
    storeMessages(participant, kept);
  }, [messages, participant]);

  const append = (message: ShownMessage) => setMessages((earlier) => [...earlier, message]);

  const change = (id: string, changed: Partial<ShownMessage>) =>
    setMessages((all) => all.map((message) => (message.id === id ? { ...message, ...changed } : message)));

  /** A text, and what can be done about it, where the server says so. */
  const withReason = (key: 'chat.upload.failedText' | 'common.assistant.failedText', error: unknown) => {
    const isRefused = isApiError(error) && error.status !== null && error.status < 500;
    return isRefused ? `${t(key)} ${say.errors.text(error)}` : t(key);
  };

  const uploadPicture = async ({ file, src }: Picture): Promise<string | null> => {
    try {
      const url = uploadedUrl(await upload({ file, key: picture.keyFor(src) }).unwrap());
      picture.renew();
      return url;
    } catch (error) {
      const text = withReason('chat.upload.failedText', error);
      say.toast({ variant: 'destructive', title: t('chat.upload.failed'), text });
      return null;
    }
  };

  const answer = async (message: string, imageUrl: string | null): Promise<ShownMessage> => {
    try {
      const { response } = await ask({
        question: { message, imageUrl },
        language,
        key: question.keyFor(message, imageUrl ?? ''),
      }).unwrap();
      question.renew();
      return newMessage('bot', response);
    } catch (error) {
      const text = withReason('common.assistant.failedText', error);
      say.toast({ variant: 'destructive', title: t('common.assistant.failed'), text });
      return { ...newMessage('bot', ''), failed: true };
    }
  };

  /** Resolves to false if nothing was sent: the upload of a message without text failed. */
  const send = async ({ text, picture: chosen }: Draft): Promise<boolean> => {
    const userMessage: ShownMessage = {
      ...newMessage('user', text),
      hasImage: chosen !== null,
      ...(chosen !== null && { preview: chosen.src }),
    };
    append(userMessage);
    setWaiting(true);
    const imageUrl = chosen === null ? null : await uploadPicture(chosen);
    const sendable = text !== '' || imageUrl !== null;
    if (!sendable) setMessages((all) => all.filter(({ id }) => id !== userMessage.id));
    else {
      if (chosen !== null) change(userMessage.id, { hasImage: imageUrl !== null, imageUrl });
      append(await answer(text, imageUrl));
    }
    setWaiting(false);
    return sendable;
  };

  return { messages, waiting, send };
}
