import { describe, expect, test } from '@jest/globals';
import { screen } from '@testing-library/react';
import { openAdmin } from '../../test/open-admin.js';
import { buildUser } from '../../test/factories.js';

describe('admin dashboard', () => {
  test.each([
    ['a visitor', { status: 401, body: { message: 'Sign in first.', code: 'not_signed_in' } }],
    ['a user who is no administrator', { body: buildUser() }],
  ])('denies %s access without calling the API', async (_who, answer) => {
    const { api, user } = await openAdmin({ answers: { 'GET /user': answer } });
    expect(screen.getByRole('heading', { level: 1, name: 'Access denied' })).toBeVisible();
    expect(screen.getByText('This page is for administrators and moderators only.')).toBeVisible();
    expect(screen.queryByRole('tab')).toBeNull();
    expect(api.calls.filter(({ path }) => path.startsWith('/admin'))).toEqual([]);
    await user.click(screen.getByRole('link', { name: 'Go back' }));
    expect(await screen.findByText('the home page')).toBeVisible();
  });

  test.each([
    ['sending data', 0, 'Sending data'],
    ['reports while one is open', 1, 'Reports'],
  ])('the admin dashboard opens at %s', async (_what, open, tab) => {
    await openAdmin({
      answers: {
        'GET /admin/reports': { body: [] },
        'GET /admin/reports/counts': { body: { open, mine: 0, closed: null } },
      },
    });
    expect(screen.getByRole('tab', { name: tab })).toHaveAttribute('aria-selected', 'true');
  });

  test('the admin dashboard has five tabs, and the URL of the open one', async () => {
    const { user, router } = await openAdmin();
    expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual([
      'Sending data',
      'Chatbot',
      'Reports',
      'History',
      'Account',
    ]);
    await user.click(screen.getByRole('tab', { name: 'Chatbot' }));
    expect(await screen.findByText('No conversations yet')).toBeVisible();
    expect(router.state.location.search).toBe('?tab=chatbot');
  });

  test('a moderator sees only reports and their history', async () => {
    const { api } = await openAdmin({
      answers: {
        'GET /user': { body: buildUser({ isModerator: true }) },
        'GET /admin/reports': { body: [] },
        'GET /admin/reports/counts': { body: { open: 0, mine: 0, closed: null } },
      },
    });
    expect(screen.getByRole('heading', { level: 1, name: 'Reports' })).toBeVisible();
    expect(await screen.findByText('No open reports')).toBeVisible();
    expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual(['Reports', 'History']);
    expect(await screen.findByRole('radio', { name: 'Open' })).toBeVisible();
    expect(screen.getByRole('radio', { name: 'Closed' })).toBeVisible();
    expect(
      new Set(api.calls.filter(({ path }) => path.startsWith('/admin')).map(({ path }) => path.split('?')[0])),
    ).toEqual(new Set(['/admin/reports', '/admin/reports/counts']));
  });

  test('the admin dashboard is translated to Arabic', async () => {
    await openAdmin({ language: 'ar', path: '/admin?tab=account' });
    expect(screen.getByRole('heading', { level: 1, name: 'لوحة الإدارة' })).toBeVisible();
    expect(screen.getByRole('tab', { name: 'حساب' })).toHaveAttribute('aria-selected', 'true');
    expect(screen.getByText('هذه الصفحة محميّة.')).toBeVisible();
  });
});
