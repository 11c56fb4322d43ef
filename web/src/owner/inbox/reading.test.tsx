import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { buildMessage, buildReply, buildSentMessage } from '../../test/factories.js';
import { openInbox, shownIds } from '../../test/open-inbox.js';
import { DESK } from '../../theme/index.js';

type Box = Parameters<typeof openInbox>[0];

const head = document.createElement('div');

beforeEach(() => {
  document.body.append(head);
  jest
    .spyOn(window, 'matchMedia')
    .mockImplementation((query) => Object.assign(new EventTarget(), { matches: query === DESK }) as MediaQueryList);
});

afterEach(() => {
  jest.restoreAllMocks();
  sessionStorage.clear();
  window.history.replaceState(null, '', '/');
});

const inbox = () => [5, 6, 7].map((id) => buildMessage({ id, conversationId: null }));

async function openDesk(box: Box, options: Parameters<typeof openInbox>[1] = {}) {
  const view = await openInbox(box, { head, ...options });
  await waitFor(() => {
    expect(shownIds()).toHaveLength(box.inbox.length + (box.sent?.length ?? 0));
  });
  return view;
}

const row = (text: string) =>
  within(screen.getByRole('list', { name: 'Messages' })).getByRole('button', { name: new RegExp(text) });

const pane = () => within(screen.getByRole('region', { name: 'Reading' }));

const isOpen = async (text: string) => {
  expect(await pane().findByText(text)).toBeVisible();
  expect(row(text)).toHaveAttribute('aria-current', 'true');
  expect(screen.getAllByRole('button', { current: true })).toHaveLength(1);
};

