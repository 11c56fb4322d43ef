import { afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { createStore } from '../../api/store.js';
import { renewSubscription } from '../../shared/push/index.js';
import { emit, installEventSource, openStreams } from '../../test/event-source.js';
import { buildMessage } from '../../test/factories.js';
import { renderElement } from '../../test/render.js';
import { startApi, type Answers } from '../../test/server.js';
import { NotificationBell } from './index.js';

beforeAll(installEventSource);

const at = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

function buildNotifications() {
  return [
    { id: 4, kind: 'message', subject: { messageId: 7 }, readAt: null, createdAt: at(7) },
    {
      id: 3,
      kind: 'reply',
      subject: { messageId: 5, username: 'salem', excerpt: 'Could we meet?' },
      readAt: null,
      createdAt: at(120),
    },
    { id: 2, kind: 'report', subject: { reportId: 1, outcome: 'removed' }, readAt: at(1), createdAt: at(300) },
    { id: 1, kind: 'visits', subject: { visits: 1000 }, readAt: at(1), createdAt: at(400) },
  ];
}

async function openBell(more: Answers = {}) {
  const notifications = buildNotifications();
  const api = await startApi({
    'GET /notifications': ({ query }) =>
      query.get('before') === null
        ? {
            body: notifications.slice(0, 3),
            headers: { link: '</api/notifications?before=2>; rel="next"' },
          }
        : { body: notifications.slice(3) },
    'POST /notifications/read': ({ body }) => {
      const { ids } = body as { ids?: number[] };
      for (const one of notifications) if (ids?.includes(one.id) ?? true) one.readAt ??= at(0);
      return { body: { unread: notifications.filter(({ readAt }) => readAt === null).length } };
    },
    ...more,
  });
  const view = renderElement(<NotificationBell />, {
    apiRoot: api.apiRoot,
    routes: [{ path: '/profile', element: <p>profile</p> }],
  });
  await screen.findByRole('button', { name: 'Notifications' });
  await waitFor(() => {
    expect(openStreams.size).toBe(1);
  });
  return { ...api, ...view };
}

const rows = () => screen.getAllByTestId('notification').map((row) => row.textContent);

describe('the bell', () => {
  test('the bell counts unread notifications as they come', async () => {
    await openBell();
    emit('count', { unread: 2 });
    expect(await screen.findByRole('button', { name: 'Notifications, 2 new' })).toBeTruthy();
    emit('count', { unread: 100 });
    expect(await screen.findByRole('button', { name: 'Notifications, More than 99 new' })).toBeTruthy();
    emit('count', { unread: 0 });
    expect(await screen.findByRole('button', { name: 'Notifications' })).toBeTruthy();
  });

  test('the bell lists every kind, page by page, and refetches on arrivals', async () => {
    const { user, callsTo } = await openBell();
    await user.click(screen.getByTestId('bell'));
    await waitFor(() => {
      expect(rows()).toHaveLength(3);
    });
    expect(rows()[0]).toBe('A new messageFrom an anonymous person.7 minutes ago');
    expect(rows()[1]).toMatch(/@salem.* replied.*Could we meet\?.*2 hours ago/);
    expect(rows()[2]).toMatch(/We removed the message/);
    expect(screen.getAllByRole('img', { name: 'New' })).toHaveLength(2);
    await user.click(screen.getByRole('button', { name: 'Show earlier' }));
    expect(await screen.findByText('1,000 visits to your page')).toBeTruthy();
    const before = callsTo('GET /notifications').length;
    emit('notification', buildNotifications()[0]);
    await waitFor(() => {
      expect(callsTo('GET /notifications').length).toBeGreaterThan(before);
    });
  });

  test('messages that arrived one after the other are one row with their ornaments', async () => {
    const messages = [9, 8, 7, 6].map((id) => ({
      id,
      kind: 'message',
      subject: { messageId: 10 * id },
      readAt: id > 6 ? null : at(1),
      createdAt: at(20 - id),
    }));
    const { user, callsTo } = await openBell({
      'GET /notifications': { body: messages },
      'GET /messages': ({ query }) => ({
        body: (query.get('ids') ?? '').split(',').map((id) => buildMessage({ id: Number(id) })),
      }),
    });
    await user.click(screen.getByTestId('bell'));
    await waitFor(() => {
      expect(rows()).toEqual(['3 new messages11 minutes ago', 'A new messageFrom an anonymous person.14 minutes ago']);
    });
    const [group = document.body] = screen.getAllByTestId('notification');
    await waitFor(() => {
      expect(group.querySelectorAll('[data-part="ornament"]')).toHaveLength(3);
    });
    await user.click(group);
    await waitFor(() => {
      expect(callsTo('POST /notifications/read').map(({ body }) => body)).toEqual([{ ids: [9, 8, 7] }]);
    });
  });

  test('an opened notification becomes read, and all can be', async () => {
    const { user, router, callsTo } = await openBell();
    emit('count', { unread: 2 });
    await user.click(screen.getByTestId('bell'));
    await user.click((await screen.findAllByTestId('notification'))[0] ?? document.body);
    expect(router.state.location.pathname).toBe('/profile');
    await waitFor(() => {
      expect(callsTo('POST /notifications/read').map(({ body }) => body)).toEqual([{ ids: [4] }]);
    });
  });

  test('only listed notifications become read, not later ones of the same minute', async () => {
    const { user, callsTo } = await openBell();
    emit('count', { unread: 2 });
    await user.click(screen.getByTestId('bell'));
    await user.click(await screen.findByRole('button', { name: 'Mark all read' }));
    await waitFor(() => {
      expect(callsTo('POST /notifications/read').map(({ body }) => body)).toEqual([{ upTo: 4 }]);
    });
  });

  test('an unseen list marks nothing as read', async () => {
    const { user, callsTo } = await openBell({ 'GET /notifications': { body: [] } });
    emit('count', { unread: 1 });
    await user.click(screen.getByTestId('bell'));
    await user.click(await screen.findByRole('button', { name: 'Mark all read' }));
    expect(callsTo('POST /notifications/read')).toEqual([]);
  });

  test('a notification list that failed to load shows its retry', async () => {
    let answer: () => void = () => undefined;
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    let isRefused = true;
    const { user } = await openBell({
      'GET /notifications': async () => {
        if (isRefused) return { status: 403, body: { message: 'No.', code: 'not_allowed' } };
        await isAnswered;
        return { body: buildNotifications() };
      },
    });
    await user.click(screen.getByTestId('bell'));
    const again = await screen.findByRole('button', { name: 'Try again' });
    isRefused = false;
    await user.click(again);
    await waitFor(() => {
      expect(again).toHaveAttribute('aria-busy', 'true');
    });
    answer();
    expect(await screen.findAllByTestId('notification')).toHaveLength(4);
  });

  test('an empty notification list says so', async () => {
    const { user } = await openBell({ 'GET /notifications': { body: [] } });
    await user.click(screen.getByTestId('bell'));
    expect(await screen.findByText('Nothing yet')).toBeTruthy();
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Close' }));
    await waitFor(() => {
      expect(document.activeElement).toBe(screen.getByTestId('bell'));
    });
  });

  test('the bell has one stream, which ends with it', async () => {
    const { unmount } = await openBell();
    unmount();
    await waitFor(() => {
      expect(openStreams.size).toBe(0);
    });
  });
});

describe('push', () => {
  afterEach(() => {
    jest.restoreAllMocks();
    for (const name of ['PushManager', 'Notification']) Reflect.deleteProperty(window, name);
    Reflect.deleteProperty(navigator, 'serviceWorker');
    localStorage.clear();
  });

  test('a browser that declines the offer of push is said to block it', async () => {
    const browser = { permission: 'default' };
    const requestPermission = () => {
      browser.permission = 'denied';
      return Promise.resolve('denied');
    };
    Object.assign(window, {
      PushManager: () => undefined,
      Notification: Object.assign(browser, { requestPermission }),
    });
    Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: new EventTarget() });
    const [, reply] = buildNotifications();
    const { user } = await openBell({
      'GET /notifications': { body: [{ ...reply, readAt: at(1) }] },
      'GET /push/subscriptions': { body: [] },
    });
    await user.click(screen.getByTestId('bell'));
    await user.click(await screen.findByRole('button', { name: 'Yes, tell me' }));
    expect(await screen.findByText(/^Your browser blocks notices from Najwa/)).toBeVisible();
  });

  test('a subscription is renewed once a day', async () => {
    localStorage.setItem('push-subscription', 'a');
    const api = await startApi({ 'PATCH /push/subscriptions/a': { body: { id: 'a', language: 'en' } } });
    const { dispatch } = createStore({ apiRoot: api.apiRoot });
    const renewals = async () => {
      await renewSubscription(dispatch, 'en');
      return api.callsTo('PATCH /push/subscriptions/a').length;
    };
    expect(await renewals()).toBe(1);
    expect(await renewals()).toBe(1);
    const tomorrow = Date.now() + 25 * 60 * 60_000;
    jest.spyOn(Date, 'now').mockImplementation(() => tomorrow);
    expect(await renewals()).toBe(2);
  });
});
