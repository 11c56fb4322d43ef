import { beforeAll, expect, test } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { buildMessage } from '../../test/factories.js';
import { emit, installEventSource } from '../../test/event-source.js';
import { openInbox } from '../../test/open-inbox.js';

beforeAll(installEventSource);

test('new messages show only on request', async () => {
  const inbox = [buildMessage({ id: 1, content: 'The first one' })];
  const { api, user } = await openInbox({ inbox });
  await screen.findByText('The first one');
  inbox.unshift(buildMessage({ id: 3, content: 'The third one' }), buildMessage({ id: 2, content: 'The second one' }));
  emit('message', { messageId: 2, change: 'created' });
  const one = await screen.findByRole('button', { name: '1 message arrived. Show it' });
  emit('message', { messageId: 3, change: 'created' });
  emit('notification', { id: 9, kind: 'message', subject: { messageId: 3 }, readAt: null, createdAt: '' });
  const both = await screen.findByRole('button', { name: '2 messages arrived. Show them' });
  expect(one).toBe(both);
  expect(screen.queryByText('The third one')).toBeNull();
  // Counts update by themselves, since they move nothing.
  await screen.findByRole('radio', { name: 'Unread 3' });
  expect(api.callsTo('GET /messages')).toHaveLength(1);

  await user.click(both);
  expect(await screen.findByText('The third one')).toBeTruthy();
  expect(screen.getByText('The second one')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /arrived/ })).toBeNull();
  await waitFor(() => {
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Messages' }));
  });
});

test('the first message of an empty list shows by itself', async () => {
  const inbox: ReturnType<typeof buildMessage>[] = [];
  await openInbox({ inbox });
  await screen.findByText('the first day');
  inbox.push(buildMessage({ id: 1, content: 'The first one' }));
  emit('message', { messageId: 1, change: 'created' });
  expect(await screen.findByText('The first one')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /arrived/ })).toBeNull();
});

test('a message deleted elsewhere no longer counts as new', async () => {
  const inbox = [buildMessage({ id: 1, content: 'The first one' })];
  await openInbox({ inbox });
  await screen.findByText('The first one');
  for (const messageId of [2, 3]) emit('message', { messageId, change: 'created' });
  await screen.findByRole('button', { name: '2 messages arrived. Show them' });
  emit('message', { messageId: 3, change: 'deleted' });
  expect(await screen.findByRole('button', { name: '1 message arrived. Show it' })).toBeTruthy();
});
