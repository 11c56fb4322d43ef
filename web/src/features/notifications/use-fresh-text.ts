import { useTranslation } from '../../i18n/index.js';

/** The server counts no further. */
const MAX_UNREAD = 100;

/** The number of unread notifications, in words. Null if none is unread. */
export function useFreshText(unread: number): string | null {
  const { t } = useTranslation();
  if (unread === 0) return null;
  return unread < MAX_UNREAD
    ? t('notifications.fresh', { count: unread })
    : t('notifications.freshMore', { count: MAX_UNREAD - 1 });
}
