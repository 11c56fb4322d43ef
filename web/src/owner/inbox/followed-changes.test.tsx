import { beforeAll, expect, jest, test } from '@jest/globals';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { buildMessage, buildReply } from '../../test/factories.js';
import { emit, installEventSource, openStreams } from '../../test/event-source.js';
import { card, openInbox, shownIds } from '../../test/open-inbox.js';

beforeAll(installEventSource);

const setUp = async (options: Parameters<typeof openInbox>[1] = {}) => {
  const inbox = [1, 2, 3].map((id) => buildMessage({ id }));
  const opened = await openInbox({ inbox }, options);
  await screen.findByText('message 1');
  return { inbox, ...opened };
};

const byIds = ({ query }: { query: URLSearchParams }) => query.has('ids');

test('a change of another tab shows in place, and counts', async () => {
  const { inbox, api } = await setUp();
  const changed = await card(2);
  Object.assign(inbox[1]!, { isRead: true, isPublic: true, pinned: true, reply: buildReply('my reply') });
  emit('message', { messageId: 2, change: 'updated' });
  expect(await screen.findByText('my reply')).toBeVisible();
  for (const badge of ['Read', 'Public', 'Pinned']) expect(changed.getByText(badge)).toBeVisible();
  expect(await screen.findByRole('radio', { name: 'Unread 2' })).toBeInTheDocument();
  expect(shownIds()).toEqual(['3', '2', '1']);
  expect(api.callsTo('GET /messages').filter((call) => !byIds(call))).toHaveLength(1);
});

test('after many changes elsewhere what is loaded is compared, and nothing else is read', async () => {
  const { inbox, api } = await setUp();
  for (const message of inbox) message.isRead = true;
  for (let id = 1; id <= 150; id += 1) emit('message', { messageId: id, change: 'updated' });
  expect(await screen.findByRole('radio', { name: 'Unread' })).toBeInTheDocument();
  expect((await card(2)).queryByText('New')).toBeNull();
  const asked = api.callsTo('GET /messages').filter(byIds);
  expect(asked.flatMap(({ query }) => query.get('ids')?.split(',') ?? []).length).toBeLessThan(100);
});

test('a message read elsewhere stays in the unread list', async () => {
  const { inbox, user } = await setUp();
  await user.click(await screen.findByRole('radio', { name: 'Unread 3' }));
  await waitFor(() => {
    expect(shownIds()).toEqual(['3', '2', '1']);
  });
  inbox[1]!.isRead = true;
  emit('message', { messageId: 2, change: 'updated' });
  await waitFor(async () => {
    expect((await card(2)).queryByText('New')).toBeNull();
  });
  expect(shownIds()).toEqual(['3', '2', '1']);
});

test('a message deleted elsewhere leaves, keeps the focus near, and is offered when restored', async () => {
  const { inbox } = await setUp();
  (await card(2)).getByRole('button', { name: 'Reply' }).focus();
  const [gone] = inbox.splice(1, 1);
  emit('message', { messageId: 2, change: 'updated' });
  await waitFor(() => {
    expect(shownIds()).toEqual(['3', '1']);
  });
  expect(screen.getByText('message 1').closest('summary')).toHaveFocus();
  inbox.push(gone!);
  emit('message', { messageId: 2, change: 'updated' });
  expect(await screen.findByRole('button', { name: '1 message arrived. Show it' })).toBeVisible();
  expect(shownIds()).toEqual(['3', '1']);
});

test('a change elsewhere keeps the place of the focus while a dialog is open', async () => {
  const { inbox, user } = await setUp();
  await user.click((await card(3)).getByRole('button', { name: 'Delete' }));
  const confirm = await screen.findByRole('button', { name: 'Confirm delete' });
  inbox[0]!.isRead = true;
  emit('message', { messageId: 1, change: 'updated' });
  await waitFor(async () => {
    expect((await card(1)).queryByText('New')).toBeNull();
  });
  await user.click(confirm);
  await waitFor(() => {
    expect(shownIds()).toEqual(['2', '1']);
  });
  await waitFor(() => {
    expect(screen.getByText('message 2').closest('summary')).toHaveFocus();
  });
});

test('lists do not change while the page is used', async () => {
  const { inbox, api } = await setUp();
  inbox.splice(1, 1);
  // The page's clock moves with the pointer: a busy machine makes no pause.
  const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
  let moves = 0;
  const moving = setInterval(() => {
    clock.mockReturnValue((moves += 1) * 100);
    fireEvent.pointerMove(window);
  }, 100);
  try {
    emit('message', { messageId: 2, change: 'deleted' });
    await waitFor(() => {
      expect(moves).toBeGreaterThan(25);
    });
    expect(shownIds()).toEqual(['3', '2', '1']);
    expect(api.callsTo('GET /messages').filter(byIds)).toHaveLength(0);
  } finally {
    clearInterval(moving);
    clock.mockRestore();
  }
  await waitFor(() => {
    expect(shownIds()).toEqual(['3', '1']);
  });
});

test('an own pending change is not reverted', async () => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { api, user } = await setUp({
    answers: {
      'PATCH /messages/2': async () => {
        await held;
        return { body: buildMessage({ id: 2, isPublic: true }) };
      },
    },
  });
  await user.click((await card(2)).getByRole('button', { name: 'Publish' }));
  emit('message', { messageId: 1, change: 'updated' });
  emit('message', { messageId: 2, change: 'updated' });
  const began = performance.now();
  await waitFor(() => {
    expect(performance.now() - began).toBeGreaterThan(1500);
  });
  expect((await card(2)).getByText('Public')).toBeVisible();
  expect(api.callsTo('GET /messages').filter(byIds)).toHaveLength(0);
  act(release);
  await waitFor(() => {
    expect(api.callsTo('GET /messages').filter(byIds)).toHaveLength(1);
  });
});

test('messages that arrived during an interrupted stream are offered', async () => {
  const { inbox } = await setUp();
  inbox.push(buildMessage({ id: 4 }), buildMessage({ id: 5 }));
  act(() => {
    for (const stream of openStreams)
      for (let times = 0; times < 2; times += 1) stream.dispatchEvent(new Event('open'));
  });
  expect(await screen.findByRole('button', { name: '2 messages arrived. Show them' })).toBeVisible();
  expect(shownIds()).toEqual(['3', '2', '1']);
  expect(await screen.findByRole('radio', { name: 'Unread 5' })).toBeInTheDocument();
});

test('lists are compared with the server after an interrupted stream', async () => {
  const { inbox } = await setUp();
  inbox[0]!.isRead = true;
  act(() => {
    for (const stream of openStreams)
      for (let times = 0; times < 2; times += 1) stream.dispatchEvent(new Event('open'));
  });
  await waitFor(async () => {
    expect((await card(1)).queryByText('New')).toBeNull();
  });
});
