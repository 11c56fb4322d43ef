import { Eye, Lock } from 'lucide-react';
import { styled } from 'styled-components';
import { Badge, Icon, Quote, StatusDot } from '../../ui/index.js';
import { useTranslation } from '../../i18n/index.js';
import { textSize } from '../../theme/index.js';
import type { Conversation } from './types.js';

export function ReadBadge({ isRead }: { isRead: boolean }) {
  const { t } = useTranslation();
  if (isRead) return <Badge>{t('messages.badge.read')}</Badge>;
  return (
    <Badge $tone="rose">
      <StatusDot $size={7} $colour="var(--rose-strong)" $pulsing />
      {t('messages.badge.new')}
    </Badge>
  );
}

export function PublicBadge({ isPublic }: { isPublic: boolean }) {
  const { t } = useTranslation();
  return (
    <Badge $tone={isPublic ? 'violet' : 'plain'}>
      <Icon of={isPublic ? Eye : Lock} />
      {t(isPublic ? 'messages.badge.published' : 'admin.private')}
    </Badge>
  );
}

export function BotBadge({ isUsingLocalSystem }: { isUsingLocalSystem: boolean }) {
  const { t } = useTranslation();
  return isUsingLocalSystem ? (
    <Badge $tone="gold">{t('admin.chatbot.local')}</Badge>
  ) : (
    <Badge $tone="violet">{t('admin.chatbot.openai')}</Badge>
  );
}

export function useAskerName({ userName, isVisitor }: Conversation): string {
  const { t } = useTranslation();
  return userName ?? t(isVisitor ? 'admin.chatbot.visitor' : 'admin.chatbot.user');
}

export const MessageQuote = styled(Quote)`
  ${textSize('18.5px', '16.5px')}
  line-height: 1.8;
`;
