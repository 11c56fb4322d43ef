import { describe, expect, test } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { buildUser } from '../../test/factories.js';
import { openPage, profile } from '../../test/open-public-page.js';
import { closureFor } from './closure.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const now = Date.parse('2026-11-20T10:00:00.000Z');
const userOfAge = (days: number) => buildUser({ createdAt: new Date(now - days * DAY_MS).toISOString() });
const page = (from: 'everyone' | 'accounts' | 'established' | 'nobody', notice = '') => ({
  ...profile,
  receiving: { from, minimumDays: 7, notice },
});

describe('who may write', () => {
  test.each([
    ['everyone', null, null],
    ['nobody', userOfAge(100), { kind: 'paused' }],
    ['accounts', null, { kind: 'accounts' }],
    ['accounts', userOfAge(0), null],
    ['established', null, { kind: 'accounts' }],
    ['established', userOfAge(6), { kind: 'tooNew', from: new Date(now + DAY_MS) }],
    ['established', userOfAge(7), null],
  ] as const)('%s', (from, user, closure) => {
    expect(closureFor(page(from), user, now)).toEqual(closure);
  });
});

describe('a page that takes no messages', () => {
  test("a paused page shows the owner's word in place of the composer", async () => {
    await openPage({ answers: { 'GET /users/noura': { body: page('nobody', 'Back in December.') } } });
    expect(await screen.findByRole('heading', { name: 'This page is not taking messages now' })).toBeVisible();
    expect(screen.getByText('Back in December.')).toBeVisible();
    expect(screen.queryByLabelText('Message text')).toBeNull();
  });

  test('a text being written stays when the page is paused', async () => {
    let isPaused = false;
    const { user, store } = await openPage({
      answers: { 'GET /users/noura': () => ({ body: page(isPaused ? 'nobody' : 'everyone') }) },
    });
    await user.type(await screen.findByLabelText('Message text'), 'half a sentence');
    isPaused = true;
    const { api } = await import('../../api/api.js');
    store.dispatch(api.util.invalidateTags(['Profile']));
    await screen.findByLabelText('Message text');
    expect(screen.getByLabelText('Message text')).toHaveValue('half a sentence');
  });
});

describe('a page for accounts only', () => {
  const SIGN_IN = /^Sign in to write to/;

  test('the notice of a page for accounts is marked until the user is known', async () => {
    let answer = (): void => undefined;
    const known = new Promise<void>((resolve) => (answer = resolve));
    await openPage({
      answers: {
        'GET /users/noura': { body: page('accounts') },
        'GET /user': async () => {
          await known;
          return { body: buildUser() };
        },
      },
    });
    const notice = await screen.findByRole('heading', { name: SIGN_IN });
    expect(notice.closest('section')).toHaveAttribute('data-unknown');
    answer();
    expect(await screen.findByLabelText('Message text')).toBeVisible();
    expect(screen.queryByRole('heading', { name: SIGN_IN })).toBeNull();
  });

  test('a page for accounts says so to visitors', async () => {
    await openPage({ answers: { 'GET /users/noura': { body: page('accounts') } } });
    const notice = await screen.findByRole('heading', { name: SIGN_IN });
    await waitFor(() => {
      expect(notice.closest('section')).not.toHaveAttribute('data-unknown');
    });
  });
});
