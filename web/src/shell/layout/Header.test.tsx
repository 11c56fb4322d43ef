import { beforeEach, describe, expect, test } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import { buildAdministrator, buildUser } from '../../test/factories.js';
import { renderRoutes } from '../../test/render.js';
import { startApi } from '../../test/server.js';
import { Header } from './Header.js';

const VISITOR = { 'GET /user': { status: 401, body: { message: 'Sign in first.', code: 'not_signed_in' } } };

const routes = [{ path: '*', element: <Header /> }];

beforeEach(() => {
  localStorage.clear();
  delete document.documentElement.dataset['signedIn'];
});

describe('header', () => {
  test('the header switches language and direction, and remembers the choice', async () => {
    const { apiRoot } = await startApi(VISITOR);
    const { user } = renderRoutes(routes, { apiRoot, language: 'ar' });
    expect(document.documentElement).toHaveAttribute('dir', 'rtl');
    expect(document.documentElement).toHaveAttribute('lang', 'ar');
    await user.click(screen.getByTestId('language-toggle'));
    expect(document.documentElement).toHaveAttribute('dir', 'ltr');
    expect(document.documentElement).toHaveAttribute('lang', 'en');
    expect(localStorage.getItem('language')).toBe('en');
    expect(await screen.findByRole('link', { name: 'Sign up' })).toBeInTheDocument();
    await user.click(screen.getByTestId('language-toggle'));
    expect(document.documentElement).toHaveAttribute('dir', 'rtl');
    expect(localStorage.getItem('language')).toBe('ar');
  });

  test('the header shows sign-in links to visitors, but not on the sign-in page', async () => {
    const { apiRoot } = await startApi(VISITOR);
    const { router } = renderRoutes(routes, { apiRoot });
    expect(await screen.findByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/auth?tab=login');
    expect(screen.getByRole('link', { name: 'Sign up' })).toHaveAttribute('href', '/auth');
    for (const path of ['/auth', '/', '/auth/']) {
      await act(() => router.navigate(path));
      expect(screen.queryAllByRole('link', { name: 'Sign up' })).toHaveLength(path === '/' ? 1 : 0);
    }
  });

  test('the header shows sign-in links while the user loads, unless one was signed in here', async () => {
    let answer = (): void => undefined;
    const asked = new Promise<void>((resolve) => (answer = resolve));
    const { apiRoot } = await startApi({
      'GET /auth-status': async () => {
        await asked;
        return { body: { authenticated: false } };
      },
    });
    renderRoutes(routes, { apiRoot });
    const link = screen.getByRole('link', { name: 'Sign up' });
    expect(link).toBeVisible();
    document.documentElement.dataset['signedIn'] = '';
    expect(link).not.toBeVisible();
    answer();
    await waitFor(() => {
      expect(link).toBeVisible();
    });
  });

  test('the header shows the account menu to a signed-in user', async () => {
    const { apiRoot } = await startApi({ 'GET /user': { body: buildUser() } });
    const { user } = renderRoutes(routes, { apiRoot });
    await user.click(await screen.findByRole('button', { name: 'Account menu' }));
    expect(screen.getByText('@noura')).toBeVisible();
    expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual(['Profile', 'Settings', 'Log out']);
    expect(screen.queryByRole('link', { name: 'Sign in' })).toBeNull();
  });

  test('the header links administrators to their panel, also from the phone menu', async () => {
    const { apiRoot } = await startApi({ 'GET /user': { body: buildAdministrator() } });
    const { user } = renderRoutes(routes, { apiRoot });
    await user.click(await screen.findByRole('button', { name: 'Account menu' }));
    expect(screen.getByRole('menuitem', { name: 'Admin panel' })).toHaveAttribute('href', '/admin');
    await user.keyboard('{Escape}');
    await user.click(screen.getByLabelText('Menu'));
    expect(screen.getByRole('link', { name: 'Admin panel' })).toHaveAttribute('href', '/admin');
  });
});