describe('the reading pane of a desk', () => {
  test('says what to do until a message is chosen, which it shows with its reply and actions, unread as before', async () => {
    const { user, api } = await openDesk({
      inbox: [
        buildMessage({
          id: 5,
          conversationId: null,
          imageUrl: '/image/a.webp',
          prompt: { id: 4, content: 'What should I read?' },
          reply: buildReply('my answer'),
        }),
      ],
    });
    expect(await pane().findByText('Choose a message')).toBeVisible();
    await user.click(row('message 5'));
    await isOpen('message 5');
    for (const text of ['Anonymous person', 'New', 'Only you see this', 'What should I read?'])
      expect(pane().getByText(text)).toBeVisible();
    expect(within(pane().getByTestId('reply')).getByText('my answer')).toBeVisible();
    expect(pane().getByTestId('message-image')).toBeVisible();
    expect(api.callsTo('PATCH /messages/5')).toEqual([]);
    await user.click(pane().getByRole('button', { name: 'Mark read' }));
    expect(await pane().findByText('Read')).toBeVisible();
    expect(await screen.findByText('Message updated successfully')).toBeVisible();
    await user.click(pane().getByRole('button', { name: 'Publish' }));
    expect(await pane().findByText('Public')).toBeVisible();
    await waitFor(() => {
      expect(api.callsTo('PATCH /messages/5').map(({ body }) => body)).toEqual([{ isRead: true }, { isPublic: true }]);
    });
  });

  test('takes a reply under its message, and keeps one that was begun', async () => {
    const { user, api } = await openDesk({ inbox: inbox() });
    await user.click(row('message 6'));
    const field = () => pane().findByRole('textbox', { name: 'Write your reply' });
    await user.type(await field(), 'thank you');
    await user.click(row('message 5'));
    await isOpen('message 5');
    expect(await field()).toHaveValue('');
    await user.click(row('message 6'));
    expect(await field()).toHaveValue('thank you');
    await user.click(pane().getByRole('button', { name: 'Send reply' }));
    expect(await within(await pane().findByTestId('reply')).findByText('thank you')).toBeVisible();
    // A reply is sent once.
    await user.click(pane().getByRole('button', { name: 'Send reply' }));
    expect(api.callsTo('POST /replies').map(({ body }) => body)).toEqual([{ messageId: 6, content: 'thank you' }]);
  });

  test('says of a voice without words what it is, and that it was altered', async () => {
    const voice = { content: '', audioUrl: '/api/audio/a.m4a', audioDuration: 8 };
    const { user } = await openDesk({ inbox: [buildMessage({ id: 5, conversationId: null, ...voice })] });
    await user.click(row('Voice message'));
    expect(await pane().findByTestId('reading-text')).toHaveTextContent('Voice message');
    expect(pane().getByText('The sender’s voice was altered before it arrived.')).toBeVisible();
  });

  test('shows a sent message with its recipient and state', async () => {
    const { user } = await openDesk({ inbox: [], sent: [buildSentMessage({ reply: buildReply('thanks') })] });
    await user.click(row('@salem'));
    expect(await pane().findByText('It was answered')).toBeVisible();
    expect(pane().getByText('@salem')).toBeVisible();
    expect(pane().getByText('thanks')).toBeVisible();
    expect(pane().queryByRole('textbox')).toBeNull();
    expect(pane().getByRole('button', { name: 'Delete' })).toBeEnabled();
  });

  test('shows a conversation as its turns, and leaves the focus at its row', async () => {
    const { user } = await openDesk({
      inbox: [buildMessage({ id: 5, content: 'first', conversationId: 5, reply: buildReply('answer one') })],
    });
    await user.click(row('first'));
    expect(await pane().findByText('answer one')).toBeVisible();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(pane().getByRole('status')).toHaveTextContent('Waiting for a reply');
    expect(row('first')).toHaveFocus();
    await user.click(pane().getByRole('button', { name: 'More for this message' }));
    await user.click(await screen.findByRole('menuitem', { name: 'End the conversation' }));
    expect(await screen.findByRole('alertdialog', { name: 'End the conversation?' })).toBeVisible();
  });

  test('is empty after its message was deleted, and the next row has the focus', async () => {
    const { user } = await openDesk({ inbox: inbox() });
    await user.click(row('message 6'));
    await user.click(await pane().findByRole('button', { name: 'Delete' }));
    await user.click(await screen.findByRole('button', { name: 'Confirm delete' }));
    expect(await screen.findByText('Choose a message')).toBeVisible();
    expect(window.location.search).toBe('');
    await waitFor(() => {
      expect(row('message 5')).toHaveFocus();
    });
  });

  test('keeps a message that leaves the list of unread ones by being read', async () => {
    const { user } = await openDesk({ inbox: inbox() });
    await user.click(row('message 6'));
    await user.click(await screen.findByRole('radio', { name: 'Unread 3' }));
    await waitFor(() => {
      expect(shownIds()).toEqual(['7', '6', '5']);
    });
    await user.click(await pane().findByRole('button', { name: 'Mark read' }));
    await waitFor(() => {
      expect(shownIds()).toEqual(['7', '5']);
    });
    expect(await pane().findByText('Read')).toBeVisible();
    expect(pane().getByText('message 6')).toBeVisible();
  });
});

