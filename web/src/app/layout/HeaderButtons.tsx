import { Bell, Languages } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { styled } from 'styled-components';
import { useNavigate } from 'react-router-dom';
import { Icon, IconButtonBase, StatusDot } from '../../components/index.js';
import { otherLanguage, useLanguage } from '../../i18n/index.js';
import { useCurrentUser } from '../../features/session/index.js';

/** The label is written in the language that it switches to. */
export function LanguageToggle() {
  const { t } = useTranslation();
  const { language, toggle } = useLanguage();
  return (
    <ToggleButton type="button" lang={otherLanguage(language)} onClick={toggle} data-testid="language-toggle">
      <Icon of={Languages} />
      {t('common.header.otherLanguage')}
    </ToggleButton>
  );
}

const ToggleButton = styled.button`
  display: inline-flex;
  gap: 8px;
  align-items: center;
  min-block-size: 44px;
  padding-inline: 12px;
  border-radius: 14px;
  color: var(--ink-2);
  font-weight: 500;
  &:hover {
    background: color-mix(in srgb, var(--ink) 6%, transparent);
  }
  &[lang='en'] {
    font-family: ${({ theme }) => theme.font.latin};
    font-size: 14px;
  }
  &[lang='ar'] {
    font-family: ${({ theme }) => theme.font.arabic};
    font-size: 16px;
  }
  ${({ theme }) => theme.media.phone} {
    display: none;
  }
`;

/** The bell links to the inbox, which lists everything new. */
export function NotificationsButton() {
  const { t } = useTranslation();
  const { user } = useCurrentUser();
  const navigate = useNavigate();
  return (
    <IconButtonBase
      type="button"
      aria-label={t('common.header.notifications')}
      onClick={() => void navigate(user === null ? '/auth?tab=login' : '/profile#messages')}
    >
      <Icon of={Bell} size="lg" />
      <NewDot $colour="var(--rose-strong)" />
    </IconButtonBase>
  );
}

const NewDot = styled(StatusDot)`
  position: absolute;
  inset-block-start: 10px;
  inset-inline-end: 11px;
  box-shadow: 0 0 0 2.5px var(--paper);
`;
