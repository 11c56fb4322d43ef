import { Eye, Lock } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Badge, Icon, Nuqta } from '../../components/index.js';

export function ReadBadge({ isRead }: { isRead: boolean }) {
  const { t } = useTranslation();
  if (isRead) return <Badge>{t('messages.badge.read')}</Badge>;
  return (
    <Badge $tone="rose">
      <Nuqta $size={7} $colour="var(--rose-strong)" $whispers />
      {t('messages.badge.fresh')}
    </Badge>
  );
}

export function PublicBadge({ isPublic }: { isPublic: boolean }) {
  const { t } = useTranslation();
  return (
    <Badge $tone={isPublic ? 'violet' : 'plain'}>
      <Icon of={isPublic ? Eye : Lock} />
      {t(isPublic ? 'messages.badge.published' : 'messages.badge.private')}
    </Badge>
  );
}