describe('the keyboard of a desk', () => {
  test.each([
    ['letters', 'j', 'k'],
    ['letters of an Arabic keyboard', 'ت', 'ن'],
    ['arrows', '{ArrowDown}', '{ArrowUp}'],
  ])('goes from row to row by %s', async (_name, next, previous) => {
    const { user } = await openDesk({ inbox: inbox() });
    row('message 7').focus();
    await user.keyboard(next);
    await isOpen('message 7');
    await user.keyboard(next);
    await isOpen('message 6');
    expect(row('message 6')).toHaveFocus();
    await user.keyboard(next + next);
    await isOpen('message 5');
    await user.keyboard(previous);
    await isOpen('message 6');
  });

  test('goes to the reply, where letters are text, back to the row, and out of the message', async () => {
    const { user } = await openDesk({ inbox: inbox() });
    row('message 6').focus();
    await user.keyboard('{Enter}');
    const field = await pane().findByRole('textbox', { name: 'Write your reply' });
    await waitFor(() => {
      expect(field).toHaveFocus();
    });
    await user.keyboard('jk');
    expect(field).toHaveValue('jk');
    await isOpen('message 6');
    await user.keyboard('{Escape}');
    expect(row('message 6')).toHaveFocus();
    await user.keyboard('{Escape}');
    expect(await pane().findByText('Choose a message')).toBeVisible();
    expect(row('message 6')).toHaveFocus();
  });

  test('does nothing by a letter outside of the messages, nor with a modifier key, and leaves the keys of a menu to it', async () => {
    const { user } = await openDesk({ inbox: inbox() });
    await user.keyboard('j');
    expect(await pane().findByText('Choose a message')).toBeVisible();
    await user.click(row('message 7'));
    await user.keyboard('{Control>}j{/Control}{Alt>}{ArrowDown}{/Alt}');
    await isOpen('message 7');
    await user.click(pane().getByRole('button', { name: 'More for this message' }));
    await screen.findByRole('menuitem', { name: 'Report' });
    await user.keyboard('j{ArrowDown}{Escape}');
    await waitFor(() => {
      expect(screen.queryByRole('menu')).toBeNull();
    });
    await isOpen('message 7');
  });

  test('loads more after the last row', async () => {
    const { user } = await openInbox(
      { inbox: Array.from({ length: 12 }, (_, index) => buildMessage({ id: index + 1, conversationId: null })) },
      { head, path: '/?message=3' },
    );
    await isOpen('message 3');
    row('message 3').focus();
    await user.keyboard('j');
    await waitFor(() => {
      expect(shownIds()).toHaveLength(12);
    });
  });
});

describe('the address of the open message', () => {
  test('names it, without a visit for each', async () => {
    const { user, router } = await openDesk({ inbox: inbox() });
    const { length } = window.history;
    const { key } = router.state.location;
    await user.click(row('message 6'));
    expect(window.location.search).toBe('?message=6');
    await user.keyboard('j');
    expect(window.location.search).toBe('?message=5');
    await user.keyboard('{Escape}');
    expect(window.location.search).toBe('');
    expect([window.history.length, router.state.location.key]).toEqual([length, key]);
  });

  test('opens it, also one that the list does not have yet', async () => {
    const { api } = await openInbox(
      { inbox: Array.from({ length: 12 }, (_, index) => buildMessage({ id: index + 1, conversationId: null })) },
      { head, path: '/?message=1' },
    );
    expect(await pane().findByText('message 1')).toBeVisible();
    expect(api.callsTo('GET /messages').map(({ query }) => query.get('ids'))).toEqual([null, '1']);
  });

  test('of a message that is gone shows none', async () => {
    const { api } = await openDesk({ inbox: inbox() }, { path: '/?message=99' });
    await waitFor(() => {
      expect(api.callsTo('GET /messages')).toHaveLength(2);
    });
    expect(await pane().findByText('Choose a message')).toBeVisible();
    expect(screen.queryByRole('button', { current: true })).toBeNull();
  });

  test('is that of the sent message to which the link of a reply leads', async () => {
    const sent = [buildSentMessage({ id: 7, reply: buildReply('thanks') })];
    await openInbox({ inbox: inbox(), sent }, { head, path: '/#sent-7' });
    await screen.findByRole('region', { name: 'Reading' });
    expect(await pane().findByText('thanks')).toBeVisible();
  });

  test('opens its card where there is no pane', async () => {
    jest.restoreAllMocks();
    const { user } = await openDesk({ inbox: inbox() }, { path: '/?message=6' });
    expect(await screen.findByRole('button', { name: 'Reply' })).toBeVisible();
    expect(screen.queryByRole('region', { name: 'Reading' })).toBeNull();
    await user.click(screen.getByText('message 6'));
    await waitFor(() => {
      expect(screen.queryByRole('button', { name: 'Reply' })).toBeNull();
    });
  });
});
