import { afterEach, describe, expect, test } from '@jest/globals';
import { RECEIVING_DEFAULTS } from '@najwa/proto/http/client';
import { act, screen, waitFor } from '@testing-library/react';
import { keepDraft, readDraft } from '../../lib/drafts.js';
import { saveWayBack, savedWaysBack } from '../../lib/kept-ways.js';
import { buildUser } from '../../test/factories.js';
import { renderRoutes } from '../../test/render.js';
import { startApi, type Answers } from '../../test/server.js';
import { useGetReceivingQuery } from '../receiving/index.js';
import { RequireUser, useLogout } from './index.js';

afterEach(() => {
  localStorage.clear();
});

function LogoutButton() {
  const { logOut } = useLogout();
  return (
    <button type="button" onClick={() => void logOut()}>
      log out
    </button>
  );
}

function Settings() {
  const { data } = useGetReceivingQuery();
  return <p>{data?.notice}</p>;
}

const routes = [
  { path: '/', element: <p>the home page</p> },
  { path: '/auth', element: <p>sign-in page</p> },
  {
    element: <RequireUser />,
    children: [
      { path: '/profile', element: <LogoutButton /> },
      { path: '/settings', element: <Settings /> },
    ],
  },
];

async function openProfile(answers: Answers) {
  const api = await startApi(answers);
  return { api, ...renderRoutes(routes, { apiRoot: api.apiRoot, path: '/profile' }) };
}

describe('protected page', () => {
  test('a protected page renders nothing while the user is loading', async () => {
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await openProfile({
      'GET /user': async () => {
        await held;
        return { body: buildUser() };
      },
    });
    expect(screen.queryByRole('button')).toBeNull();
    expect(screen.queryByText('sign-in page')).toBeNull();
    answer();
    expect(await screen.findByRole('button', { name: 'log out' })).toBeVisible();
  });

  test('a protected page stays, and retries, while the session is unknown', async () => {
    let isAway = true;
    const { user } = await openProfile({
      'GET /user': { body: buildUser() },
      'GET /auth-status': () =>
        isAway ? { status: 400, body: { message: 'No.', code: 'malformed' } } : { body: { authenticated: true } },
    });
    const again = await screen.findByRole('button', { name: 'Try again' });
    expect(screen.queryByText('sign-in page')).toBeNull();
    isAway = false;
    await user.click(again);
    expect(await screen.findByRole('button', { name: 'log out' })).toBeVisible();
  });

  // Threat model: device-3.
  test('a protected page closes when another account signs in in another tab', async () => {
    let id = 1;
    const api = await startApi({ 'GET /user': () => ({ body: buildUser({ id }) }) });
    const open = [
      { element: <RequireUser />, children: [{ path: '/profile', element: <input aria-label="reply" /> }] },
    ];
    const { user } = renderRoutes(open, { apiRoot: api.apiRoot, path: '/profile' });
    await user.type(await screen.findByRole('textbox', { name: 'reply' }), 'to a message of the first');
    id = 2;
    act(() => {
      window.dispatchEvent(new Event('focus'));
    });
    await waitFor(() => {
      expect(screen.getByRole('textbox', { name: 'reply' })).toHaveValue('');
    });
  });

  // Threat model: device-3.
  test.each([
    ['another tab signs out', () => new StorageEvent('storage', { key: 'signed-in' })],
    ['the browser shows it again after signing out', () => Object.assign(new Event('pageshow'), { persisted: true })],
  ])('closes at once when %s', async (_title, change) => {
    const { api } = await openProfile({ 'GET /user': { body: buildUser() } });
    expect(await screen.findByRole('button', { name: 'log out' })).toBeVisible();
    localStorage.removeItem('signed-in');
    act(() => {
      window.dispatchEvent(change());
    });
    expect(await screen.findByText('sign-in page')).toBeVisible();
    expect(api.callsTo('GET /user')).toHaveLength(1);
  });

  test('a closing tab leaves another tab its user', async () => {
    let isOpen = false;
    await openProfile({ 'GET /user': () => (isOpen ? new Promise(() => undefined) : { body: buildUser() }) });
    expect(await screen.findByRole('button', { name: 'log out' })).toBeVisible();
    isOpen = true;
    localStorage.setItem('signed-in', '2');
    act(() => {
      window.dispatchEvent(new StorageEvent('storage', { key: 'signed-in' }));
    });
    expect(await screen.findByText('sign-in page')).toBeVisible();
    expect(localStorage.getItem('signed-in')).toBe('2');
  });

  test('a protected page redirects visitors to the sign-in page', async () => {
    await openProfile({ 'GET /user': { status: 401, body: { message: 'Sign in first.', code: 'not_signed_in' } } });
    expect(await screen.findByText('sign-in page')).toBeVisible();
    expect(screen.queryByText(/session has ended/)).toBeNull();
  });

  test('sign-in after an ended session leads back to the protected page', async () => {
    localStorage.setItem('signed-in', '1');
    await openProfile({ 'GET /user': { status: 401, body: { message: 'Sign in first.', code: 'not_signed_in' } } });
    expect(await screen.findByText('Your session has ended. Sign in again.')).toBeVisible();
    expect(sessionStorage.getItem('wanted')).toBe('/profile');
  });

  test('logging out opens the home page, and leaves nothing private in this one', async () => {
    let authenticated = true;
    const { api, user, router, store } = await openProfile({
      'GET /user': { body: buildUser() },
      'GET /users/receiving': { body: { ...RECEIVING_DEFAULTS, notice: 'Back on Sunday' } },
      'POST /logout': () => {
        authenticated = false;
        return { status: 204 };
      },
      'GET /auth-status': () => ({ body: { authenticated } }),
    });
    await screen.findByRole('button', { name: 'log out' });
    await act(() => router.navigate('/settings'));
    expect(await screen.findByText('Back on Sunday')).toBeVisible();
    await act(() => router.navigate('/profile'));
    await user.click(await screen.findByRole('button', { name: 'log out' }));
    expect(await screen.findByText('the home page')).toBeVisible();
    expect(await screen.findByText('You have been logged out')).toBeVisible();
    expect(api.callsTo('POST /logout')).toHaveLength(1);
    // Other tabs close by this.
    await waitFor(() => {
      expect(localStorage.getItem('signed-in')).toBeNull();
    });
    await waitFor(() => {
      expect(JSON.stringify(store.getState())).not.toContain('Back on Sunday');
    });
  });

  test('a protected page stays open when logging out fails', async () => {
    const { user } = await openProfile({
      'GET /user': { body: buildUser() },
      'POST /logout': { status: 403, body: { message: 'No.', code: 'cross_site' } },
    });
    await user.click(await screen.findByRole('button', { name: 'log out' }));
    expect(await screen.findByText('Could not log out')).toBeVisible();
    expect(screen.getByText(/403.*: Refused, because the request came from another site\./)).toBeVisible();
    await waitFor(() => {
      expect(screen.getByRole('button', { name: 'log out' })).toBeVisible();
    });
  });
});

