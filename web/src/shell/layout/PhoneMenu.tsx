import { Languages, LogIn, LogOut, Settings, Shield, UserRound, X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { keyframes, styled } from 'styled-components';
import { ButtonLink, Glyph, Icon, IconButtonBase, Logo, menuRow, useCloseRequest } from '../../ui/index.js';
import { OPEN_ASSISTANT } from '../../owner/chat/index.js';
import { useLogout, type User } from '../../shared/session/index.js';
import { otherLanguage, useTranslation } from '../../i18n/index.js';
import { Link } from '../../ui/navigation.js';
import { useLanguageToggle } from './use-language-toggle.js';
import { AccountSummary } from './AccountMenu.js';

export interface PhoneMenuProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onClosed: () => void;
  user: User | null;
  /** False on the sign-in page and when signed in. */
  showsSignIn: boolean;
}

const SIGN_IN = [{ to: '/auth?tab=login', icon: LogIn, name: 'signIn' }] as const;
const OWN = [
  { to: '/profile', icon: UserRound, name: 'profile' },
  { to: '/settings', icon: Settings, name: 'settings' },
] as const;
const ADMIN = [{ to: '/admin', icon: Shield, name: 'adminPanel' }] as const;

export function PhoneMenu({ open, onOpenChange, onClosed, user, showsSignIn }: PhoneMenuProps) {
  const { t } = useTranslation();
  const { language, toggle } = useLanguageToggle();
  const { logOut, isLoggingOut } = useLogout();
  const close = () => onOpenChange(false);
  const closeAnd = (act: () => unknown) => () => {
    close();
    void act();
  };
  useCloseRequest(open, close);
  const links =
    user === null ? (showsSignIn ? SIGN_IN : []) : [...OWN, ...(user.isAdmin || user.isModerator ? ADMIN : [])];

  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Overlay>
          <Panel
            aria-describedby={undefined}
            onCloseAutoFocus={(event) => {
              event.preventDefault();
              onClosed();
            }}
          >
            <Dialog.Title hidden>{t('common.header.menu')}</Dialog.Title>
            <Top>
              {user === null ? <Brand /> : <AccountSummary user={user} />}
              <Dialog.Close asChild>
                <IconButtonBase aria-label={t('common.action.close')}>
                  <Icon of={X} />
                </IconButtonBase>
              </Dialog.Close>
            </Top>
            <Separator />
            <nav aria-label={t('common.header.menu')}>
              {links.map(({ to, icon, name }) => (
                <MenuLink key={to} to={to} onClick={close}>
                  <Icon of={icon} flip={icon === LogIn} />
                  {t(`common.header.${name}`)}
                </MenuLink>
              ))}
              <MenuButton type="button" onClick={closeAnd(toggle)}>
                <Icon of={Languages} />
                <span lang={otherLanguage(language)}>{t('common.header.otherLanguage')}</span>
              </MenuButton>
              <MenuButton type="button" onClick={closeAnd(() => window.dispatchEvent(new Event(OPEN_ASSISTANT)))}>
                <Assistant dots={2} />
                {t('common.assistant.landmark')}
              </MenuButton>
              {user !== null && (
                <>
                  <Separator />
                  <MenuButton type="button" $danger disabled={isLoggingOut} onClick={closeAnd(logOut)}>
                    <Icon of={LogOut} flip />
                    {t('common.header.logOut')}
                  </MenuButton>
                </>
              )}
            </nav>
            {user === null && showsSignIn && (
              <div onClick={close}>
                <Separator />
                <ButtonLink to="/auth" variant="primary" block>
                  {t('common.header.signUp')}
                </ButtonLink>
              </div>
            )}
          </Panel>
        </Overlay>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

const Assistant = styled(Glyph)`
  inline-size: 20px;
  block-size: 20px;
  [data-part='dots'] {
    fill: currentColor;
  }
`;

const fadeDown = keyframes`
  from { opacity: 0; translate: 0 -4px; }
`;

const Overlay = styled(Dialog.Overlay)`
  position: fixed;
  inset: 0;
  z-index: ${({ theme }) => theme.zIndex.dialog};
  background: var(--scrim);
  padding: 8px;
  overflow: auto;
`;

const Panel = styled(Dialog.Content)`
  background: var(--raised);
  border: 1px solid var(--line);
  border-radius: 26px;
  border-end-start-radius: 8px;
  padding: 12px;
  box-shadow: var(--shadow-3);
  animation: ${fadeDown} var(--base) var(--ease);
  &:focus {
    outline: 0;
  }
`;

const Top = styled.div`
  display: flex;
  align-items: center;
  justify-content: space-between;
  gap: 12px;
`;

const Brand = styled(Logo)`
  block-size: 32px;
  margin-inline-start: 12px;
`;

const Separator = styled.hr`
  border: 0;
  border-block-start: 1px solid var(--line);
  margin: 8px 4px;
`;

const MenuLink = styled(Link)<{ $danger?: boolean }>`
  ${menuRow}
`;

const MenuButton = styled.button<{ $danger?: boolean }>`
  ${menuRow}
`;
