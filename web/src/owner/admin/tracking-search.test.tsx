import { describe, expect, test } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { buildTrackingRecord } from '../../test/factories.js';
import { openAdmin, row, rows, tracked } from '../../test/open-admin.js';

describe('tracking search', () => {
  async function look(user: Awaited<ReturnType<typeof openAdmin>>['user'], written: string) {
    await user.clear(screen.getByLabelText('Search the messages'));
    await user.type(screen.getByLabelText('Search the messages'), `${written}{Enter}`);
  }

  test('the tracking search takes words, a recipient or both, on submit only', async () => {
    const { user, api } = await openAdmin({
      answers: { ...tracked([buildTrackingRecord(1)]), 'GET /users/noura': { body: { id: 1, username: 'noura' } } },
    });
    await rows();
    await look(user, 'face');
    await look(user, '@noura');
    await look(user, '@noura face to');
    await waitFor(() => {
      expect(
        api.callsTo('GET /admin/sender-tracking').map(({ query }) => [query.get('userId'), query.get('text')]),
      ).toEqual([
        [null, null],
        [null, 'face'],
        ['1', null],
        ['1', 'face to'],
      ]);
    });
    expect(api.callsTo('GET /users/noura')).toHaveLength(1);
  });

  test('the tracking search clears a selection outside the results and keeps the focus', async () => {
    const { user } = await openAdmin({
      answers: {
        ...tracked([]),
        'GET /admin/sender-tracking': ({ query }) => ({ body: [buildTrackingRecord(query.has('text') ? 1 : 2)] }),
      },
    });
    await user.click(await row(0));
    await look(user, 'face');
    expect(await screen.findByText('message 1')).toBeVisible();
    expect(screen.getByText('Choose a message to see its details')).toBeVisible();
    expect(screen.getByLabelText('Search the messages')).toHaveFocus();
  });

  test('an empty tracking search can be cleared', async () => {
    const { user } = await openAdmin({
      answers: {
        ...tracked([]),
        'GET /admin/sender-tracking': ({ query }) => ({ body: query.has('text') ? [] : [buildTrackingRecord(1)] }),
      },
    });
    await rows();
    await look(user, 'face');
    expect(await screen.findByText('No message like that')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Clear the search' }));
    expect(await rows()).toHaveLength(1);
    expect(screen.getByLabelText('Search the messages')).toHaveValue('');
    expect(screen.getByLabelText('Search the messages')).toHaveFocus();
  });

  test('the tracking search reports an unknown recipient', async () => {
    const { user, api } = await openAdmin({
      answers: {
        ...tracked([buildTrackingRecord(1)]),
        'GET /users/nobody': { status: 404, body: { message: 'No.', code: 'user_not_found' } },
      },
    });
    await rows();
    await look(user, '@nobody');
    expect(await screen.findByText('No account by that name')).toBeVisible();
    expect(api.callsTo('GET /admin/sender-tracking')).toHaveLength(1);
  });

  test('a tracking search continues until the oldest messages', async () => {
    const { user } = await openAdmin({
      answers: {
        ...tracked([]),
        'GET /admin/sender-tracking': ({ query }) => {
          if (!query.has('text')) return { body: [] };
          if (query.has('before')) return { body: [buildTrackingRecord(1, {}, { content: 'face to face' })] };
          return { body: [], headers: { link: '</api/admin/sender-tracking?text=face&before=5000>; rel="next"' } };
        },
      },
    });
    await screen.findByText('No tracking data');
    await look(user, 'face');
    expect(await screen.findByText('Nothing among the newest')).toBeVisible();
    expect(screen.queryByTestId('count')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Search older messages' }));
    expect(await screen.findByText('face to face')).toBeVisible();
  });
});
