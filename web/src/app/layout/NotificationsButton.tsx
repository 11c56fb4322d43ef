import { Bell } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { styled } from 'styled-components';
import { Icon, IconButtonShape, Nuqta } from '../../components/index.js';
import { useCurrentUser } from '../../features/session/index.js';

/** The bell links to the inbox, which lists everything new. */
export function NotificationsButton() {
  const { t } = useTranslation();
  const { user } = useCurrentUser();
  const navigate = useNavigate();
  return (
    <IconButtonShape
      type="button"
      aria-label={t('common.header.notifications')}
      onClick={() => void navigate(user === null ? '/auth?tab=login' : '/profile#messages')}
    >
      <Icon of={Bell} size="lg" />
      <Mark $colour="var(--rose-strong)" />
    </IconButtonShape>
  );
}

const Mark = styled(Nuqta)`
  position: absolute;
  inset-block-start: 10px;
  inset-inline-end: 11px;
  box-shadow: 0 0 0 2.5px var(--paper);
`;
