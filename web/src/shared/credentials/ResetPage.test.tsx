import { describe, expect, test } from '@jest/globals';
import { screen } from '@testing-library/react';
import { renderRoutes } from '../../test/render.js';
import { startApi, type Answers } from '../../test/server.js';
import { ResetPage } from './index.js';

const routes = [
  { path: '/reset', element: <ResetPage /> },
  { path: '/auth', element: <p>sign-in page</p> },
];

async function openReset(answers: Answers) {
  const api = await startApi(answers);
  return { api, ...renderRoutes(routes, { apiRoot: api.apiRoot, path: '/reset' }) };
}

async function fill(user: Awaited<ReturnType<typeof openReset>>['user'], again = 'battery staple') {
  await user.type(screen.getByLabelText('Username'), ' noura ');
  await user.type(screen.getByLabelText('Recovery code'), 'h4kq-7mxw');
  await user.type(screen.getByLabelText('New password'), 'battery staple');
  await user.type(screen.getByLabelText('Once more'), again);
  await user.click(screen.getByRole('button', { name: 'Change password' }));
}

describe('a password reset', () => {
  test('a password reset sends code and password, and opens the sign-in page', async () => {
    const { user, api } = await openReset({ 'POST /password-resets': { status: 204 } });
    await fill(user);
    expect(await screen.findByText('sign-in page')).toBeVisible();
    expect(await screen.findByText('Password changed')).toBeVisible();
    expect(api.callsTo('POST /password-resets').map(({ body }) => body)).toEqual([
      { username: 'noura', code: 'h4kq-7mxw', password: 'battery staple', confirmPassword: 'battery staple' },
    ]);
  });

  test('a refused password reset has one text for every reason, and keeps the input', async () => {
    const { user } = await openReset({
      'POST /password-resets': { status: 401, body: { message: 'No.', code: 'wrong_recovery_code' } },
    });
    await fill(user);
    expect(await screen.findByRole('alert')).toHaveTextContent('The password was not changed');
    expect(screen.getByLabelText('Recovery code')).toHaveValue('h4kq-7mxw');
  });

  test('a password reset requires the repetition without calling the API', async () => {
    const { user, api } = await openReset({});
    await fill(user, 'another');
    expect(await screen.findByText('Passwords do not match')).toBeVisible();
    expect(api.calls.filter(({ method }) => method === 'POST')).toEqual([]);
  });
});
