import { describe, expect, test } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import { buildMessage, buildReply } from '../../test/factories.js';
import { card, chooseTool, openInbox, shownIds } from '../../test/open-inbox.js';

const messages = (count: number) =>
  Array.from({ length: count }, (_, index) => buildMessage({ id: index + 1, reply: buildReply(`reply ${index + 1}`) }));

async function openLoaded(count: number) {
  const view = await openInbox({ inbox: messages(count) });
  if (count > 10) {
    await waitFor(() => {
      expect(shownIds()).toHaveLength(10);
    });
    await view.user.click(screen.getByRole('button', { name: 'Load more' }));
  }
  await waitFor(() => {
    expect(shownIds()).toHaveLength(count);
  });
  /** Requests since this call, as `METHOD /path`. */
  const watchRequests = () => {
    const before = view.api.calls.length;
    return () => view.api.calls.slice(before).map(({ method, path }) => `${method} ${path}`);
  };
  return { ...view, watchRequests };
}

describe('requests of the inbox', () => {
  test('months are shown also where the server does not know the time zone of the device', async () => {
    const { user, api } = await openInbox(
      { inbox: messages(3), others: 7 },
      {
        answers: {
          'GET /messages/months': ({ query }) =>
            query.has('zone')
              ? { status: 400, body: { message: 'No.', code: 'invalid', fields: { zone: 'not_a_choice' } } }
              : { body: [{ month: '2026-10', count: 3 }] },
        },
      },
    );
    await card(3);
    await chooseTool(user, 'Go to a month');
    expect(await screen.findByRole('menuitem', { name: /October/ })).toBeVisible();
    expect(api.callsTo('GET /messages/months')).toHaveLength(2);
  });

  test('a refetch of forty messages with replies takes one request per page and list', async () => {
    const { api, watchRequests } = await openLoaded(40);
    expect(screen.getByText('message 1')).toBeVisible();
    expect(api.calls).toHaveLength(4);
    const requests = watchRequests();
    act(() => {
      window.dispatchEvent(new Event('focus'));
    });
    await waitFor(() => {
      expect(requests()).toHaveLength(4);
    });
    expect(requests().filter((request) => request === 'GET /messages')).toHaveLength(2);
    expect(requests()).toEqual(expect.arrayContaining(['GET /messages/sent', 'GET /messages/stats']));
  });

  test('marking a message as read takes one request', async () => {
    const { user, watchRequests } = await openLoaded(30);
    const requests = watchRequests();
    await user.click((await card(5)).getByRole('button', { name: 'Read' }));
    expect(await screen.findByText('Message updated successfully')).toBeVisible();
    expect((await card(5)).queryByText('New')).toBeNull();
    expect(screen.getByRole('radio', { name: 'Unread 29' })).toBeInTheDocument();
    expect(shownIds()).toHaveLength(30);
    expect(requests()).toEqual(['PATCH /messages/5']);
  });

  test('a message that was marked as read, or answered, is in the list of read messages', async () => {
    const { user } = await openLoaded(3);
    const show = async (name: string, ids: string[]) => {
      await user.click(screen.getByRole('radio', { name }));
      await waitFor(() => {
        expect(shownIds()).toEqual(ids);
      });
    };
    await show('Read', []);
    await show('Unread 3', ['3', '2', '1']);
    await user.click((await card(2)).getByRole('button', { name: 'Read' }));
    await screen.findByText('Message updated successfully');
    await show('Read', ['2']);
    await show('Unread 2', ['3', '1']);
    await user.click((await card(1)).getByRole('button', { name: 'Reply' }));
    await user.type(await screen.findByLabelText('Reply text'), ', and thank you');
    await user.click(screen.getByRole('button', { name: 'Send reply' }));
    await screen.findByText('Reply sent successfully');
    await show('Read', ['2', '1']);
  });

  test('replying and deleting take one request each', async () => {
    const { user, watchRequests } = await openLoaded(20);
    const requests = watchRequests();
    await user.click((await card(7)).getByRole('button', { name: 'Reply' }));
    await user.type(await screen.findByLabelText('Reply text'), ', and thank you');
    await user.click(screen.getByRole('button', { name: 'Send reply' }));
    expect(await (await card(7)).findByText('reply 7, and thank you')).toBeVisible();
    expect(await screen.findByRole('radio', { name: 'Unread 19' })).toBeInTheDocument();
    await user.click((await card(8)).getByRole('button', { name: 'Delete' }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Confirm delete' }));
    expect(await screen.findByText('Message deleted successfully')).toBeVisible();
    expect(shownIds()).toHaveLength(19);
    expect(requests()).toEqual(['POST /replies', 'POST /messages/bulk']);
  });

  test('an emptied unread list loads its next page', async () => {
    const { user } = await openInbox({ inbox: messages(11) });
    await user.click(await screen.findByRole('radio', { name: 'Unread 11' }));
    for (let id = 11; id > 1; id -= 1) {
      const button = (await card(id)).getByRole('button', { name: 'Read' });
      await waitFor(() => {
        expect(button).toBeEnabled();
      });
      await user.click(button);
      await waitFor(() => {
        expect(shownIds()).not.toContain(String(id));
      });
    }
    await waitFor(() => {
      expect(shownIds()).toEqual(['1']);
    });
  });
});
