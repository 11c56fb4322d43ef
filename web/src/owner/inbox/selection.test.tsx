import { expect, test } from '@jest/globals';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { buildMessage, buildSentMessage } from '../../test/factories.js';
import { card, chooseTool, openInbox, shownIds, undo } from '../../test/open-inbox.js';

const box = () => ({
  inbox: [5, 6, 7, 8].map((id) => buildMessage({ id })),
  sent: [buildSentMessage({ id: 3 })],
  others: 8,
});

const checkbox = async (id: number) => (await card(id)).getByRole('checkbox', { name: 'Select this message' });

test('a range is selected by keyboard and deleted, which can be undone after a reload', async () => {
  const mailbox = box();
  const { user, api } = await openInbox(mailbox);
  await chooseTool(user, 'Select messages');
  expect((await card(3)).queryByRole('checkbox')).toBeNull();
  (await checkbox(8)).focus();
  await user.keyboard(' ');
  (await checkbox(6)).focus();
  await user.keyboard('{Shift>} {/Shift}');
  const bar = within(screen.getByRole('toolbar', { name: 'For the selected messages' }));
  expect(bar.getByText('3 selected')).toBeVisible();
  await user.click(bar.getByRole('button', { name: 'Delete' }));
  await waitFor(() => {
    expect(shownIds()).toEqual(['5', '3']);
  });
  expect(api.callsTo('POST /messages/bulk').map(({ body }) => body)).toEqual([{ ids: [8, 7, 6], action: 'delete' }]);
  expect(await screen.findByRole('radio', { name: 'Unread 1' })).toBeInTheDocument();
  expect(screen.getByRole('heading', { name: 'Messages' })).toHaveFocus();
  expect(await screen.findByText('3 messages deleted')).toBeVisible();

  cleanup();
  const reloaded = await openInbox(mailbox, {
    answers: {
      'POST /messages/undo': () => {
        mailbox.inbox.push(...[6, 7, 8].map((id) => buildMessage({ id })));
        return { body: mailbox.inbox.slice(-3) };
      },
    },
  });
  expect(await screen.findByText('3 messages deleted')).toBeVisible();
  await undo();
  expect(await screen.findByText('Messages are back')).toBeVisible();
  await waitFor(() => {
    expect(shownIds()).toEqual(['8', '7', '6', '5', '3']);
  });
  expect(reloaded.api.callsTo('POST /messages/undo').map(({ body }) => body)).toEqual([{ undoToken: 'token' }]);
});

