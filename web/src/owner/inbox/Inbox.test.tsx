import { describe, expect, jest, test } from '@jest/globals';
import { act, cleanup, renderHook, screen, waitFor, within } from '@testing-library/react';
import { buildMessage, buildReply, buildSentMessage, buildUser } from '../../test/factories.js';
import { card, chooseTool, mailbox, openInbox, shownIds } from '../../test/open-inbox.js';
import { noteServerTime } from '../../i18n/index.js';
import { useNearEdge } from './use-near-edge.js';

test.each([
  ['no tools', { received: 5, sent: 5, toSelf: 1 }, 0, 5],
  ['tools', { received: 6, sent: 5, toSelf: 1 }, 1, 5],
  ['neither tools nor tabs', { received: 0, sent: 0 }, 0, 0],
])('an inbox has %s with %p', async (_, counts, tools, tabs) => {
  const stats = { read: 0, unread: 0, ...counts };
  await openInbox({ inbox: [] }, { answers: { 'GET /messages/stats': { body: stats } } });
  await waitFor(() => {
    expect(screen.queryAllByRole('search')).toHaveLength(tools);
    expect(screen.queryAllByRole('radio')).toHaveLength(tabs);
  });
});

describe('replying', () => {
  test('a sent reply shows, and the message becomes read', async () => {
    const { user, api } = await openInbox({ inbox: [buildMessage({ id: 5 })] });
    await user.click((await card(5)).getByRole('button', { name: 'Reply' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Write your reply' }));
    expect(dialog.getByLabelText('Reply text')).toHaveFocus();
    expect(dialog.getByRole('button', { name: 'Send reply' })).toBeDisabled();
    await user.type(dialog.getByLabelText('Reply text'), '  thank you ');
    await user.click(dialog.getByRole('button', { name: 'Send reply' }));
    expect(await screen.findByText('Reply sent successfully')).toBeVisible();
    expect(await (await card(5)).findByText('thank you')).toBeVisible();
    await waitFor(async () => {
      expect((await card(5)).queryByText('New')).toBeNull();
    });
    const [call] = api.callsTo('POST /replies');
    expect(call?.body).toEqual({ messageId: 5, content: 'thank you' });
    expect(call?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('a new reply starts from the one that it replaces', async () => {
    const { user } = await openInbox({
      inbox: [buildMessage({ id: 5, reply: buildReply('thank you') })],
    });
    await user.click((await card(5)).getByRole('button', { name: 'Reply' }));
    expect(await screen.findByLabelText('Reply text')).toHaveValue('thank you');
  });

  test('a failed reply keeps dialog and text, and retries with the same key', async () => {
    const { user, api } = await openInbox(
      { inbox: [buildMessage({ id: 5 })] },
      { answers: { 'POST /replies': { status: 429, body: { message: 'Slow down.', code: 'too_many_requests' } } } },
    );
    await user.click((await card(5)).getByRole('button', { name: 'Reply' }));
    await user.type(await screen.findByLabelText('Reply text'), 'thank you');
    await user.click(screen.getByRole('button', { name: 'Send reply' }));
    expect(await screen.findByText('Could not send the reply')).toBeVisible();
    expect(screen.getByText('Please try again later.')).toBeVisible();
    expect(within(await screen.findByTestId('toast')).getByRole('button', { name: 'Close' })).toBeVisible();
    expect(screen.getByLabelText('Reply text')).toHaveValue('thank you');
    await user.click(await screen.findByRole('button', { name: 'Send reply' }));
    await waitFor(() => {
      expect(api.callsTo('POST /replies')).toHaveLength(2);
    });
    const keys = api.callsTo('POST /replies').map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(1);
  });

  describe('a reply that was begun', () => {
    const inbox = () => [buildMessage({ id: 5, reply: buildReply('thank you') }), buildMessage({ id: 6 })];

    const openReply = async ({ user }: Pick<Awaited<ReturnType<typeof openInbox>>, 'user'>, id: number) => {
      await user.click((await card(id)).getByRole('button', { name: 'Reply' }));
      return screen.findByLabelText('Reply text');
    };

    test('a draft reply survives closing its dialog and a reload, for its message alone', async () => {
      const view = await openInbox({ inbox: inbox() });
      await view.user.type(await openReply(view, 5), ', whoever you are');
      await view.user.keyboard('{Escape}');
      expect(screen.queryByRole('dialog')).toBeNull();
      expect(await openReply(view, 6)).toHaveValue('');
      await view.user.keyboard('{Escape}');
      expect(await openReply(view, 5)).toHaveValue('thank you, whoever you are');
      cleanup();
      const again = await openInbox({ inbox: inbox() });
      expect(await openReply(again, 5)).toHaveValue('thank you, whoever you are');
    });

    test('a draft reply is not shown to another account', async () => {
      const view = await openInbox({ inbox: inbox() });
      await view.user.type(await openReply(view, 6), 'from the first');
      cleanup();
      const other = await openInbox({ inbox: inbox() }, { owner: buildUser({ id: 2 }) });
      expect(await openReply(other, 6)).toHaveValue('');
    });

    test.each([
      ['sent', 'Send reply', 'thank you, whoever you are'],
      ['cancelled', 'Cancel', 'thank you'],
    ])('goes when it is %s', async (_end, button, next) => {
      const view = await openInbox({ inbox: inbox() });
      await view.user.type(await openReply(view, 5), ', whoever you are');
      await view.user.click(screen.getByRole('button', { name: button }));
      expect(await (await card(5)).findByText(next)).toBeVisible();
      await waitFor(() => {
        expect(screen.queryByRole('dialog')).toBeNull();
      });
      expect(sessionStorage).toHaveLength(0);
      expect(await openReply(view, 5)).toHaveValue(next);
    });
  });
});

describe('message list', () => {
  test("ages of messages follow the server's clock, not the device's", async () => {
    const server = new Date(Date.now() - 60 * 60_000);
    const stats = { received: 1, sent: 0, read: 0, unread: 1, toSelf: 0 };
    await openInbox(
      { inbox: [buildMessage({ createdAt: server.toISOString() })] },
      { answers: { 'GET /messages/stats': { body: stats, headers: { date: server.toUTCString() } } } },
    );
    expect(await screen.findByText('Just now')).toBeVisible();
    act(() => {
      noteServerTime(new Date().toUTCString());
    });
  });

  test('the inbox loads pages until the end', async () => {
    const { user } = await openInbox({
      inbox: Array.from({ length: 13 }, (_, index) => buildMessage({ id: index + 1 })),
    });
    await waitFor(() => {
      expect(screen.getAllByTestId('message')).toHaveLength(10);
    });
    await user.click(screen.getByRole('button', { name: 'Load more' }));
    await waitFor(() => {
      expect(screen.getAllByTestId('message')).toHaveLength(13);
    });
    expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull();
  });

  test('from a month, the inbox loads later messages until the newest', async () => {
    const message = (id: number) => buildMessage({ id });
    const link = { link: '</api/messages?before=4>; rel="next"' };
    const { user } = await openInbox(
      { inbox: [message(5)], others: 9 },
      {
        answers: {
          'GET /messages/months': { body: [{ month: '2026-10', count: 2 }] },
          'GET /messages': ({ query }) => {
            if (query.get('sort') === 'newest')
              return { body: query.has('start') ? [2, 1].map(message) : [message(5)] };
            return query.has('before') ? { body: [message(5)] } : { body: [3, 4].map(message), headers: link };
          },
        },
      },
    );
    await card(5);
    await chooseTool(user, 'Go to a month');
    await user.click(await screen.findByRole('menuitem', { name: /October/ }));
    const before = () => screen.queryByRole('button', { name: 'Show what comes before' });
    const shows = (ids: string[]) =>
      waitFor(() => {
        expect(shownIds()).toEqual(ids);
      });
    await shows(['2', '1']);
    await user.click(before() ?? document.body);
    await shows(['4', '3', '2', '1']);
    await user.click(before() ?? document.body);
    await shows(['5', '4', '3', '2', '1']);
    expect(before()).toBeNull();
  });

  test('the inbox loads page after page while its end is near, even if answers come before it renders', () => {
    const observe = jest.fn();
    globalThis.IntersectionObserver = class {
      constructor(callback: (entries: { isIntersecting: boolean }[]) => void) {
        observe.mockImplementation(() => {
          callback([{ isIntersecting: true }]);
        });
      }
      observe = observe;
      disconnect = () => undefined;
    } as unknown as typeof IntersectionObserver;
    const onNear = jest.fn();
    const end = document.createElement('div');
    const { rerender } = renderHook(
      (pages: number) => {
        useNearEdge(end, { isReady: true, pages, onNear });
      },
      { initialProps: 1 },
    );
    for (const pages of [2, 2, 3]) rerender(pages);
    expect(onNear).toHaveBeenCalledTimes(3);
    Reflect.deleteProperty(globalThis, 'IntersectionObserver');
  });

  test('the inbox shows why the next page failed, and retries', async () => {
    let refused = true;
    const inbox = Array.from({ length: 13 }, (_, index) => buildMessage({ id: index + 1 }));
    const lists = mailbox({ inbox })['GET /messages'];
    const { user } = await openInbox(
      { inbox },
      {
        answers: {
          'GET /messages': (call) =>
            refused && call.query.has('before')
              ? { status: 403, body: { message: 'No.', code: 'not_allowed' } }
              : typeof lists === 'function'
                ? lists(call)
                : {},
        },
      },
    );
    await user.click(await screen.findByRole('button', { name: 'Load more' }));
    expect(await screen.findByText('Could not load this: You are not allowed to do this.')).toBeVisible();
    expect(shownIds()).toHaveLength(10);
    refused = false;
    await user.click(screen.getByRole('button', { name: 'Load more' }));
    await waitFor(() => {
      expect(shownIds()).toHaveLength(13);
    });
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('the inbox loads more after a refetch if requested during it', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const inbox = Array.from({ length: 13 }, (_, index) => buildMessage({ id: index + 1 }));
    const lists = mailbox({ inbox })['GET /messages'];
    let loads = 0;
    const { user } = await openInbox(
      { inbox },
      {
        answers: {
          'GET /messages': async (call) => {
            loads += 1;
            if (loads === 2) await held;
            return typeof lists === 'function' ? lists(call) : {};
          },
        },
      },
    );
    await card(13);
    act(() => {
      window.dispatchEvent(new Event('focus'));
    });
    await waitFor(() => {
      expect(loads).toBe(2);
    });
    await user.click(screen.getByRole('button', { name: 'Load more' }));
    release();
    await waitFor(() => {
      expect(shownIds()).toHaveLength(13);
    });
  });

  test('the inbox filters by state and counts what is unread in Arabic digits', async () => {
    const { user } = await openInbox(
      { inbox: [buildMessage({ id: 5 }), buildMessage({ id: 6, isRead: true })], sent: [buildSentMessage()] },
      { language: 'ar' },
    );
    await user.click(await screen.findByRole('radio', { name: 'المقروءة' }));
    await waitFor(() => {
      expect(screen.getAllByTestId('message').map(({ dataset }) => dataset['messageId'])).toEqual(['6']);
    });
    expect(screen.getByRole('radio', { name: 'غير المقروءة ١' })).toBeVisible();
    await user.click(screen.getByRole('radio', { name: 'الكل' }));
    await waitFor(() => {
      expect(screen.getAllByTestId('message').map(({ dataset }) => dataset['messageId'])).toEqual(['6', '5', '3']);
    });
  });

  test('the order of the inbox can be reversed', async () => {
    const { user } = await openInbox({ inbox: [buildMessage({ id: 5 }), buildMessage({ id: 6 })], others: 8 });
    await card(5);
    await chooseTool(user, 'Oldest first');
    await waitFor(() => {
      expect(screen.getAllByTestId('message').map(({ dataset }) => dataset['messageId'])).toEqual(['5', '6']);
    });
  });

  test('an inbox without messages has its first day, one without unread ones offers to copy the link', async () => {
    const { unmount } = await openInbox({ inbox: [] });
    expect(await screen.findByText('the first day')).toBeVisible();
    unmount();
    const { user, copyLink } = await openInbox({ inbox: [buildMessage({ id: 5, isRead: true })] });
    await card(5);
    await user.click(screen.getByRole('radio', { name: 'Unread' }));
    await user.click(await screen.findByRole('button', { name: 'Copy your link' }));
    expect(copyLink).toHaveBeenCalledTimes(1);
  });

  test('the inbox shows a load error and retries', async () => {
    let refused = true;
    const box = mailbox({ inbox: [buildMessage({ id: 5 })] });
    const { user } = await openInbox(
      { inbox: [] },
      {
        answers: {
          ...box,
          'GET /messages': (call) => {
            const list = box['GET /messages'];
            if (refused || typeof list !== 'function')
              return { status: 403, body: { message: 'No.', code: 'not_allowed' } };
            return list(call);
          },
        },
      },
    );
    expect(await screen.findByText('Could not load this: You are not allowed to do this.')).toBeVisible();
    refused = false;
    await user.click(await screen.findByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('message 5')).toBeVisible();
  });
});

// Threat model: owner-8.
test('the link of a reply loads only sent messages', async () => {
  const box = { inbox: [buildMessage({ id: 5 })], sent: [buildSentMessage({ id: 7 })] };
  const { api } = await openInbox(box, { path: '/#sent-7' });
  await waitFor(() => {
    expect(shownIds()).toEqual(['7']);
  });
  expect(api.callsTo('GET /messages')).toEqual([]);
});
