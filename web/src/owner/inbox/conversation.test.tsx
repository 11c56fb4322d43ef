import { beforeAll, describe, expect, test } from '@jest/globals';
import { RECEIVING_DEFAULTS } from '@najwa/proto/http/client';
import { screen, waitFor, within } from '@testing-library/react';
import { emit, installEventSource } from '../../test/event-source.js';
import { buildMessage, buildReply } from '../../test/factories.js';
import { card, chooseTool, openInbox, shownIds } from '../../test/open-inbox.js';

beforeAll(installEventSource);

type Box = Parameters<typeof openInbox>[0]['inbox'];

/** Three messages of one conversation around a single one; the last has no answer. */
const box = (): Box => [
  buildMessage({ id: 1, content: 'first', conversationId: 1, isRead: true, reply: buildReply('answer one') }),
  buildMessage({ id: 2, content: 'alone', conversationId: null }),
  buildMessage({ id: 3, content: 'second', conversationId: 1, reply: buildReply('answer two') }),
  buildMessage({ id: 4, content: 'third', conversationId: 1 }),
];

type Opened = Awaited<ReturnType<typeof openInbox>>;

async function openTalk({ user }: Opened, id = 4) {
  await user.click((await card(id)).getByRole('button', { name: /^Open conversation/ }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Anonymous person' }));
  await dialog.findByRole('status');
  return dialog;
}

type Dialog = Awaited<ReturnType<typeof openTalk>>;

const textsIn = (dialog: Dialog) => dialog.queryAllByTestId('turn').map((turn) => turn.querySelector('p')?.textContent);

async function choose({ user }: Opened, dialog: Dialog, name: string) {
  await user.click(dialog.getByRole('button', { name: 'More for this conversation' }));
  await user.click(await screen.findByRole('menuitem', { name }));
}

const answerTo = (call: { body: unknown } | undefined) => call?.body;

describe('the row of a conversation', () => {
  test('is one, with the count of what is new', async () => {
    const view = await openInbox({ inbox: box() });
    await waitFor(() => {
      expect(shownIds()).toEqual(['4', '2']);
    });
    const row = await card(4);
    expect(row.getByText('2 new')).toBeVisible();
    expect(row.getByText('Conversation')).toBeInTheDocument();
    await view.user.click(row.getByText('third'));
    expect(await screen.findByRole('dialog', { name: 'Anonymous person' })).toBeVisible();
  });

  test('opens from its menu, and takes the focus back', async () => {
    const view = await openInbox({ inbox: box() });
    const row = await card(4);
    const more = () => row.getByRole('button', { name: 'More for this message' });
    await view.user.click(more());
    await view.user.click(await screen.findByRole('menuitem', { name: 'Open conversation' }));
    await view.user.click(await screen.findByRole('button', { name: 'Back to your messages' }));
    await waitFor(() => {
      expect(screen.queryByRole('dialog')).toBeNull();
      expect(more()).toHaveFocus();
    });
  });

  test('stands for all of it when it is selected and deleted, and for its message when published', async () => {
    const view = await openInbox({ inbox: box(), others: 8 });
    const { user, api } = view;
    await card(4);
    await chooseTool(user, 'Select messages');
    await user.click((await card(4)).getByRole('checkbox'));
    const bar = within(await screen.findByRole('toolbar'));
    await user.click(bar.getByRole('button', { name: 'Publish' }));
    await screen.findByText('1 published');
    await chooseTool(user, 'Select messages');
    await user.click((await card(4)).getByRole('checkbox'));
    await user.click(within(await screen.findByRole('toolbar')).getByRole('button', { name: 'Delete' }));
    await waitFor(() => {
      expect(shownIds()).toEqual(['2']);
    });
    expect(api.callsTo('POST /messages/bulk').map(answerTo)).toEqual([
      { ids: [4], action: 'publish' },
      { ids: [4, 1, 3], action: 'delete' },
    ]);
  });

  test.each([
    ['This message', [4], ['3', '2']],
    ['All of it', [1, 3, 4], ['2']],
  ])('asks what to delete: %s', async (choice, ids, left) => {
    const view = await openInbox({ inbox: box() });
    const { user, api } = view;
    await user.click((await card(4)).getByRole('button', { name: 'More for this message' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    await user.click(await screen.findByRole('button', { name: choice }));
    await waitFor(() => {
      expect(shownIds()).toEqual(left);
      expect(api.callsTo('POST /messages/bulk').map(answerTo)).toEqual([{ ids, action: 'delete' }]);
    });
  });
});

describe('an open conversation', () => {
  test('has its turns in order, becomes read, and takes an answer to its last message', async () => {
    const view = await openInbox({ inbox: box() });
    const { user, api } = view;
    const dialog = await openTalk(view);
    expect(dialog.getAllByTestId('turn').map(({ textContent }) => textContent)).toEqual(
      ['first', 'answer one', 'second', 'answer two', 'third'].map((text) => expect.stringContaining(text)),
    );
    expect(dialog.getByRole('status')).toHaveTextContent('Your turn');
    await waitFor(() => {
      expect(api.callsTo('POST /messages/bulk').map(answerTo)).toEqual([{ ids: [3, 4], action: 'read' }]);
    });
    await user.click(dialog.getByRole('button', { name: 'Send' }));
    expect(api.callsTo('POST /replies')).toEqual([]);
    await user.type(dialog.getByRole('textbox', { name: 'Your answer' }), 'answer three');
    await user.click(dialog.getByRole('button', { name: 'Send' }));
    await waitFor(() => {
      expect(dialog.getByRole('status')).toHaveTextContent('Waiting for a reply');
    });
    expect(dialog.getByText('answer three')).toBeVisible();
    expect(dialog.queryByRole('textbox')).toBeNull();
    expect(api.callsTo('POST /replies').map(answerTo)).toEqual([{ messageId: 4, content: 'answer three' }]);
  });

  test('keeps what was begun', async () => {
    const view = await openInbox({ inbox: box() });
    await view.user.type((await openTalk(view)).getByRole('textbox'), 'begun');
    await view.user.keyboard('{Escape}');
    expect((await openTalk(view)).getByRole('textbox')).toHaveValue('begun');
  });

  test('ends after a question, and then has no field', async () => {
    const view = await openInbox({ inbox: box() });
    const dialog = await openTalk(view);
    await choose(view, dialog, 'End the conversation');
    expect(view.api.callsTo('POST /messages/4/end')).toEqual([]);
    await view.user.click(await screen.findByRole('button', { name: 'End it' }));
    await waitFor(() => {
      expect(dialog.getByRole('status')).toHaveTextContent('The conversation has ended');
    });
    expect(dialog.queryByRole('textbox')).toBeNull();
    expect(dialog.getByText(/It stays as it is for both of you/)).toBeVisible();
    expect(view.api.callsTo('POST /messages/4/end')).toHaveLength(1);
  });

  test('takes a last answer where senders may write no more, and does not wait for them', async () => {
    const answers = { 'GET /users/receiving': { body: { ...RECEIVING_DEFAULTS, conversations: false } } };
    const view = await openInbox({ inbox: box() }, { answers });
    const dialog = await openTalk(view);
    await view.user.type(dialog.getByRole('textbox', { name: 'Your answer' }), 'answer three');
    await view.user.click(dialog.getByRole('button', { name: 'Send' }));
    await waitFor(() => {
      expect(dialog.getByRole('status')).toHaveTextContent('The conversation has ended');
    });
    expect(dialog.getByText('answer three')).toBeVisible();
  });

  test('is deleted as a whole, which can be taken back', async () => {
    const view = await openInbox({ inbox: box() });
    await choose(view, await openTalk(view), 'Delete all of it');
    await view.user.click(await screen.findByRole('button', { name: 'Confirm delete' }));
    expect(await screen.findByText('3 messages deleted')).toBeVisible();
    await waitFor(() => {
      expect(screen.queryByRole('dialog')).toBeNull();
    });
    expect(shownIds()).toEqual(['2']);
    expect(answerTo(view.api.callsTo('POST /messages/bulk').at(-1))).toEqual({ ids: [1, 3, 4], action: 'delete' });
    expect(screen.getByRole('button', { name: 'Undo' })).toBeInTheDocument();
  });

  test('shows what arrives, and its row moves to the top when asked', async () => {
    const inbox = box();
    inbox[3]!.reply = buildReply('answer three');
    inbox.push(buildMessage({ id: 5, content: 'newer', conversationId: null }));
    const view = await openInbox({ inbox });
    const dialog = await openTalk(view);
    expect(dialog.getByRole('status')).toHaveTextContent('Waiting for a reply');
    inbox.push(buildMessage({ id: 6, content: 'fourth', conversationId: 1 }));
    emit('message', { messageId: 6, change: 'created' });
    expect(await dialog.findByText('fourth')).toBeVisible();
    expect(dialog.getByRole('status')).toHaveTextContent('Your turn');
    expect(textsIn(dialog)).toHaveLength(7);
    await view.user.keyboard('{Escape}');
    expect(shownIds()).toEqual(['5', '4', '2']);
    await view.user.click(await screen.findByRole('button', { name: '1 message arrived. Show it' }));
    await waitFor(() => {
      expect(shownIds()).toEqual(['6', '5', '2']);
    });
  });

  test('shows earlier turns when asked', async () => {
    const inbox = Array.from({ length: 27 }, (_, index) =>
      buildMessage({
        id: index + 1,
        conversationId: 1,
        isRead: true,
        reply: buildReply(`answer ${String(index + 1)}`),
      }),
    );
    const view = await openInbox({ inbox });
    const dialog = await openTalk(view, 27);
    expect(textsIn(dialog)).toHaveLength(50);
    await view.user.click(dialog.getByRole('button', { name: 'Show what comes before' }));
    expect(await dialog.findByText('message 1')).toBeVisible();
    expect(textsIn(dialog)).toHaveLength(54);
    expect(dialog.queryByRole('button', { name: 'Show what comes before' })).toBeNull();
  });
});

test('a message that a search finds opens in its place', async () => {
  const view = await openInbox({ inbox: box(), others: 8 });
  await card(4);
  await view.user.type(screen.getByRole('searchbox'), 'second{Enter}');
  await waitFor(() => {
    expect(shownIds()).toEqual(['3']);
  });
  const dialog = await openTalk(view, 3);
  await waitFor(() => {
    expect(document.activeElement).toHaveTextContent('second');
  });
  expect(document.activeElement).toHaveAttribute('data-testid', 'turn');
  expect(textsIn(dialog)).toHaveLength(5);
});

test('a conversation that began elsewhere joins its messages', async () => {
  const inbox = [
    buildMessage({ id: 1, content: 'first', conversationId: null, isRead: true, reply: buildReply('answer') }),
    buildMessage({ id: 2, content: 'alone', conversationId: null }),
  ];
  await openInbox({ inbox });
  expect((await card(1)).getByRole('button', { name: 'Reply' })).toBeVisible();
  inbox[0]!.conversationId = 1;
  inbox.push(buildMessage({ id: 3, content: 'second', conversationId: 1 }));
  emit('message', { messageId: 1, change: 'updated' });
  expect(await (await card(1)).findByRole('button', { name: /^Open conversation/ })).toBeVisible();
});
