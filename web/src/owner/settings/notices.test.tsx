import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { renderElement } from '../../test/render.js';
import { startApi, type Answers } from '../../test/server.js';
import { NoticeSettings } from './NoticeSettings.js';

const KINDS = ['message', 'reply', 'report', 'visits'];

async function openNotices(answers: Answers = {}) {
  let kinds = KINDS;
  const api = await startApi({
    'GET /push/subscriptions': { body: [] },
    'GET /notifications/settings': () => ({ body: { kinds } }),
    'PATCH /notifications/settings': ({ body }) => {
      const { add = [], remove = [] } = (body as { kinds: { add?: string[]; remove?: string[] } }).kinds;
      kinds = [...kinds.filter((kind) => !remove.includes(kind)), ...add];
      return { body: { kinds } };
    },
    ...answers,
  });
  return { api, ...renderElement(<NoticeSettings />, { apiRoot: api.apiRoot, language: 'en' }) };
}

test('a kind is switched off in Najwa, also without push', async () => {
  const { api, user } = await openNotices();
  const visits = await screen.findByRole('switch', { name: 'A number of visits reached · In Najwa' });
  expect(screen.getAllByRole('switch')).toHaveLength(KINDS.length);
  await user.click(visits);
  await waitFor(() => {
    expect(api.callsTo('PATCH /notifications/settings').map(({ body }) => body)).toEqual([
      { kinds: { remove: ['visits'] } },
    ]);
  });
  await waitFor(() => {
    expect(visits).not.toBeChecked();
  });
  expect(screen.getByRole('switch', { name: 'A reply to what you wrote · In Najwa' })).toBeChecked();
});

test('a refused choice of notifications reverts, and says so', async () => {
  const { user } = await openNotices({
    'PATCH /notifications/settings': { status: 403, body: { message: 'No.', code: 'not_allowed' } },
  });
  const reply = await screen.findByRole('switch', { name: 'A reply to what you wrote · In Najwa' });
  await user.click(reply);
  expect(await screen.findByText(/Nothing was changed/)).toBeVisible();
  await waitFor(() => {
    expect(reply).toBeChecked();
  });
});

describe('push on a device with an unusable time zone', () => {
  afterEach(() => {
    jest.restoreAllMocks();
    for (const name of ['PushManager', 'Notification']) Reflect.deleteProperty(window, name);
    Reflect.deleteProperty(navigator, 'serviceWorker');
    localStorage.clear();
  });

  /** A browser with push. */
  function installPush(timeZone: string) {
    const options = new Intl.DateTimeFormat().resolvedOptions();
    jest.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({ ...options, timeZone });
    const subscription = { endpoint: 'https://push.example/a', keys: { p256dh: 'AAAA', auth: 'AAAA' } };
    const pushManager = {
      getSubscription: () => Promise.resolve(null),
      subscribe: () => Promise.resolve({ toJSON: () => subscription }),
    };
    const registration = { pushManager };
    Object.assign(window, {
      PushManager: () => undefined,
      Notification: { permission: 'granted', requestPermission: () => Promise.resolve('granted') },
    });
    Object.defineProperty(navigator, 'serviceWorker', {
      configurable: true,
      value: { register: () => Promise.resolve(registration), ready: Promise.resolve(registration) },
    });
  }

  async function turnOn() {
    const own = {
      id: 'a',
      language: 'en',
      device: { browser: '', operatingSystem: '', kind: '' },
      createdAt: '2026-11-26',
    };
    let subscriptions: object[] = [];
    const view = await openNotices({
      'GET /push/key': { body: { publicKey: 'AAAA' } },
      'GET /push/subscriptions': () => ({ body: subscriptions }),
      'POST /push/subscriptions': ({ body }) => {
        const { kinds, quiet } = body as { kinds: string[]; quiet: { timeZone: string } | null };
        if (quiet !== null && !/^[A-Z]/.test(quiet.timeZone))
          return {
            status: 422,
            body: { message: 'Wrong.', code: 'invalid_input', fields: { 'quiet.timeZone': 'not_valid' } },
          };
        subscriptions = [{ ...own, kinds, quiet }];
        return { status: 201, body: subscriptions[0] };
      },
    });
    await view.user.click(await screen.findByRole('button', { name: 'Tell me on this device' }));
    expect(await screen.findByTestId('told-device')).toBeVisible();
    return view.api.callsTo('POST /push/subscriptions').map(({ body }) => (body as { quiet: unknown }).quiet);
  }

  test('push has no quiet hours if the time zone is unknown', async () => {
    installPush('Etc/Unknown');
    expect(await turnOn()).toEqual([null]);
    expect(screen.getByRole('switch', { name: 'Keep my quiet hours' })).toBeDisabled();
    expect(screen.getByText(/does not know its time zone/)).toBeVisible();
  });

  test('push has no quiet hours if the server refuses the time zone', async () => {
    installPush('+03:00');
    expect(await turnOn()).toEqual([{ from: '23:00', to: '07:30', timeZone: '+03:00' }, null]);
  });
});
