import { describe, expect, jest, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { buildMessage } from '../../test/factories.js';
import { openInbox } from '../../test/open-inbox.js';
import { renderElement } from '../../test/render.js';
import { startApi } from '../../test/server.js';
import { AsideFolder } from './AsideFolder.js';
import { MessageMenu } from './MessageMenu.js';

async function openFolder() {
  let messages = [
    { ...buildMessage({ id: 3, content: 'you are stupid' }), reason: 'filtered', matched: 'insults' },
    { ...buildMessage({ id: 2, content: 'a gift for you' }), reason: 'filtered', matched: 'gift' },
    { ...buildMessage({ id: 1, content: 'why no answer' }), reason: 'blocked' },
  ];
  const without = (id: number) => {
    messages = messages.filter((message) => message.id !== id);
  };
  const api = await startApi({
    'GET /messages': () => ({ body: messages }),
    'POST /messages/2/restore': () => {
      without(2);
      return { body: buildMessage({ id: 2 }) };
    },
    'DELETE /messages/1': () => {
      without(1);
      return { status: 204 };
    },
    'DELETE /messages': () => {
      messages = [];
      return { status: 204 };
    },
  });
  const view = renderElement(<AsideFolder onBack={() => undefined} />, { apiRoot: api.apiRoot });
  await screen.findByText('a gift for you');
  return { api, ...view };
}

describe('the set-aside folder', () => {
  test('the set-aside folder gives reasons, and folds insults', async () => {
    await openFolder();
    expect(screen.getByText(/Has your word “.*gift.*”/)).toBeVisible();
    expect(screen.getByText('From someone you blocked')).toBeVisible();
    expect(screen.getByText('Matched the list of insults')).toBeVisible();
    expect(screen.getByText('you are stupid').closest('details')).not.toHaveAttribute('open');
  });

  test('the set-aside folder takes the focus to its beginning', async () => {
    await openFolder();
    expect(screen.getByRole('button', { name: 'Your messages' })).toHaveFocus();
  });

  test('the set-aside folder shows a retry after a failure', async () => {
    let attempts = 0;
    let answer = (): void => undefined;
    const { apiRoot } = await startApi({
      'GET /messages': async () => {
        attempts += 1;
        if (attempts === 1) return { status: 403, body: { message: 'No.', code: 'not_allowed' } };
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
        return { body: [] };
      },
    });
    const { user } = renderElement(<AsideFolder onBack={() => undefined} />, { apiRoot });
    const again = await screen.findByRole('button', { name: 'Try again' });
    await user.click(again);
    expect(await screen.findByRole('button', { name: 'Loading' })).toHaveAttribute('aria-busy', 'true');
    expect(again).toHaveFocus();
    await waitFor(() => {
      expect(attempts).toBe(2);
    });
    answer();
    await waitFor(() => {
      expect(again).not.toBeInTheDocument();
    });
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('the set-aside folder returns the focus to the row that opened it', async () => {
    const { user } = await openInbox({ inbox: [buildMessage({ id: 1 })] });
    await user.click(await screen.findByRole('button', { name: /Set aside/ }));
    await user.click(await screen.findByRole('button', { name: 'Your messages' }));
    expect(await screen.findByRole('button', { name: /Set aside/ })).toHaveFocus();
  });

  test('the set-aside folder filters by reason', async () => {
    const { user } = await openFolder();
    await user.click(screen.getByRole('radio', { name: 'Blocked' }));
    expect(screen.getAllByTestId('aside-message')).toHaveLength(1);
  });

  test('set-aside messages are restored, deleted, and emptied after a confirmation', async () => {
    const { user } = await openFolder();
    const card = (id: number) =>
      screen.getAllByTestId('aside-message').find(({ dataset }) => dataset['messageId'] === String(id)) ??
      document.body;
    await user.click(within(card(2)).getByRole('button', { name: 'Move to inbox' }));
    expect(await screen.findByText('Moved to your inbox')).toBeVisible();
    await waitFor(() => {
      expect(screen.queryByText('a gift for you')).toBeNull();
    });
    await user.click(within(card(1)).getByRole('button', { name: 'Delete' }));
    await waitFor(() => {
      expect(screen.queryByText('why no answer')).toBeNull();
    });
    await user.click(screen.getByRole('button', { name: 'Empty folder' }));
    await user.click(await screen.findByRole('button', { name: 'Empty' }));
    expect(await screen.findByText('Nothing here')).toBeVisible();
  });
});

test('a sender is blocked after a confirmation', async () => {
  const block = { id: 1, messageId: 7, excerpt: 'a', createdAt: '2026-11-20T10:00:00.000Z' };
  const api = await startApi({ 'POST /blocks': { status: 201, body: block } });
  const calls = { onReply: jest.fn(), onDelete: jest.fn() };
  const actions = { isBusy: false, isPublished: false, changeVisibility: jest.fn(), share: jest.fn() };
  const { user } = renderElement(<MessageMenu message={buildMessage({ id: 7 })} actions={actions} {...calls} />, {
    apiRoot: api.apiRoot,
  });
  await user.click(screen.getByRole('button', { name: 'More for this message' }));
  await user.click(await screen.findByRole('menuitem', { name: /Block whoever wrote this/ }));
  await user.click(await screen.findByRole('button', { name: 'Block' }));
  expect(await screen.findByText('What they send is set aside. The list is in Settings.')).toBeVisible();
  expect(api.callsTo('POST /blocks')[0]?.body).toEqual({ messageId: 7 });
});
