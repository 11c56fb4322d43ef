import { LIMITS } from '@najwa/proto/http/client';
import { useTranslation } from '../../i18n/index.js';

export function useFreshText(unread: number): string | null {
  const { t } = useTranslation();
  if (unread === 0) return null;
  return unread < LIMITS.unread
    ? t('notifications.fresh', { count: unread })
    : t('notifications.freshMore', { count: LIMITS.unread - 1 });
}
