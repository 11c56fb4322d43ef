import { describe, expect, test } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { buildUser } from '../../test/factories.js';
import { renderRoutes } from '../../test/render.js';
import { startApi, type Answers } from '../../test/server.js';
import { RequireUser } from '../../shared/session/index.js';
import { SettingsPage } from './index.js';

const DAY_MS = 24 * 60 * 60 * 1000;

const routes = [
  {
    element: <RequireUser />,
    children: [
      { path: '/settings/*', element: <SettingsPage /> },
      { path: '/profile', element: <p>profile page</p> },
    ],
  },
];

async function openData(answers: Answers = {}, path = '/settings/data') {
  const api = await startApi({ 'GET /user': { body: buildUser() }, ...answers });
  const view = renderRoutes(routes, { apiRoot: api.apiRoot, path, language: 'en' });
  await screen.findByRole('heading', { level: 1 });
  return { api, ...view };
}

describe('export of the account', () => {
  const HOUR_MS = 60 * 60 * 1000;
  const anExport = (changes: object = {}) => ({
    id: 4,
    status: 'gathering',
    progress: 64,
    expiresAt: new Date(Date.now() + 21.5 * HOUR_MS).toISOString(),
    ...changes,
  });

  test('an export shows its progress, and then that it is ready', async () => {
    let exports: object[] = [];
    const { user, api } = await openData({
      'GET /exports': () => ({ body: exports }),
      'POST /exports': () => {
        exports = [anExport()];
        return { status: 201, body: anExport({ progress: 0 }) };
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Gather a new file' }));
    expect(await screen.findByRole('progressbar', { name: 'Gathering your file 64%' })).toHaveAttribute(
      'aria-valuenow',
      '64',
    );
    expect(screen.queryByRole('button', { name: 'Gather a new file' })).toBeNull();
    expect(api.callsTo('POST /exports')[0]?.query.get('language')).toBe('en');
    exports = [anExport({ status: 'ready', progress: 100, size: 19_300_000 })];
    expect(await screen.findByText('Your file is ready')).toBeVisible();
    expect(screen.getByText(/18\.4 MB\s.*removed in 22 hours/)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Download' })).toBeVisible();
  });

  test.each([
    ['is ready', { status: 'ready', progress: 100 }, 'Your file is ready', true],
    ['could not be gathered', { status: 'failed' }, 'We are trying again.', false],
    [
      'has expired',
      { status: 'ready', progress: 100, expiresAt: new Date(0).toISOString() },
      'Gather a new one.',
      false,
    ],
  ])('finds a file again that %s', async (_, changes, text, isThere) => {
    await openData({ 'GET /exports': { body: [anExport(changes)] } });
    expect(await screen.findByText(text)).toBeVisible();
    expect(screen.queryAllByRole('button', { name: 'Download' })).toHaveLength(isThere ? 1 : 0);
    expect(screen.getByRole('button', { name: 'Gather a new file' })).toBeVisible();
  });

  test('an export requested in another tab shows', async () => {
    let exports: object[] = [];
    const { user } = await openData({
      'GET /exports': () => ({ body: exports }),
      'POST /exports': () => {
        exports = [anExport()];
        return { status: 409, body: { message: 'No.', code: 'export_running' } };
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Gather a new file' }));
    expect(await screen.findByText('A file is being gathered')).toBeVisible();
    expect(await screen.findByRole('progressbar')).toBeVisible();
  });

  test('a refused export says why', async () => {
    const { user } = await openData({
      'GET /exports': { body: [] },
      'POST /exports': {
        status: 429,
        headers: { 'retry-after': '3600' },
        body: { message: 'No.', code: 'too_many_requests' },
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Gather a new file' }));
    expect(await screen.findByText('Could not gather your file')).toBeVisible();
  });
});

describe('deletion of the account', () => {
  test('deletion says what happens, and asks for the password', async () => {
    let deletesAt: string | null = null;
    const { user, api } = await openData({
      'GET /user': () => ({ body: buildUser({ deletesAt }) }),
      'POST /account/deletion': ({ body }) => {
        if ((body as { password: string }).password !== 'correct horse')
          return { status: 422, body: { message: 'Wrong.', code: 'wrong_password', fields: { password: 'wrong' } } };
        deletesAt = new Date(Date.now() + 7 * DAY_MS).toISOString();
        return { status: 202, body: { deletesAt } };
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Delete my account' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Delete your account?' }));
    expect(dialog.getAllByRole('listitem')).toHaveLength(4);
    await user.type(dialog.getByLabelText('Password'), 'another horse');
    await user.click(dialog.getByRole('button', { name: 'Delete in a week' }));
    expect(await dialog.findByText('Wrong password')).toBeVisible();
    await user.clear(dialog.getByLabelText('Password'));
    await user.type(dialog.getByLabelText('Password'), 'correct horse');
    await user.click(dialog.getByRole('button', { name: 'Delete in a week' }));
    expect(await screen.findByText('Your page is closed')).toBeVisible();
    expect(await screen.findByRole('button', { name: 'Keep my account' })).toBeVisible();
    expect(api.callsTo('POST /account/deletion')).toHaveLength(2);
  });

  test('a closed account has one page, from which it is reopened', async () => {
    let deletesAt: string | null = new Date(Date.now() + 4.5 * DAY_MS).toISOString();
    const { user } = await openData(
      {
        'GET /user': () => ({ body: buildUser({ deletesAt }) }),
        'DELETE /account/deletion': () => {
          deletesAt = null;
          return { status: 204 };
        },
      },
      '/profile',
    );
    expect(await screen.findByText(/^5 days are left\./)).toBeVisible();
    expect(screen.getByRole('img', { name: '5 of 7 days left' })).toBeVisible();
    expect(screen.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['Your data']);
    await user.click(screen.getByRole('button', { name: 'Keep my account' }));
    expect(await screen.findByText('Your account stays')).toBeVisible();
    expect(await screen.findByRole('link', { name: 'Your profile' })).toBeVisible();
  });
});
