import { StrictMode, type ReactNode } from 'react';
import { renderToReadableStream } from 'react-dom/server';
import { StaticRouter } from 'react-router-dom';
import { ServerStyleSheet } from 'styled-components';
import { App } from './shell/App.js';
import { type PageData, PublicRoot } from './shell/PublicRoot.js';
import { api } from './api/api.js';
import { AppRoutes, preloadPage } from './shell/router.js';
import { createStore, type Store } from './api/store.js';
import { type SignInData, SignInDataContext } from './visitor/auth/index.js';
import { primeWayBack, type WayBackData, WayBackDataContext } from './visitor/way-back/index.js';
import { createI18n, type I18n, type Language, type TextKey } from './i18n/index.js';
import * as ar from './i18n/locales/ar/index.js';
import * as en from './i18n/locales/en/index.js';
import { INFO_PAGE_NAMES, infoTexts } from './lib/info-pages.js';

export { ownPaths, routePaths } from './shell/router.js';
export { pageStyles, withoutScripts } from './theme/page-styles.js';
export { colours } from './theme/tokens.js';

export interface Rendered {
  body: string;
  styles: string;
  /** If it depends on the data. */
  title?: string;
}

export interface PublicPageRequest {
  language: Language;
  pathname: string;
  username: string;
  data: PageData;
  asked?: number;
  /** In milliseconds. */
  renderedAt: number;
}

const texts = { ar, en };

async function textOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  for (let text = ''; ;) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += decoder.decode(value, { stream: true });
  }
}

/**
 * Radix writes style attributes, which every page's policy refuses; our sheets replace them. In user text the quotes
 * are entities.
 */
const FOREIGN_STYLES =
  / style="(?:outline:none|animation-duration:0s|position:absolute;pointer-events:none;opacity:0;margin:0;transform:translateX\(-100%\))"/g;

async function render(store: Store, i18n: I18n, renderedAt: number, page: ReactNode): Promise<Rendered> {
  const sheet = new ServerStyleSheet();
  const faults: unknown[] = [];
  try {
    const stream = await renderToReadableStream(
      sheet.collectStyles(
        <StrictMode>
          <App store={store} i18n={i18n} renderedAt={renderedAt}>
            {page}
          </App>
        </StrictMode>,
      ),
      // React outlines large parts with inline scripts, which the content security policy refuses.
      { progressiveChunkSize: Infinity, onError: (fault) => void faults.push(fault) },
    );
    await stream.allReady;
    // Otherwise React leaves a failed part to the client.
    if (faults.length > 0) throw faults[0];
    return { body: (await textOf(stream)).replaceAll(FOREIGN_STYLES, ''), styles: sheet.getStyleTags() };
  } finally {
    sheet.seal();
    // RTK Query's timers would keep the store for minutes.
    store.dispatch(api.util.resetApiState());
  }
}

/** As the client's first render. */
export async function renderPublicPage(request: PublicPageRequest): Promise<Rendered> {
  const { language, pathname, username, data, asked, renderedAt } = request;
  return render(
    createStore({ apiRoot: '/api' }),
    createI18n({ language, texts }),
    renderedAt,
    <PublicRoot pathname={pathname} username={username} asked={asked} data={data} />,
  );
}

export interface WayBackPageRequest {
  language: Language;
  token: string;
  data: WayBackData;
  renderedAt: number;
}

export async function renderWayBack({ language, token, data, renderedAt }: WayBackPageRequest): Promise<Rendered> {
  const i18n = createI18n({ language, texts });
  const path = `/r/${token}`;
  await preloadPage(path, i18n);
  const store = createStore({ apiRoot: '/api' });
  await primeWayBack(store, token, data);
  return render(
    store,
    i18n,
    renderedAt,
    <StaticRouter location={path}>
      <WayBackDataContext value={data}>
        <AppRoutes />
      </WayBackDataContext>
    </StaticRouter>,
  );
}

export interface SignInPageRequest {
  language: Language;
  /** With the query that names the form. */
  path: string;
  data: SignInData;
  renderedAt: number;
}

export async function renderSignIn({ language, path, data, renderedAt }: SignInPageRequest): Promise<Rendered> {
  const i18n = createI18n({ language, texts });
  await preloadPage('/auth', i18n);
  const rendered = await render(
    createStore({ apiRoot: '/api' }),
    i18n,
    renderedAt,
    <StaticRouter location={path}>
      <SignInDataContext value={data}>
        <AppRoutes />
      </SignInDataContext>
    </StaticRouter>,
  );
  const { t } = i18n.current();
  const title =
    data.created === undefined
      ? describeRoute(language, path).title
      : t('common.brand.title', { page: t('access.recovery.title') });
  return { ...rendered, title };
}

export async function renderRoute(language: Language, path: string, renderedAt: number): Promise<Rendered> {
  const i18n = createI18n({ language, texts });
  await preloadPage(path.replace(/\?.*/, ''), i18n);
  return render(
    createStore({ apiRoot: '/api' }),
    i18n,
    renderedAt,
    <StaticRouter location={path}>
      <AppRoutes />
    </StaticRouter>,
  );
}

export function describeRoute(language: Language, path: string): { title: string; description: string } {
  const { t } = createI18n({ language, texts }).current();
  const pages: Record<string, TextKey> = {
    '/': 'home.title',
    '/auth': 'auth.register.pageTitle',
    '/auth?tab=login': 'auth.tabs.login',
    '/404': 'notFound.title',
    ...Object.fromEntries(INFO_PAGE_NAMES.map((name) => [`/${name}`, `${infoTexts(name)}.title` as const])),
  };
  const page = pages[path];
  return {
    title: page === undefined ? t('common.brand.name') : t('common.brand.title', { page: t(page) }),
    description: t('site.footer.text'),
  };
}

export function describeStart(
  language: Language,
): Record<'failed' | 'reload' | 'noScripts' | 'own' | 'ownPage' | 'logOut', string> {
  const { t } = createI18n({ language, texts }).current();
  return {
    failed: t('site.start.failed'),
    reload: t('common.failure.reload'),
    noScripts: t('site.start.noScripts'),
    own: t('site.start.own'),
    ownPage: t('site.start.ownPage'),
    logOut: t('common.header.logOut'),
  };
}