describe('what an account left on this device', () => {
  const WAY = { messageId: 1, username: 'salem', sentAt: '2026-11-18T18:42:00.000Z' };
  const own = `/r/${'a'.repeat(22)}`;
  const ofVisitor = `/r/${'b'.repeat(22)}`;

  interface Device {
    user: { click: (button: HTMLElement) => Promise<void> };
    /** Sets the server's next answers. */
    becomes: (id: number | null) => void;
  }

  async function openWithWaysBack(): Promise<Device> {
    let id: number | null = 1;
    const { user } = await openProfile({
      'GET /user': () => (id === null ? { status: 401, body: { code: 'not_signed_in' } } : { body: buildUser({ id }) }),
      'GET /auth-status': () => ({ body: { authenticated: id !== null } }),
      'POST /logout': () => {
        id = null;
        return { status: 204 };
      },
    });
    expect(await screen.findByRole('button', { name: 'log out' })).toBeVisible();
    await waitFor(() => {
      expect(localStorage.getItem('signed-in')).toBe('1');
    });
    saveWayBack({ ...WAY, path: own });
    saveWayBack({ ...WAY, path: ofVisitor, account: null });
    keepDraft(7, { text: 'half a reply', account: 1 });
    return {
      user,
      becomes: (next) => {
        id = next;
      },
    };
  }

  const focus = () => {
    act(() => {
      window.dispatchEvent(new Event('focus'));
    });
  };

  // Threat model: device-1.
  test.each<[how: string, leave: (device: Device) => Promise<void> | void]>([
    ['it signs out', ({ user }) => user.click(screen.getByRole('button', { name: 'log out' }))],
    [
      'its session has ended elsewhere',
      ({ becomes }) => {
        becomes(null);
        focus();
      },
    ],
    [
      'another one has signed in in another tab',
      ({ becomes }) => {
        becomes(2);
        focus();
      },
    ],
  ])('goes when %s, and what visitors left stays', async (_how, leave) => {
    await leave(await openWithWaysBack());
    await waitFor(() => {
      expect(savedWaysBack().map(({ path }) => path)).toEqual([ofVisitor]);
    });
    await waitFor(() => {
      expect(localStorage.getItem('left')).toBeNull();
    });
  });

  // Threat model: device-1.
  test('data of an account is removed by the next page if this one closed early', async () => {
    saveWayBack({ ...WAY, path: own, account: 1 });
    localStorage.setItem('signed-in', '1');
    await openProfile({ 'GET /user': { status: 401, body: { code: 'not_signed_in' } } });
    await waitFor(() => {
      expect([savedWaysBack(), localStorage.getItem('signed-in'), localStorage.getItem('left')]).toEqual([
        [],
        null,
        null,
      ]);
    });
  });

  test('an unsent text waits for its writer, unless they signed out here', async () => {
    const { becomes } = await openWithWaysBack();
    becomes(null);
    focus();
    await waitFor(() => {
      expect(savedWaysBack()).toHaveLength(1);
    });
    expect([readDraft(7, null), readDraft(7, 2), readDraft(7, 1)]).toEqual([null, null, 'half a reply']);
  });

  // Threat model: device-1.
  test('a text in the tab is deleted when its writer signs out', async () => {
    const { user } = await openWithWaysBack();
    keepDraft(8, { text: 'from a visitor', account: null });
    await user.click(screen.getByRole('button', { name: 'log out' }));
    await waitFor(() => {
      expect(readDraft(7, 1)).toBeNull();
    });
    expect(readDraft(8, null)).toBe('from a visitor');
  });
});
