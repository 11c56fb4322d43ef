import { useSyncExternalStore } from 'react';
import { useTranslation } from '../../i18n/index.js';
import { styled } from 'styled-components';
import { ButtonLink, Container, Logo, Optional } from '../../ui/index.js';
import { useCurrentUser } from '../../shared/session/index.js';
import { Link, useNavigation } from '../../ui/navigation.js';
import { LanguageToggle, PhoneMenuButton, PlainPhoneMenu } from './HeaderButtons.js';
import { lazyPart } from '../../lib/on-demand.js';
import { device } from '../../lib/storage.js';
import { visuallyHidden } from '../../theme/index.js';

const NotificationBell = lazyPart(async () => (await import('../../owner/notifications/index.js')).NotificationBell);
const OutboxNotice = lazyPart(async () => (await import('../../visitor/outbox/index.js')).OutboxNotice);
const AccountMenu = lazyPart(async () => (await import('./AccountMenu.js')).AccountMenu);

/** Pages with an outbox show it themselves. */
function hasOutbox(pathname: string): boolean {
  return !/^\/(m|r)(\/|$)/.test(pathname) && device.read('outbox') !== null;
}

function subscribeToStorage(onChange: () => void) {
  window.addEventListener('storage', onChange);
  return () => window.removeEventListener('storage', onChange);
}

const THRESHOLD = 20;

function subscribe(onChange: () => void) {
  window.addEventListener('scroll', onChange, { passive: true });
  return () => window.removeEventListener('scroll', onChange);
}

export const useScrolled = () =>
  useSyncExternalStore(
    subscribe,
    () => window.scrollY > THRESHOLD,
    () => false,
  );

export function Header() {
  const { t } = useTranslation();
  const { user, loading } = useCurrentUser();
  const { pathname } = useNavigation();
  const scrolled = useScrolled();
  const showsOutbox = useSyncExternalStore(
    subscribeToStorage,
    () => hasOutbox(pathname),
    () => false,
  );
  const showsSignIn = user === null && pathname !== '/auth';

  return (
    <>
      <SkipLink
        href="#content"
        // The router would take a hash for a step back.
        onClick={(event) => {
          event.preventDefault();
          const content = document.getElementById('content');
          // Focusable for this alone: a click anywhere would take the focus.
          content?.setAttribute('tabindex', '-1');
          content?.focus();
        }}
      >
        {t('common.header.skip')}
      </SkipLink>
      <StickyArea data-writing="away">
        <Bar $scrolled={scrolled}>
          <Row>
            <HomeLink to="/" aria-label={t('common.brand.home')}>
              <Brand />
            </HomeLink>
            <Actions>
              <LanguageToggle />
              {showsSignIn && (
                <SignInLinks data-unknown={loading || undefined}>
                  <ButtonLink to="/auth?tab=login" variant="ghost">
                    {t('common.header.signIn')}
                  </ButtonLink>
                  <ButtonLink to="/auth" variant="primary">
                    {t('common.header.signUp')}
                  </ButtonLink>
                </SignInLinks>
              )}
              {user !== null && (
                <Optional resetKey={pathname}>
                  {user.deletesAt === null && <NotificationBell />}
                  <AccountMenu user={user} />
                </Optional>
              )}
              <PhoneMenuButton user={user} showsSignIn={showsSignIn && !loading} />
              <PlainPhoneMenu showsSignIn={pathname !== '/auth'} />
            </Actions>
          </Row>
        </Bar>
      </StickyArea>
      {showsOutbox && (
        <Optional resetKey={pathname}>
          <OutboxNotice />
        </Optional>
      )}
    </>
  );
}

const SkipLink = styled.a`
  position: fixed;
  z-index: ${({ theme }) => theme.zIndex.toast};
  inset-block-start: 8px;
  inset-inline-start: 8px;
  padding: 12px 20px;
  background: var(--ink);
  color: var(--paper);
  ${({ theme }) => theme.bubble.control}
  &:not(:focus) {
    ${visuallyHidden}
    padding: 0;
  }
`;

const HomeLink = styled(Link)`
  display: grid;
  align-content: center;
  min-block-size: 44px;
`;

const Brand = styled(Logo)`
  block-size: 38px;
  inline-size: auto;
  ${({ theme }) => theme.media.phone} {
    block-size: 32px;
  }
`;

const Row = styled(Container)`
  display: flex;
  align-items: center;
  justify-content: space-between;
  min-block-size: 80px;
  transition: min-block-size var(--base) var(--ease);
  ${({ theme }) => theme.media.phone} {
    min-block-size: 64px;
  }
`;

/* Keeps its height while the bar shrinks: otherwise scroll anchoring undoes the change. */
const StickyArea = styled.div`
  position: sticky;
  inset-block-start: 0;
  z-index: ${({ theme }) => theme.zIndex.header};
  block-size: 81px;
  pointer-events: none;
  ${({ theme }) => theme.media.phone} {
    block-size: 65px;
  }
`;

const Bar = styled.header<{ $scrolled: boolean }>`
  pointer-events: auto;
  /* It stands where the page's scroll padding is: a focus that returned to it would scroll the page. */
  :is(a, button) {
    scroll-margin-block-start: -96px;
  }
  background: var(--paper);
  border-block-end: 1px solid ${({ $scrolled }) => ($scrolled ? 'var(--line)' : 'transparent')};
  box-shadow: ${({ $scrolled }) => ($scrolled ? 'var(--shadow-2)' : 'none')};
  ${Row} {
    min-block-size: ${({ $scrolled }) => ($scrolled ? '60px' : undefined)};
  }
  ${Brand} {
    block-size: ${({ $scrolled }) => ($scrolled ? '30px' : undefined)};
  }
`;

const Actions = styled.div`
  display: flex;
  align-items: center;
  gap: 6px;
`;

/* Shown without scripts, too. Keeps its space where a user was signed in. */
const SignInLinks = styled.div`
  display: flex;
  gap: 6px;
  :root[data-signed-in] &[data-unknown] {
    visibility: hidden;
  }
  ${({ theme }) => theme.media.phone} {
    display: none;
  }
`;
