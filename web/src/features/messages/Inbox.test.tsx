import { describe, expect, jest, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import type { Language } from '../../i18n/index.js';
import { noura } from '../../test/people.js';
import { renderElement } from '../../test/render.js';
import { startApi, type Answer, type Answers, type Call } from '../../test/server.js';
import type { User } from '../session/index.js';
import { Inbox } from './index.js';
import type { ReceivedMessage, SentMessage } from './types.js';

const received = (id: number, change: Partial<ReceivedMessage> = {}): ReceivedMessage => ({
  id,
  userId: 1,
  content: `message ${String(id)}`,
  imageUrl: null,
  audioUrl: null,
  audioType: null,
  audioDuration: null,
  emoji: null,
  isRead: false,
  isPublic: false,
  createdAt: new Date(Date.UTC(2026, 10, 1, 10, id)).toISOString(),
  ...change,
});

const sentOne: SentMessage = { ...received(3, { userId: 2, content: 'to Salem' }), senderUserId: 1, recipient: { username: 'salem', name: 'Salem' } };

interface Box {
  inbox: ReceivedMessage[];
  sent?: SentMessage[];
  replies?: Record<number, { content: string; createdAt: string }>;
}

/** A mailbox that keeps what is done to it. */
function mailbox({ inbox, sent = [], replies = {} }: Box): Answers {
  const page = (list: { id: number }[]) => (call: Call) => {
    const { query } = call;
    const before = query.get('before');
    const sorted = [...list].sort((a, b) => (query.get('sort') === 'oldest' ? a.id - b.id : b.id - a.id));
    const rest = before === null ? sorted : sorted.slice(sorted.findIndex(({ id }) => String(id) === before) + 1);
    const items = rest.slice(0, Number(query.get('limit')));
    const last = items.at(-1);
    return { body: items, headers: rest.length > items.length && last !== undefined ? { link: `</api/messages?before=${String(last.id)}>; rel="next"` } : {} };
  };
  const answers: Answers = {
    'GET /messages': (call) => page(inbox.filter(({ isRead }) => call.query.get('filter') === 'all' || (call.query.get('filter') === 'read') === isRead))(call),
    'GET /messages/sent': page(sent),
    'GET /messages/stats': () => {
      const read = inbox.filter(({ isRead }) => isRead).length;
      return { body: { received: inbox.length, sent: sent.length, read, unread: inbox.length - read } };
    },
    'POST /replies': (call) => {
      const { messageId, content } = call.body as { messageId: number; content: string };
      replies[messageId] = { content, createdAt: '2026-11-02T10:00:00.000Z' };
      Object.assign(inbox.find(({ id }) => id === messageId) ?? {}, { isRead: true });
      return { status: 201, body: { id: 1, messageId, content, createdAt: '2026-11-02T10:00:00.000Z' } };
    },
  };
  for (const { id } of sent) answers[`GET /replies/${String(id)}`] = () => ({ body: replies[id] ?? null });
  for (const message of inbox) {
    answers[`GET /replies/${String(message.id)}`] = () => ({ body: replies[message.id] ?? null });
    answers[`PATCH /messages/${String(message.id)}`] = (call) => ({ body: Object.assign(message, call.body) });
    answers[`DELETE /messages/${String(message.id)}`] = () => {
      inbox.splice(inbox.indexOf(message), 1);
      return { status: 204 };
    };
  }
  return answers;
}

interface Options {
  answers?: Answers;
  language?: Language;
  owner?: User;
}

async function openInbox(box: Box, { answers = {}, language = 'en', owner = noura }: Options = {}) {
  const api = await startApi({ ...mailbox(box), ...answers });
  const copyLink = jest.fn();
  const view = renderElement(<Inbox owner={owner} onCopyLink={copyLink} />, { apiRoot: api.apiRoot, language });
  return { api, copyLink, ...view };
}

/** A call that is answered when the test says so. */
function slowly(answer: Answer) {
  let release = () => undefined as void;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return {
    handler: async () => {
      await released;
      return answer;
    },
    release: () => {
      release();
    },
  };
}

const shownIds = () => screen.queryAllByTestId('message').map(({ dataset }) => dataset['messageId']);

const card = async (id: number) => {
  const cards = await screen.findAllByTestId('message');
  const found = cards.find(({ dataset }) => dataset['messageId'] === String(id));
  if (found === undefined) throw new Error(`No card shows message ${String(id)}.`);
  return within(found);
};

describe('a message card', () => {
  test('says that a message is new and private, in both languages', async () => {
    const { unmount } = await openInbox({ inbox: [received(5)] });
    const english = await card(5);
    expect(english.getByText('New')).toBeVisible();
    expect(english.getByText('Private')).toBeVisible();
    expect(english.getByText('Anonymous person')).toBeVisible();
    unmount();
    await openInbox({ inbox: [received(5)] }, { language: 'ar' });
    const arabic = await card(5);
    expect(arabic.getByText('جديدة')).toBeVisible();
    expect(arabic.getByText('خاصة')).toBeVisible();
    expect(arabic.getByText('شخص مجهول')).toBeVisible();
  });

  test('becomes read, and the counts follow', async () => {
    const { user, api } = await openInbox({ inbox: [received(5)] });
    await user.click((await card(5)).getByRole('button', { name: 'Mark read' }));
    expect(await screen.findByText('Message updated successfully')).toBeVisible();
    await waitFor(async () => {
      expect((await card(5)).getByText('Read')).toBeVisible();
    });
    expect((await card(5)).queryByRole('button', { name: 'Mark read' })).toBeNull();
    expect(await screen.findByRole('radio', { name: 'Unread 0' })).toBeInTheDocument();
    expect(api.callsTo('PATCH /messages/5').map(({ body }) => body)).toEqual([{ isRead: true }]);
  });

  test('is published and taken back', async () => {
    const { user, api } = await openInbox({ inbox: [received(5, { isRead: true })] });
    await user.click((await card(5)).getByRole('button', { name: 'Publish' }));
    await user.click(await screen.findByRole('button', { name: 'Unpublish' }));
    expect(await screen.findByRole('button', { name: 'Publish' })).toBeVisible();
    expect(api.callsTo('PATCH /messages/5').map(({ body }) => body)).toEqual([{ isPublic: true }, { isPublic: false }]);
  });

  test('stays as it was when a change fails, and says why', async () => {
    const { user } = await openInbox(
      { inbox: [received(5)] },
      { answers: { 'PATCH /messages/5': { status: 404, body: { message: 'Gone.', code: 'message_not_found' } } }, language: 'ar' },
    );
    await user.click((await card(5)).getByRole('button', { name: 'انشر' }));
    expect(await screen.findByText(/^فشل تحديث الرسالة: .*404.*: هذه الرسالة لم تعد موجودة\.$/)).toBeVisible();
    expect((await card(5)).getByText('خاصة')).toBeVisible();
  });

  test('goes for good, but only after a question', async () => {
    const { user } = await openInbox({ inbox: [received(5), received(6)] });
    await user.click((await card(5)).getByRole('button', { name: 'Delete' }));
    const question = await screen.findByRole('alertdialog', { name: 'Delete this message?' });
    expect(question).toHaveAccessibleDescription('This action cannot be undone.');
    await user.click(within(question).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => {
      expect(screen.queryByRole('alertdialog')).toBeNull();
    });
    await user.click((await card(5)).getByRole('button', { name: 'Delete' }));
    await user.click(await screen.findByRole('button', { name: 'Confirm delete' }));
    await waitFor(() => {
      expect(screen.getAllByTestId('message')).toHaveLength(1);
    });
    expect(await screen.findByText('Message deleted successfully')).toBeVisible();
  });

  test('that I sent names its recipient, and can only be deleted', async () => {
    await openInbox({ inbox: [], sent: [sentOne] });
    const own = await card(3);
    expect(own.getByText('@salem')).toBeVisible();
    expect(own.getByText('Sent')).toBeVisible();
    expect(own.getAllByRole('button').map((button) => button.textContent)).toEqual(['Delete']);
  });

  test('that I sent shows the reply to it', async () => {
    await openInbox({ inbox: [], sent: [sentOne], replies: { 3: { content: 'thanks, whoever you are', createdAt: '2026-11-02T10:00:00.000Z' } } });
    const own = await card(3);
    expect(await own.findByText('thanks, whoever you are')).toBeVisible();
    expect(own.getByText('\u2068Salem\u2069 replied')).toBeVisible();
  });

  test('shows its reply and its picture, which opens in full size', async () => {
    const { user } = await openInbox({
      inbox: [received(5, { imageUrl: '/image/a.webp', isRead: true })],
      replies: { 5: { content: 'my answer', createdAt: '2026-11-02T10:00:00.000Z' } },
    });
    expect(await screen.findByText('my answer')).toBeVisible();
    expect(screen.getByText('\u2068Noura\u2069 replied')).toBeVisible();
    expect(screen.getByTestId('message-image')).toHaveAttribute('src', '/api/image/a.webp?size=small');
    await user.click(screen.getByRole('button', { name: 'Show the image in full size' }));
    const viewer = within(await screen.findByRole('dialog', { name: 'Attached image' }));
    expect(viewer.getByRole('img')).toHaveAttribute('src', '/api/image/a.webp');
  });
});

describe('a change', () => {
  test('is shown before the server has answered, and nothing else can be changed meanwhile', async () => {
    const answer = slowly({ body: received(5, { isPublic: true, isRead: true }) });
    const { user } = await openInbox({ inbox: [received(5), received(6)] }, { answers: { 'PATCH /messages/5': answer.handler } });
    await user.click((await card(5)).getByRole('button', { name: 'Publish' }));
    expect(await (await card(5)).findByText('Public')).toBeVisible();
    expect(screen.queryByTestId('toast')).toBeNull();
    for (const id of [5, 6]) {
      expect((await card(id)).getByRole('button', { name: 'Reply' })).toBeDisabled();
      expect((await card(id)).getByRole('button', { name: 'Delete' })).toBeDisabled();
    }
    answer.release();
    expect(await screen.findByText('Message updated successfully')).toBeVisible();
    expect((await card(6)).getByRole('button', { name: 'Reply' })).toBeEnabled();
  });

  test('of a message that is read is in the counts at once, and out of them when it is refused', async () => {
    const answer = slowly({ status: 403, body: { message: 'No.', code: 'not_allowed' } });
    const { user } = await openInbox({ inbox: [received(5)] }, { answers: { 'PATCH /messages/5': answer.handler }, language: 'ar' });
    await screen.findByRole('radio', { name: 'غير المقروءة ١' });
    await user.click((await card(5)).getByRole('button', { name: 'علّمها مقروءة' }));
    expect(await screen.findByRole('radio', { name: 'غير المقروءة ٠' })).toBeInTheDocument();
    expect((await card(5)).getByText('مقروءة')).toBeVisible();
    answer.release();
    expect(await screen.findByText(/^فشل تحديث الرسالة: .*403.*: هذا الإجراء غير متاح لك\.$/)).toBeVisible();
    expect(await screen.findByRole('radio', { name: 'غير المقروءة ١' })).toBeInTheDocument();
    expect((await card(5)).getByText('جديدة')).toBeVisible();
  });

  test('takes a message out of the unread at once, and a refusal puts it back where it was', async () => {
    const answer = slowly({ status: 403, body: { message: 'No.', code: 'not_allowed' } });
    const { user } = await openInbox({ inbox: [received(5), received(6), received(7)] }, { answers: { 'PATCH /messages/6': answer.handler } });
    await user.click(await screen.findByRole('radio', { name: 'Unread 3' }));
    await user.click((await card(6)).getByRole('button', { name: 'Mark read' }));
    await waitFor(() => {
      expect(shownIds()).toEqual(['7', '5']);
    });
    answer.release();
    await waitFor(() => {
      expect(shownIds()).toEqual(['7', '6', '5']);
    });
  });

  test('that deletes a message is shown at once, and a refusal brings it back and leaves the question open', async () => {
    const answer = slowly({ status: 403, body: { message: 'No.', code: 'not_allowed' } });
    const { user } = await openInbox({ inbox: [received(5), received(6)] }, { answers: { 'DELETE /messages/5': answer.handler }, language: 'ar' });
    await user.click((await card(5)).getByRole('button', { name: 'حذف' }));
    await user.click(await screen.findByRole('button', { name: 'تأكيد الحذف' }));
    await waitFor(() => {
      expect(shownIds()).toEqual(['6']);
    });
    expect(screen.getByText('جارٍ الحذف')).toBeVisible();
    answer.release();
    expect(await screen.findByText(/^فشل حذف الرسالة: .*403.*: هذا الإجراء غير متاح لك\.$/)).toBeVisible();
    expect(shownIds()).toEqual(['6', '5']);
    expect(screen.getByRole('alertdialog')).toBeVisible();
  });

  test('leaves whoever works with the keyboard where they were', async () => {
    const { user } = await openInbox({ inbox: [received(5), received(6)] });
    (await card(6)).getByRole('button', { name: 'Publish' }).focus();
    await user.keyboard('{Enter}');
    await waitFor(async () => {
      expect((await card(6)).getByRole('button', { name: 'Unpublish' })).toHaveFocus();
    });
    (await card(6)).getByRole('button', { name: 'Mark read' }).focus();
    await user.keyboard('{Enter}');
    await waitFor(async () => {
      expect((await card(6)).getByRole('button', { name: 'Reply' })).toHaveFocus();
    });
    (await card(6)).getByRole('button', { name: 'Delete' }).focus();
    await user.keyboard('{Enter}');
    (await screen.findByRole('button', { name: 'Confirm delete' })).focus();
    await user.keyboard('{Enter}');
    await waitFor(async () => {
      expect((await card(5)).getByRole('button', { name: 'Reply' })).toHaveFocus();
    });
  });
});

test('a name that would turn the line around is named without what does', async () => {
  await openInbox(
    { inbox: [received(5)], replies: { 5: { content: 'my answer', createdAt: '2026-11-02T10:00:00.000Z' } } },
    { owner: { ...noura, name: '\u202e\u2069Noura\u2067 Alali' } },
  );
  expect(await screen.findByText('\u2068Noura\u2069 replied')).toBeVisible();
});

describe('replying', () => {
  test('sends the reply, shows it, and marks the message read', async () => {
    const { user, api } = await openInbox({ inbox: [received(5)] });
    await user.click((await card(5)).getByRole('button', { name: 'Reply' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Write your reply' }));
    expect(dialog.getByLabelText('Reply text')).toHaveFocus();
    expect(dialog.getByRole('button', { name: 'Send reply' })).toBeDisabled();
    await user.type(dialog.getByLabelText('Reply text'), '  thank you ');
    await user.click(dialog.getByRole('button', { name: 'Send reply' }));
    expect(await screen.findByText('Reply sent successfully')).toBeVisible();
    expect(await screen.findByText('thank you')).toBeVisible();
    await waitFor(async () => {
      expect((await card(5)).getByText('Read')).toBeVisible();
    });
    const [call] = api.callsTo('POST /replies');
    expect(call?.body).toEqual({ messageId: 5, content: 'thank you' });
    expect(call?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('keeps the dialog and the text when it fails, and tries again with the same key', async () => {
    const { user, api } = await openInbox({ inbox: [received(5)] }, { answers: { 'POST /replies': { status: 429, body: { message: 'Slow down.', code: 'too_many_requests' } } } });
    await user.click((await card(5)).getByRole('button', { name: 'Reply' }));
    await user.type(await screen.findByLabelText('Reply text'), 'thank you');
    await user.click(screen.getByRole('button', { name: 'Send reply' }));
    expect(await screen.findByText('Could not send the reply')).toBeVisible();
    expect(screen.getByText('Please try again later.')).toBeVisible();
    expect(screen.getByLabelText('Reply text')).toHaveValue('thank you');
    await user.click(await screen.findByRole('button', { name: 'Send reply' }));
    await waitFor(() => {
      expect(api.callsTo('POST /replies')).toHaveLength(2);
    });
    const keys = api.callsTo('POST /replies').map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(1);
  });
});

describe('the list', () => {
  test('loads more until its end', async () => {
    const { user } = await openInbox({ inbox: Array.from({ length: 13 }, (_, index) => received(index + 1)) });
    await waitFor(() => {
      expect(screen.getAllByTestId('message')).toHaveLength(10);
    });
    await user.click(screen.getByRole('button', { name: 'Load more' }));
    await waitFor(() => {
      expect(screen.getAllByTestId('message')).toHaveLength(13);
    });
    expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull();
  });

  test('says why it cannot load more, and goes on when it can', async () => {
    let refused = true;
    const inbox = Array.from({ length: 13 }, (_, index) => received(index + 1));
    const lists = mailbox({ inbox })['GET /messages'];
    const { user } = await openInbox(
      { inbox },
      {
        answers: {
          'GET /messages': (call) => (refused && call.query.has('before') ? { status: 403, body: { message: 'No.', code: 'not_allowed' } } : typeof lists === 'function' ? lists(call) : {}),
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

  test('filters, and says in Arabic digits how many there are', async () => {
    const { user } = await openInbox({ inbox: [received(5), received(6, { isRead: true })], sent: [sentOne] }, { language: 'ar' });
    await user.click(await screen.findByRole('radio', { name: 'المقروءة ١' }));
    await waitFor(() => {
      expect(screen.getAllByTestId('message').map(({ dataset }) => dataset['messageId'])).toEqual(['6']);
    });
    await user.click(screen.getByRole('radio', { name: 'الكل ٣' }));
    await waitFor(() => {
      expect(screen.getAllByTestId('message').map(({ dataset }) => dataset['messageId'])).toEqual(['6', '5', '3']);
    });
  });

  test('turns its order around', async () => {
    const { user } = await openInbox({ inbox: [received(5), received(6)] });
    await card(5);
    await user.click(screen.getByRole('button', { name: 'Order: Newest first' }));
    await user.click(await screen.findByRole('menuitemradio', { name: 'Oldest first' }));
    await waitFor(() => {
      expect(screen.getAllByTestId('message').map(({ dataset }) => dataset['messageId'])).toEqual(['5', '6']);
    });
  });

  test('invites to share the link while it is empty', async () => {
    const { user, copyLink } = await openInbox({ inbox: [] });
    expect(await screen.findByText('No messages yet')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Copy your link' }));
    expect(copyLink).toHaveBeenCalledTimes(1);
  });

  test('says what went wrong when it cannot be loaded, and tries again', async () => {
    let refused = true;
    const box = mailbox({ inbox: [received(5)] });
    const { user } = await openInbox(
      { inbox: [] },
      {
        answers: {
          ...box,
          'GET /messages': (call) => {
            const list = box['GET /messages'];
            if (refused || typeof list !== 'function') return { status: 403, body: { message: 'No.', code: 'not_allowed' } };
            return list(call);
          },
        },
      },
    );
    expect(await screen.findByText('Could not load this: You are not allowed to do this.')).toBeVisible();
    refused = false;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('message 5')).toBeVisible();
  });
});
