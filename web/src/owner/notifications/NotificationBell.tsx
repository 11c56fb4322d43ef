import { Bell } from 'lucide-react';
import { useEffect } from 'react';
import { useDispatch } from 'react-redux';
import { styled } from 'styled-components';
import type { Store } from '../../api/store.js';
import { useNavigation } from '../../ui/navigation.js';
import { useOpenOnDemand } from '../../ui/use-open-on-demand.js';
import { Icon, IconButtonBase, StatusDot } from '../../ui/index.js';
import { useLanguage, useTexts, useTranslation } from '../../i18n/index.js';
import { keptSubscription } from '../../lib/push-subscriptions.js';
import { onIdle } from '../../lib/on-demand.js';
import { serviceWorkers } from '../../lib/service-worker.js';
import { useCountNotificationsQuery } from './api.js';
import { useLive } from '../../shared/live/index.js';
import { useFreshText } from './use-fresh-text.js';

const TEXTS = ['notifications'] as const;

/** Polling interval without live updates, in milliseconds. */
const POLLING = 60_000;

const loadPanel = async () => (await import('./NotificationPanel.js')).NotificationPanel;

/** While mounted, the page updates live. */
export function NotificationBell() {
  useTexts(TEXTS);
  const { t } = useTranslation();
  const live = useLive();
  const isLost = live?.isLost === true;
  const { data: counted } = useCountNotificationsQuery(undefined, { skip: !isLost, pollingInterval: POLLING });
  const unread = (isLost ? counted?.unread : live?.unread) ?? 0;
  const fresh = useFreshText(unread);
  const { Part: Panel, open, setOpen, button } = useOpenOnDemand(loadPanel);
  const title = t('notifications.title');
  const dispatch = useDispatch<Store['dispatch']>();
  const { language } = useLanguage();
  const { navigate } = useNavigation();

  useEffect(
    () =>
      onIdle(() => {
        if (keptSubscription() === null) return;
        const renewal = import('../../shared/push/index.js').then(({ renewSubscription }) =>
          renewSubscription(dispatch, language),
        );
        // The next visit retries.
        renewal.catch(() => undefined);
      }),
    [dispatch, language],
  );

  useEffect(() => {
    const workers = serviceWorkers();
    if (workers === null) return;
    // A clicked push notification opens in this tab.
    const open = ({ data }: MessageEvent<{ open?: unknown } | null>) => {
      if (typeof data?.open === 'string') navigate(data.open);
    };
    workers.addEventListener('message', open);
    return () => workers.removeEventListener('message', open);
  }, [navigate]);

  return (
    <>
      <IconButtonBase
        type="button"
        aria-label={fresh === null ? title : t('notifications.bell', { title, fresh })}
        data-testid="bell"
        {...button}
      >
        <Icon of={Bell} size="lg" />
        {unread > 0 && <NewDot $colour="var(--rose-strong)" />}
      </IconButtonBase>
      {Panel !== null && <Panel open={open} unread={unread} isLost={isLost} onClose={() => setOpen(false)} />}
    </>
  );
}

const NewDot = styled(StatusDot)`
  position: absolute;
  inset-block-start: 10px;
  inset-inline-end: 11px;
  box-shadow: 0 0 0 2.5px var(--paper);
`;
