import { lazy } from 'react';
import type { RouteObject } from 'react-router-dom';
import { RequireUser } from '../features/session/index.js';
import { Layout } from './layout/Layout.js';

const HomePage = lazy(async () => ({ default: (await import('../features/home/index.js')).HomePage }));
const AuthPage = lazy(async () => ({ default: (await import('../features/auth/index.js')).AuthPage }));
const ProfilePage = lazy(async () => ({ default: (await import('../features/profile/index.js')).ProfilePage }));
const SettingsPage = lazy(async () => ({ default: (await import('../features/settings/index.js')).SettingsPage }));
const AdminPage = lazy(async () => ({ default: (await import('../features/admin/index.js')).AdminPage }));
const AdminCreatePage = lazy(async () => ({ default: (await import('../features/admin/index.js')).AdminCreatePage }));
const PublicPage = lazy(async () => ({ default: (await import('../features/public-page/index.js')).PublicPage }));
const NotFoundPage = lazy(async () => ({ default: (await import('../features/not-found/index.js')).NotFoundPage }));

/** All routes. Each page is loaded lazily, so that a public page stays small. */
export const routes: RouteObject[] = [
  {
    element: <Layout />,
    children: [
      { path: '/', element: <HomePage /> },
      { path: '/auth', element: <AuthPage />, handle: { footer: false } },
      { path: '/m/:username', element: <PublicPage /> },
      {
        element: <RequireUser />,
        children: [
          { path: '/profile', element: <ProfilePage /> },
          { path: '/settings', element: <SettingsPage /> },
        ],
      },
      { path: '/admin', element: <AdminPage />, handle: { footer: false } },
      { path: '/admin/create', element: <AdminCreatePage />, handle: { footer: false } },
      { path: '*', element: <NotFoundPage />, handle: { footer: false } },
    ],
  },
];
