import { useTranslation } from 'react-i18next';
import { Badge } from '../../components/index.js';
import type { Conversation } from './types.js';

/** Whether a language model answered, or our own automatic mode. */
export function BotBadge({ isUsingLocalSystem }: { isUsingLocalSystem: boolean }) {
  const { t } = useTranslation();
  return isUsingLocalSystem ? (
    <Badge $tone="gold">{t('admin.chatbot.local')}</Badge>
  ) : (
    <Badge $tone="violet">{t('admin.chatbot.openai')}</Badge>
  );
}

/** What to call who asked: by name where there is one. */
export function useAskerName({ userName, isVisitor }: Conversation): string {
  const { t } = useTranslation();
  return userName ?? t(isVisitor ? 'admin.chatbot.visitor' : 'admin.chatbot.user');
}
