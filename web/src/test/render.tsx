import './setup.js';
import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactElement } from 'react';
import { createMemoryRouter, Outlet, RouterProvider, type RouteObject } from 'react-router-dom';
import { type IStyleSheetManager, StyleSheetManager } from 'styled-components';
import { App } from '../shell/App.js';
import { RouterNavigation } from '../shell/RouterNavigation.js';
import { createStore } from '../api/store.js';
import { createI18n, type Language } from '../i18n/index.js';
import { allTexts } from './texts.js';

interface Options {
  language?: Language;
  apiRoot?: string;
  path?: string;
  /** Other routes, as targets of navigation. */
  routes?: RouteObject[];
}

const frame = (
  <RouterNavigation>
    <Outlet />
  </RouterNavigation>
);

/** All properties that tests read. jsdom has no layout: others would only slow down each query. */
const SEEN = new Set(['display', 'visibility', 'opacity', 'pointer-events', 'overflow', 'white-space']);

/** Turns all others into comments, which Stylis drops. */
function keepSeen(element: { type: string; props: string | string[] }): void {
  if (element.type === 'decl' && !SEEN.has(String(element.props))) element.type = 'comm';
}

const plugins: IStyleSheetManager['stylisPlugins'] = [keepSeen];

/** No server listens here. */
const NOWHERE = 'http://127.0.0.1:9';

export function renderRoutes(routes: RouteObject[], { language = 'en', apiRoot = NOWHERE, path = '/' }: Options = {}) {
  const router = createMemoryRouter([{ element: frame, children: routes }], { initialEntries: [path] });
  const store = createStore({ apiRoot });
  const view = render(
    <StyleSheetManager stylisPlugins={plugins}>
      <App store={store} i18n={createI18n({ language, texts: allTexts })}>
        <RouterProvider router={router} />
      </App>
    </StyleSheetManager>,
  );
  return { ...view, router, store, user: userEvent.setup() };
}

export function renderElement(element: ReactElement, { routes = [], ...options }: Options = {}) {
  return renderRoutes([{ path: '/', element }, ...routes], options);
}
