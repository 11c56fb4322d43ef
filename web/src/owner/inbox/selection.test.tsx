import { afterEach, expect, test } from '@jest/globals';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { buildMessage, buildSentMessage } from '../../test/factories.js';
import { card, openInbox, shownIds, undo } from '../../test/open-inbox.js';

afterEach(() => {
  sessionStorage.clear();
});

const box = () => ({
  inbox: [5, 6, 7, 8].map((id) => buildMessage({ id })),
  sent: [buildSentMessage({ id: 3 })],
});

const checkbox = async (id: number) => (await card(id)).getByRole('checkbox', { name: 'Select this message' });

test('a range is selected by keyboard and deleted, which can be undone after a reload', async () => {
  const mailbox = box();
  const { user, api } = await openInbox(mailbox);
  await user.click(await screen.findByRole('button', { name: 'Select' }));
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
  expect(await screen.findByRole('radio', { name: 'Received 1' })).toBeInTheDocument();
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
  await user.click(await screen.findByRole('button', { name: 'اختر' }));
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
  expect(await screen.findByRole('radio', { name: 'Unread 0' })).toBeInTheDocument();
  expect(api.callsTo('POST /messages/bulk').map(({ body }) => body)).toEqual([{ all: 'unread', action: 'read' }]);
  expect(screen.getByText('25 marked read')).toBeVisible();
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
  await user.click(await screen.findByRole('button', { name: 'Select' }));
  await user.click(screen.getByRole('checkbox', { name: 'Select everything shown' }));
  expect(screen.getByText('All 10 shown are selected')).toBeVisible();
});

test('an expired undo says that it is too late', async () => {
  const { user } = await openInbox(box(), {
    answers: { 'POST /messages/undo': { status: 409, body: { message: 'No.', code: 'undo_expired' } } },
  });
  await user.click(await screen.findByRole('button', { name: 'Select' }));
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
  await user.click(await screen.findByRole('button', { name: 'Select' }));
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
