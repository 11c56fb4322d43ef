import { blockSiteData } from './test/site-data.js';
import './test/setup.js';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { screen } from '@testing-library/react';
import { AuthPage } from './visitor/auth/index.js';
import { isInApp } from './lib/in-app.js';
import { Header } from './shell/layout/Header.js';
import { PublicPage } from './visitor/public-page/index.js';
import { buildUser } from './test/factories.js';
import { openPage, profile, published } from './test/open-public-page.js';
import { renderElement, renderRoutes } from './test/render.js';
import { startApi } from './test/server.js';

beforeEach(() => {
  blockSiteData();
});

const WAY = `/r/${'a'.repeat(22)}`;

test.each(['Android 13) musical_ly_2023203030', 'Android 13) WhatsApp/2.23.25', 'iPhone) Twitter for iPhone/10.20'])(
  'a browser inside %s is known',
  (userAgent) => {
    jest.spyOn(navigator, 'userAgent', 'get').mockReturnValue(`Mozilla/5.0 (${userAgent}`);
    expect(isInApp()).toBe(true);
  },
);

describe('where site data are blocked', () => {
  test('a message is sent without site data, and its way back says what cannot be stored', async () => {
    const { user, api } = await openPage({
      answers: { 'POST /messages': { status: 201, body: { ...published, reply: undefined, wayBack: WAY } } },
    });
    await user.type(await screen.findByLabelText('Message text'), 'hello');
    await user.click(screen.getByRole('button', { name: 'Send' }));
    expect(await screen.findByTestId('way-back')).toHaveTextContent(WAY);
    expect(api.callsTo('POST /messages')).toHaveLength(1);
    expect(screen.getByRole('switch', { name: 'Keep it on this device' })).toBeDisabled();
    expect(screen.getByText(/^Your browser keeps nothing for this site/)).toBeVisible();
    expect(screen.queryByRole('switch', { name: 'Tell me when a reply comes' })).toBeNull();
  });

  test('sign-in without site data says that it needs a cookie', async () => {
    const { apiRoot, callsTo } = await startApi({});
    const { user } = renderRoutes([{ path: '/auth', element: <AuthPage /> }], { apiRoot, path: '/auth?tab=login' });
    await user.type(await screen.findByLabelText('Username'), 'noura');
    await user.type(screen.getByLabelText('Password'), 'correct horse');
    await user.click(screen.getByRole('button', { name: 'Sign in' }));
    expect(await screen.findByText('Your browser blocks cookies')).toBeVisible();
    expect(callsTo('POST /login')).toHaveLength(0);
  });

  test('the language changes and the bell opens without site data', async () => {
    const { apiRoot } = await startApi({
      'GET /user': { body: buildUser() },
      'GET /users/noura': { body: profile },
      'GET /notifications': { body: [] },
      'GET /notifications/count': { body: { unread: 0 } },
    });
    const { user } = renderElement(
      <>
        <Header />
        <PublicPage username="noura" />
      </>,
      { apiRoot },
    );
    await user.click(await screen.findByTestId('bell'));
    expect(await screen.findByRole('dialog', { name: 'Notifications' })).toBeVisible();
    await user.keyboard('{Escape}');
    await user.click(screen.getAllByRole('button', { name: 'العربية' })[0]!);
    expect(await screen.findByLabelText('نصّ الرسالة')).toBeVisible();
  });
});
