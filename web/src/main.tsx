import './theme/files.css';
import { askedIn } from '@najwa/proto/http/client';
import { startTransition, StrictMode, type ReactNode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { App } from './shell/App.js';
import { type PageData, PublicRoot } from './shell/PublicRoot.js';
import type { SignInData } from './visitor/auth/index.js';
import type { WayBackData } from './visitor/way-back/index.js';
import { takeEarlyInput } from './shell/early-input.js';
import { createStore } from './api/store.js';
import { createI18n, documentLanguage, loadTexts } from './i18n/index.js';
import { allowTranslation } from './lib/allow-translation.js';

const root = document.getElementById('root');
if (root === null) throw new Error('The document has no #root element.');

allowTranslation();

const i18n = createI18n({ language: documentLanguage(), loadTexts });
const store = createStore({ apiRoot: '/api' });
const { pathname, search } = window.location;

const pageDataText = document.getElementById('page-data')?.textContent;
const pageData: unknown = pageDataText === undefined ? null : JSON.parse(pageDataText);

const isMissing = root.dataset['missing'] !== undefined;

async function loadPage(): Promise<ReactNode> {
  const [, username] = /^\/m\/([\w.-]+)\/?$/.exec(pathname) ?? [];
  if (username !== undefined) {
    await i18n.load(['common', 'publicPage', 'player']);
    const data = pageData as PageData | null;
    return <PublicRoot pathname={pathname} username={username} asked={askedIn(search)} data={data} />;
  }
  const { AppRouter, MISSING_PATH, preloadPage } = await import('./shell/router.js');
  await preloadPage(isMissing ? MISSING_PATH : pathname, i18n);
  if (pageData === null) return <AppRouter isMissing={isMissing} />;
  if (pathname === '/auth') {
    const { SignInDataContext } = await import('./visitor/auth/index.js');
    return (
      <SignInDataContext value={pageData as SignInData}>
        <AppRouter />
      </SignInDataContext>
    );
  }
  const { primeWayBack, WayBackDataContext } = await import('./visitor/way-back/index.js');
  await primeWayBack(store, pathname.slice('/r/'.length), pageData as WayBackData);
  return (
    <WayBackDataContext value={pageData as WayBackData}>
      <AppRouter />
    </WayBackDataContext>
  );
}

const page = await loadPage();
const renderedAt = root.dataset['rendered'] === undefined ? null : Number(root.dataset['rendered']);
const onHydrated = takeEarlyInput();
const app = (
  <StrictMode>
    <App store={store} i18n={i18n} renderedAt={renderedAt} onHydrated={onHydrated}>
      {page}
    </App>
  </StrictMode>
);
if (renderedAt === null) createRoot(root).render(app);
// A transition hydrates in slices: otherwise a slow processor is blocked for a quarter of a second.
else startTransition(() => void hydrateRoot(root, app));
