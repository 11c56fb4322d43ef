import { describe, expect, test } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import { buildUser } from '../../test/factories.js';
import { renderRoutes } from '../../test/render.js';
import { startApi, type Answers } from '../../test/server.js';
import { applySession, RequireUser, type User } from '../../shared/session/index.js';
import { SettingsPage } from './index.js';

const routes = [
  { path: '/', element: <p>home page</p> },
  { path: '/auth', element: <p>sign-in page</p> },
  { element: <RequireUser />, children: [{ path: '/settings/*', element: <SettingsPage /> }] },
];

const HOUR_MS = 60 * 60 * 1000;
const noura = buildUser({ id: 1, username: 'noura' });
const salem = buildUser({ id: 2, username: 'salem', name: 'Salem' });

/** Settings of `who`, which changes. */
async function openSettings(path: string, answersOf: (who: () => User) => Answers) {
  let current = noura;
  const api = await startApi({
    'GET /user': () => ({ body: current }),
    ...answersOf(() => current),
  });
  const view = renderRoutes(routes, { apiRoot: api.apiRoot, path });
  return {
    api,
    ...view,
    /** Another account signs in, in another tab. */
    become: (user: User) => {
      current = user;
    },
  };
}

describe('another account in the same browser', () => {
  test('another account sees no export and no reports of the former one', async () => {
    const expiresAt = new Date(Date.now() + 20 * HOUR_MS).toISOString();
    const file = { id: 4, status: 'ready', progress: 100, size: 19_300_000, expiresAt };
    const { become, store, router } = await openSettings('/settings/data', (who) => ({
      'GET /exports': () => (who() === noura ? { body: [file] } : new Promise(() => undefined)),
    }));
    expect(await screen.findByText('Your file is ready')).toBeVisible();
    await applySession(store.dispatch, () => Promise.resolve(null));
    expect(await screen.findByText('sign-in page')).toBeVisible();
    become(salem);
    await act(async () => {
      await applySession(store.dispatch, () => Promise.resolve(salem));
      await router.navigate('/settings/data');
    });
    expect(await screen.findByRole('button', { name: 'Gather a new file' })).toBeVisible();
    expect(screen.queryByText('Your file is ready')).toBeNull();
  });
});
