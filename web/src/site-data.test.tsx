import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { screen } from '@testing-library/react';
import { Header } from './app/layout/Header.js';
import { PublicPage } from './features/public-page/index.js';
import { buildUser } from './test/factories.js';
import { openPage, profile, published } from './test/open-public-page.js';
import { renderElement } from './test/render.js';
import { startApi } from './test/server.js';
import { blockSiteData } from './test/site-data.js';

let allow: () => void;

beforeEach(() => {
  allow = blockSiteData();
});

afterEach(() => {
  allow();
});

const WAY = `/r/${'a'.repeat(22)}`;

describe('where site data are blocked', () => {
  test('a message is sent, and its way back shown, with what cannot be kept', async () => {
    const { user, api } = await openPage({
      answers: { 'POST /messages': { status: 201, body: { ...published, reply: undefined, wayBack: WAY } } },
    });
    await user.type(await screen.findByLabelText('Message text'), 'hello');
    await user.click(screen.getByRole('button', { name: 'Send' }));
    expect(await screen.findByTestId('way-back')).toHaveTextContent(WAY);
    expect(api.callsTo('POST /messages')).toHaveLength(1);
    expect(screen.getByRole('switch', { name: 'Keep it on this device' })).toBeDisabled();
    expect(
      screen.getByText('Your browser does not let sites keep anything. Copy the link instead.'),
    ).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Copy the way back', description: '' }));
    expect(await screen.findByText('Failed to copy')).toBeVisible();
  });

  test('the language changes, and the bell of an account opens', async () => {
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
    await user.click(screen.getAllByRole('button', { name: 'العربية' })[0] as HTMLElement);
    expect(await screen.findByLabelText('نصّ الرسالة')).toBeVisible();
  });
});
