import { type MouseEvent, Suspense, use, useEffect, useState } from 'react';
import { Navigate, useLocation, useSearchParams } from 'react-router-dom';
import { styled } from 'styled-components';
import { OPENED } from '../../shared/use-scroll-restoration.js';
import { Container, PageLoading, Tab, TabList, TabPanel, Tabs } from '../../ui/index.js';
import { useDocumentTitle, useTranslation } from '../../i18n/index.js';
import { type Registration, useCurrentUser, useLoggedOut } from '../../shared/session/index.js';
import { LoginForm, type Typed } from './LoginForm.js';
import { MarketingPanel } from './MarketingPanel.js';
import { RegisterForm } from './RegisterForm.js';
import { SignInDataContext } from './sign-in-data.js';
import { useAuthActions } from './use-auth-actions.js';
import { lazyPart } from '../../lib/on-demand.js';

const WrittenRecoveryCodes = lazyPart(
  async () => (await import('../../shared/credentials/index.js')).WrittenRecoveryCodes,
);

export function AuthPage() {
  const { t } = useTranslation();
  const [search, setSearch] = useSearchParams();
  const { user } = useCurrentUser();
  const { reset: forget } = useLoggedOut();
  const actions = useAuthActions();
  const [passwordVisible, setPasswordVisible] = useState(false);
  // Kept while the other tab is open.
  const [credentials, keepCredentials] = useState<Typed>();
  const [registration, keepRegistration] = useState<Registration>();
  const { state, key } = useLocation() as { state: { tab?: string } | null; key: string };
  const data = use(SignInDataContext);
  const written = key === OPENED ? data : null;
  const tab = (search.get('tab') ?? state?.tab) === 'login' ? 'login' : 'register';
  useDocumentTitle(t(tab === 'login' ? 'auth.tabs.login' : 'auth.register.pageTitle'));

  useEffect(forget, [forget]);

  if (written?.created !== undefined)
    return (
      <Suspense fallback={<PageLoading />}>
        <WrittenRecoveryCodes {...written.created} onContinue={actions.openPage} />
      </Suspense>
    );

  if (user !== null && !actions.pending) return <Navigate to="/" replace />;

  const openTab = (next: string) => setSearch(next === 'login' ? { tab: 'login' } : {}, { replace: true });
  const form = {
    actions,
    passwordVisible,
    refused: written?.refused,
    onTogglePassword: () => setPasswordVisible((visible) => !visible),
    onSwitch: () => openTab(tab === 'login' ? 'register' : 'login'),
  };

  return (
    <Page>
      <Forms value={tab} onValueChange={openTab}>
        <TabList aria-label={t('auth.tabs.label')}>
          <Tab value="login" asChild>
            <a href="/auth?tab=login" onClick={stay}>
              {t('auth.tabs.login')}
            </a>
          </Tab>
          <Tab value="register" asChild>
            <a href="/auth" onClick={stay}>
              {t('auth.tabs.register')}
            </a>
          </Tab>
        </TabList>
        <TabPanel value="login" tabIndex={-1}>
          <LoginForm {...form} typed={credentials} onLeave={keepCredentials} />
        </TabPanel>
        <TabPanel value="register" tabIndex={-1}>
          <RegisterForm {...form} typed={registration} onLeave={keepRegistration} />
        </TabPanel>
      </Forms>
      <MarketingPanel />
    </Page>
  );
}

/** Opens the tab in place. Its address is for browsers without scripts. */
const stay = (event: MouseEvent) => {
  event.preventDefault();
};

const Page = styled(Container)`
  display: grid;
  grid-template-columns: minmax(0, 1fr) 480px;
  gap: 64px;
  align-items: stretch;
  padding-block: 12px 48px;
  ${({ theme }) => theme.media.stacked} {
    grid-template-columns: minmax(0, 1fr);
  }
  ${({ theme }) => theme.media.phone} {
    padding-block: 8px 24px;
    gap: 32px;
  }
`;

const Forms = styled(Tabs)`
  max-inline-size: 520px;
  inline-size: 100%;
  padding-block: 16px;
  display: grid;
  gap: 28px;
  align-content: start;
  ${({ theme }) => theme.media.phone} {
    gap: 12px;
    padding-block: 4px;
  }
`;