test('all shown messages are published without refetching the list', async () => {
  const { user, api } = await openInbox(box(), { language: 'ar' });
  await card(5);
  await chooseTool(user, 'اختر رسائل');
  await user.click(screen.getByRole('checkbox', { name: 'اختر كل ما يظهر' }));
  expect(screen.getByText('٤ رسائل مختارة')).toBeVisible();
  const before = api.calls.length;
  await user.click(screen.getByRole('button', { name: 'انشر' }));
  expect(await screen.findByText('نُشرت ٤')).toBeVisible();
  expect(await screen.findAllByText('منشورة')).toHaveLength(4);
  expect(api.calls.slice(before).map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /messages/bulk']);
  expect(screen.queryByRole('toolbar')).toBeNull();
});

test('all unread messages are read at once, also those that are not loaded, and unread again by an undo', async () => {
  const inbox = Array.from({ length: 30 }, (_, index) => buildMessage({ id: index + 1, isRead: index < 5 }));
  const { user, api } = await openInbox(
    { inbox },
    {
      answers: {
        'POST /messages/undo': () => {
          for (const message of inbox.slice(5)) message.isRead = false;
          return { body: inbox.slice(5) };
        },
      },
    },
  );
  await user.click(await screen.findByRole('radio', { name: 'Unread 25' }));
  await user.click(await screen.findByRole('button', { name: 'Mark all 25 read' }));
  expect(await screen.findByText('You are all caught up')).toBeVisible();
  expect(await screen.findByRole('radio', { name: 'Unread' })).toBeInTheDocument();
  expect(api.callsTo('POST /messages/bulk').map(({ body }) => body)).toEqual([{ all: 'unread', action: 'read' }]);
  expect(await screen.findByText('25 marked read')).toBeVisible();
  await undo();
  expect(await screen.findByText('They are unread again')).toBeVisible();
  expect(await screen.findByRole('radio', { name: 'Unread 25' })).toBeInTheDocument();
  await waitFor(() => {
    expect(shownIds()[0]).toBe('30');
  });
});

test('a selection of everything shown says so while the list goes on', async () => {
  const { user } = await openInbox({ inbox: Array.from({ length: 12 }, (_, id) => buildMessage({ id: id + 1 })) });
  await card(12);
  await chooseTool(user, 'Select messages');
  await user.click(screen.getByRole('checkbox', { name: 'Select everything shown' }));
  expect(screen.getByText('All 10 shown are selected')).toBeVisible();
});

test('more messages than one call takes are deleted, and come back with one undo', async () => {
  const inbox = Array.from({ length: 150 }, (_, index) => buildMessage({ id: index + 1 }));
  const ids = inbox.map(({ id }) => id).reverse();
  let calls = 0;
  const { user, api } = await openInbox(
    { inbox },
    {
      answers: {
        'GET /messages': () => ({ body: ids.map((id) => buildMessage({ id })) }),
        'POST /messages/bulk': ({ body }) => {
          calls += 1;
          const undoUntil = new Date(Date.now() + 10_000).toISOString();
          return { body: { done: (body as { ids: number[] }).ids, undoToken: `token ${String(calls)}`, undoUntil } };
        },
        'POST /messages/undo': { body: inbox.slice(0, 75) },
      },
    },
  );
  await card(150);
  await chooseTool(user, 'Select messages');
  await user.click(screen.getByLabelText('Select everything shown'));
  expect(screen.getByText('150 selected')).toBeVisible();
  await user.click(screen.getByText('Delete'));
  expect(await screen.findByText('150 messages deleted')).toBeVisible();
  expect(api.callsTo('POST /messages/bulk').map(({ body }) => body)).toEqual([
    { ids: ids.slice(0, 100), action: 'delete' },
    { ids: ids.slice(100), action: 'delete' },
  ]);
  await undo();
  expect(await screen.findByText('All 150 are where they were.')).toBeVisible();
  expect(api.callsTo('POST /messages/undo').map(({ body }) => body)).toEqual([
    { undoToken: 'token 1' },
    { undoToken: 'token 2' },
  ]);
});

test('a change that fails midway says so, and what is done can be undone', async () => {
  const ids = Array.from({ length: 101 }, (_, index) => 101 - index);
  const { user, api } = await openInbox(
    { inbox: [], others: 101 },
    {
      answers: {
        'GET /messages': () => ({ body: ids.map((id) => buildMessage({ id })) }),
        'POST /messages/bulk': ({ body }) => {
          const done = (body as { ids: number[] }).ids;
          const undoUntil = new Date(Date.now() + 10_000).toISOString();
          return done.length === 100
            ? { body: { done, undoToken: 'token', undoUntil } }
            : { status: 403, body: { message: 'No.', code: 'not_allowed' } };
        },
        'POST /messages/undo': { body: ids.slice(1).map((id) => buildMessage({ id })) },
      },
    },
  );
  await card(101);
  await chooseTool(user, 'Select messages');
  await user.click(screen.getByLabelText('Select everything shown'));
  await user.click(screen.getByText('Read', { selector: '[data-action] *, [data-action]' }));
  expect(await screen.findByText(/You are not allowed to do this/)).toBeVisible();
  expect(screen.getByText('1 selected')).toBeVisible();
  await undo();
  expect(await screen.findByText('They are unread again')).toBeVisible();
  expect(api.callsTo('POST /messages/undo').map(({ body }) => body)).toEqual([{ undoToken: 'token' }]);
});

test('a long change stops while all of it can be undone, and the rest stays selected', async () => {
  const ids = Array.from({ length: 101 }, (_, index) => 101 - index);
  const { user, api } = await openInbox(
    { inbox: [], others: 101 },
    {
      answers: {
        'GET /messages': () => ({ body: ids.map((id) => buildMessage({ id })) }),
        'POST /messages/bulk': ({ body }) => {
          const undoUntil = new Date(Date.now() + 4_000).toISOString();
          return {
            body: { done: (body as { ids: number[] }).ids, undoToken: 'token', undoUntil },
            headers: { date: new Date(Date.now()).toUTCString() },
          };
        },
      },
    },
  );
  await card(101);
  await chooseTool(user, 'Select messages');
  await user.click(screen.getByLabelText('Select everything shown'));
  await user.click(screen.getByText('Delete'));
  await waitFor(() => expect(document.body.textContent).toMatch(/(^|\D)1 selected/));
  expect(api.callsTo('POST /messages/bulk')).toHaveLength(1);
});

test('an expired undo says that it is too late', async () => {
  const { user } = await openInbox(box(), {
    answers: { 'POST /messages/undo': { status: 409, body: { message: 'No.', code: 'undo_expired' } } },
  });
  await chooseTool(user, 'Select messages');
  await user.click(await checkbox(5));
  await user.click(screen.getByRole('button', { name: 'Delete' }));
  await undo();
  expect(await screen.findByText('Too late to undo')).toBeVisible();
  expect(shownIds()).not.toContain('5');
});

test('undo is offered again when it fails on the way', async () => {
  let tries = 0;
  const { user, api } = await openInbox(box(), {
    answers: {
      'POST /messages/undo': () => {
        tries += 1;
        return tries === 1 ? { status: 403, body: { message: 'No.', code: 'not_allowed' } } : { body: [] };
      },
    },
  });
  await chooseTool(user, 'Select messages');
  await user.click(await checkbox(5));
  await user.click(screen.getByRole('button', { name: 'Delete' }));
  await undo();
  expect(await screen.findByText('You are not allowed to do this.')).toBeVisible();
  await undo();
  expect(await screen.findByText('Messages are back')).toBeVisible();
  expect(api.callsTo('POST /messages/undo').map(({ body }) => body)).toEqual([
    { undoToken: 'token' },
    { undoToken: 'token' },
  ]);
});
