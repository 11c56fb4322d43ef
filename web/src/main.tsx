import './theme/fonts.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter, RouterProvider } from 'react-router-dom';
import { App } from './app/App.js';
import { routes } from './app/router.js';
import { createStore } from './app/store.js';
import { createI18n, readLanguage } from './i18n/index.js';

const root = document.getElementById('root');
if (root === null) throw new Error('The document has no #root element.');

const storage = () => window.localStorage;

createRoot(root).render(
  <StrictMode>
    <App store={createStore({ apiRoot: '/api' })} i18n={createI18n(readLanguage(storage))} storage={storage}>
      <RouterProvider router={createBrowserRouter(routes)} />
    </App>
  </StrictMode>,
);
