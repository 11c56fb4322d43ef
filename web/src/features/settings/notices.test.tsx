import { expect, test } from '@jest/globals';
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
    'PUT /notifications/settings': ({ body }) => {
      ({ kinds } = body as { kinds: string[] });
      return { body };
    },
    ...answers,
  });
  return { api, ...renderElement(<NoticeSettings />, { apiRoot: api.apiRoot, language: 'en' }) };
}

test('a kind is switched off in Najwa, also where this browser cannot be told', async () => {
  const { api, user } = await openNotices();
  const visits = await screen.findByRole('switch', { name: 'A number of visits reached · In Najwa' });
  expect(screen.getAllByRole('switch')).toHaveLength(KINDS.length);
  await user.click(visits);
  await waitFor(() => {
    expect(api.callsTo('PUT /notifications/settings').map(({ body }) => body)).toEqual([
      { kinds: ['message', 'reply', 'report'] },
    ]);
  });
  await waitFor(() => {
    expect(visits).not.toBeChecked();
  });
  expect(screen.getByRole('switch', { name: 'A reply to what you wrote · In Najwa' })).toBeChecked();
});

test('a choice that is refused goes back, and says so', async () => {
  const { user } = await openNotices({
    'PUT /notifications/settings': { status: 403, body: { message: 'No.', code: 'not_allowed' } },
  });
  const reply = await screen.findByRole('switch', { name: 'A reply to what you wrote · In Najwa' });
  await user.click(reply);
  expect(await screen.findByText(/Nothing was changed/)).toBeVisible();
  await waitFor(() => {
    expect(reply).toBeChecked();
  });
});
