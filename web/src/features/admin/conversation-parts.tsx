import { useTranslation } from 'react-i18next';
import { Badge } from '../../components/index.js';
import type { Conversation } from './types.js';

/** Shows whether a language model or the automatic mode answered. */
export function BotBadge({ isUsingLocalSystem }: { isUsingLocalSystem: boolean }) {
  const { t } = useTranslation();
  return isUsingLocalSystem ? (
    <Badge $tone="gold">{t('admin.chatbot.local')}</Badge>
  ) : (
    <Badge $tone="violet">{t('admin.chatbot.openai')}</Badge>
  );
}

/** The asker's name, or what kind of user they are. */
export function useAskerName({ userName, isVisitor }: Conversation): string {
  const { t } = useTranslation();
  return userName ?? t(isVisitor ? 'admin.chatbot.visitor' : 'admin.chatbot.user');
}
