import { askedIn } from '@najwa/proto/http/client';
import { type ComponentType, Suspense } from 'react';
import {
  BrowserRouter,
  matchRoutes,
  Outlet,
  type RouteObject,
  useLocation,
  useParams,
  useRoutes,
} from 'react-router-dom';
import { PageLoading } from '../ui/index.js';
import { INFO_PAGE_NAMES, INFO_PAGES } from '../lib/info-pages.js';
import { lazyPart } from '../lib/on-demand.js';
import { RequireUser } from '../shared/session/index.js';
import { type I18n, type Namespace, useTexts } from '../i18n/index.js';
import { Layout } from './layout/Layout.js';
import { RouterNavigation } from './RouterNavigation.js';
import { OPENED, useScrollRestoration } from '../shared/use-scroll-restoration.js';

export { pushFirst } from '../shared/use-scroll-restoration.js';

interface Page {
  Component: ComponentType;
  namespaces: readonly Namespace[];
  /** So that the page renders at once. */
  preload: () => Promise<void>;
}

function page(namespaces: readonly Namespace[], load: () => Promise<ComponentType>): Page {
  let Loaded: ComponentType | undefined;
  const preload = async () => {
    Loaded = await load();
  };
  const Lazy = lazyPart(load);
  return {
    namespaces,
    preload,
    Component: function LazyPage() {
      // Lazy loads it too, and reports failures.
      if (Loaded === undefined) preload().catch(() => undefined);
      useTexts(namespaces);
      return Loaded === undefined ? <Lazy /> : <Loaded />;
    },
  };
}

const pages = {
  home: page(['home'], async () => (await import('../visitor/home/index.js')).HomePage),
  auth: page(['auth', 'ownErrors'], async () => (await import('../visitor/auth/index.js')).AuthPage),
  reset: page(['access', 'auth', 'ownErrors'], async () => (await import('../shared/credentials/index.js')).ResetPage),
  publicPage: page(['publicPage', 'player'], async () => {
    const { loadQueriedPage } = await import('../visitor/public-page/index.js');
    const QueriedPage = await loadQueriedPage();
    return function RoutedPublicPage() {
      const { username = '' } = useParams();
      const { search } = useLocation();
      return <QueriedPage username={username} asked={askedIn(search)} />;
    };
  }),
  wayBack: page(
    ['wayBack', 'player', 'publicPage', 'ownErrors'],
    async () => (await import('../visitor/way-back/index.js')).WayBackPage,
  ),
  sentHere: page(['wayBack'], async () => (await import('../visitor/way-back/index.js')).SentHerePage),
  profile: page(['profile', 'messages', 'ownErrors', 'player', 'wayBack'], async () => {
    const [{ ProfilePage }] = await Promise.all([
      import('../owner/profile/index.js'),
      import('../owner/inbox/index.js'),
    ]);
    return ProfilePage;
  }),
  settings: page(
    ['settings', 'auth', 'ownErrors'],
    async () => (await import('../owner/settings/index.js')).SettingsPage,
  ),
  admin: page(
    ['admin', 'auth', 'messages', 'ownErrors', 'report', 'player'],
    async () => (await import('../owner/admin/index.js')).AdminPage,
  ),
  adminCreate: page(
    ['admin', 'auth', 'ownErrors'],
    async () => (await import('../owner/admin/index.js')).AdminCreatePage,
  ),
  notFound: page(['notFound'], async () => (await import('../visitor/not-found/index.js')).NotFoundPage),
};

interface Handle {
  page?: Page;
  footer?: boolean;
}

function route(path: string, shown: Page, handle: Omit<Handle, 'page'> = {}): RouteObject {
  return { path, element: <shown.Component />, handle: { page: shown, ...handle } satisfies Handle };
}

const NO_FOOTER = { footer: false };

const ownRoutes: RouteObject[] = [
  route('/profile', pages.profile),
  route('/sent', pages.wayBack),
  ...['', '/receiving', '/questions', '/access', '/notices', '/data'].map((part) =>
    route(`/settings${part}`, pages.settings),
  ),
];

const infoRoutes = INFO_PAGE_NAMES.map((name) =>
  route(
    `/${name}`,
    page(['site', INFO_PAGES[name]], async () => (await import('../visitor/info/index.js')).infoPages[name]),
  ),
);

/** Each page's code and texts load on demand, so that a public page stays small. */
const routes: RouteObject[] = [
  {
    element: <Shell />,
    children: [
      route('/', pages.home),
      route('/auth', pages.auth, NO_FOOTER),
      route('/reset', pages.reset),
      ...infoRoutes,
      route('/m/:username', pages.publicPage),
      route('/r', pages.sentHere),
      route('/r/:token', pages.wayBack),
      { element: <RequireUser />, children: ownRoutes },
      route('/admin', pages.admin, NO_FOOTER),
      route('/admin/create', pages.adminCreate, NO_FOOTER),
      route('*', pages.notFound, NO_FOOTER),
    ],
  },
];

const pathsOf = (some: readonly RouteObject[]): string[] =>
  some.flatMap(({ path = '', children = [] }) => [path, ...pathsOf(children)]).filter((path) => path.startsWith('/'));

/** All but that of unknown addresses. Parameters follow a colon. */
export const routePaths = pathsOf(routes);
export const ownPaths = pathsOf(ownRoutes);

function handleOf(pathname: string): Handle {
  return (matchRoutes(routes, pathname)?.at(-1)?.route.handle ?? {}) as Handle;
}

function Shell() {
  useScrollRestoration();
  const { pathname } = useLocation();
  return (
    <RouterNavigation>
      <Layout footer={handleOf(pathname).footer !== false}>
        <Suspense fallback={<PageLoading />}>
          <Outlet />
        </Suspense>
      </Layout>
    </RouterNavigation>
  );
}

export const MISSING_PATH = '/404';

export const AppRoutes = () => useRoutes(routes);

/** @param isMissing the server found nothing at this address, though it may match a route */
export function AppRouter({ isMissing = false }: { isMissing?: boolean }) {
  return (
    <BrowserRouter>
      <OpenedRoutes isMissing={isMissing} />
    </BrowserRouter>
  );
}

function OpenedRoutes({ isMissing }: { isMissing: boolean }) {
  const location = useLocation();
  return useRoutes(routes, isMissing && location.key === OPENED ? MISSING_PATH : location);
}

export async function preloadPage(pathname: string, i18n: I18n): Promise<void> {
  const { page: shown } = handleOf(pathname);
  await Promise.all([i18n.load(['common', ...(shown?.namespaces ?? [])]), shown?.preload()]);
}
