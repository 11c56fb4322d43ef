import { Languages, LogIn, LogOut, Menu, Settings, Shield, UserRound, X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { keyframes, styled } from 'styled-components';
import { ButtonLink, Icon, IconButtonShape, Logo, menuRow } from '../../components/index.js';
import { useLogout, type User } from '../../features/session/index.js';
import { otherLanguage, useLanguage } from '../../i18n/index.js';
import { Who } from './AccountMenu.js';

interface Props {
  user: User | null;
  /** False on the sign-in page and for signed-in users. */
  offersEntrance: boolean;
}

/** Contains every header item that does not fit on a phone. */
export function PhoneMenu({ user, offersEntrance }: Props) {
  const { t } = useTranslation();
  const { language, toggle } = useLanguage();
  const { leave, leaving } = useLogout();
  const [open, setOpen] = useState(false);
  const close = () => {
    setOpen(false);
  };

  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Trigger asChild>
        <OnlyPhone aria-label={t('common.header.menu')}>
          <Icon of={Menu} size="lg" />
        </OnlyPhone>
      </Dialog.Trigger>
      <Dialog.Portal>
        <Scrim>
          <Sheet aria-describedby={undefined}>
            <Dialog.Title hidden>{t('common.header.menu')}</Dialog.Title>
            <Top>
              {user === null ? <Brand /> : <Who user={user} />}
              <Dialog.Close asChild>
                <IconButtonShape aria-label={t('common.action.close')}>
                  <Icon of={X} />
                </IconButtonShape>
              </Dialog.Close>
            </Top>
            <Line />
            <nav aria-label={t('common.header.menu')}>
              {user !== null && (
                <>
                  <RowLink to="/profile" onClick={close}>
                    <Icon of={UserRound} />
                    {t('common.header.profile')}
                  </RowLink>
                  <RowLink to="/settings" onClick={close}>
                    <Icon of={Settings} />
                    {t('common.header.settings')}
                  </RowLink>
                  {user.isAdmin && (
                    <RowLink to="/admin" onClick={close}>
                      <Icon of={Shield} />
                      {t('common.header.adminPanel')}
                    </RowLink>
                  )}
                </>
              )}
              {user === null && offersEntrance && (
                <RowLink to="/auth?tab=login" onClick={close}>
                  <Icon of={LogIn} flip />
                  {t('common.header.signIn')}
                </RowLink>
              )}
              <RowButton
                type="button"
                onClick={() => {
                  toggle();
                  close();
                }}
              >
                <Icon of={Languages} />
                <span lang={otherLanguage(language)}>{t('common.header.otherLanguage')}</span>
              </RowButton>
              {user !== null && (
                <>
                  <Line />
                  <RowButton
                    type="button"
                    $danger
                    disabled={leaving}
                    onClick={() => {
                      close();
                      void leave();
                    }}
                  >
                    <Icon of={LogOut} flip />
                    {t('common.header.logOut')}
                  </RowButton>
                </>
              )}
            </nav>
            {user === null && offersEntrance && (
              <div onClick={close}>
                <Line />
                <ButtonLink to="/auth" variant="primary" block>
                  {t('common.header.signUp')}
                </ButtonLink>
              </div>
            )}
          </Sheet>
        </Scrim>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

const unfold = keyframes`
  from { opacity: 0; translate: 0 -4px; }
`;

const OnlyPhone = styled(IconButtonShape)`
  display: none;
  ${({ theme }) => theme.media.phone} {
    display: inline-grid;
  }
`;

const Scrim = styled(Dialog.Overlay)`
  position: fixed;
  inset: 0;
  z-index: ${({ theme }) => theme.depth.dialog};
  background: var(--scrim);
  padding: 8px;
  overflow: auto;
`;

const Sheet = styled(Dialog.Content)`
  background: var(--raised);
  border: 1px solid var(--line);
  border-radius: 26px;
  border-end-start-radius: 8px;
  padding: 12px;
  box-shadow: var(--shadow-3);
  animation: ${unfold} var(--base) var(--ease);
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

const Line = styled.hr`
  border: 0;
  border-block-start: 1px solid var(--line);
  margin: 8px 4px;
`;

const RowLink = styled(Link)<{ $danger?: boolean }>`
  ${menuRow}
`;

const RowButton = styled.button<{ $danger?: boolean }>`
  ${menuRow}
`;
