import { describe, expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { buildConversation } from '../../test/factories.js';
import { openAdmin, pageOf, refused, row, rows } from '../../test/open-admin.js';
import type { Answers } from '../../test/server.js';
import type { Conversation } from './types.js';

const fromNoura = { userId: 1, userName: 'Noura Alali', isVisitor: false, isUsingLocalSystem: false };

/** A list of conversations with working delete calls. */
function kept(conversations: Conversation[]): Answers {
  const answers: Answers = {
    'GET /admin/chat-bot/messages': (call) => pageOf(conversations, call),
    'DELETE /admin/chat-bot/messages': () => ({ body: { deleted: conversations.splice(0).length } }),
  };
  for (const item of conversations) {
    answers[`DELETE /admin/chat-bot/messages/${String(item.id)}`] = () => {
      conversations.splice(conversations.indexOf(item), 1);
      return { body: { deleted: 1 } };
    };
  }
  return answers;
}

const open = (answers: Answers, language: 'ar' | 'en' = 'en') =>
  openAdmin({ answers, language, path: '/admin?tab=chatbot' });

const detail = () => within(screen.getByTestId('detail'));
const question = () => within(screen.getByRole('alertdialog'));

describe('conversation list', () => {
  test('a listed conversation shows its beginning, answering mode, time, images and asker', async () => {
    await open(
      kept([
        buildConversation(4, {
          ...fromNoura,
          userMessage: 'How do I change the picture on my public page?',
          hasImage: true,
          imageUrl: '/image/a.webp',
        }),
        buildConversation(3, { ...fromNoura, userName: null }),
        buildConversation(2, { userName: 'Hind' }),
        buildConversation(1, { userMessage: '', hasImage: true, imageUrl: '/image/b.webp' }),
      ]),
    );
    const when = String.raw`20 November 2026\s+\d+:\d\d\s[ap]m`;
    expect((await rows()).map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(new RegExp(`^How do I change the picture on my public…OpenAI${when}ImageNoura Alali$`)),
      expect.stringMatching(new RegExp(`^question 3OpenAI${when}Registered user$`)),
      expect.stringMatching(new RegExp(`^question 2Local system${when}Hind$`)),
      expect.stringMatching(new RegExp(`^An image without wordsLocal system${when}ImageVisitor$`)),
    ]);
    expect(screen.getByTestId('count')).toHaveTextContent('4');
  });

  test('disables "delete all" while the list is loading or empty', async () => {
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await open({
      'GET /admin/chat-bot/messages': async () => {
        await held;
        return { body: [] };
      },
    });
    expect(screen.getByRole('button', { name: 'Delete all' })).toBeDisabled();
    answer();
    expect(await screen.findByText('No conversations yet')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Delete all' })).toBeDisabled();
  });

  test('the conversation list shows a load error and retries', async () => {
    let ready = false;
    const { user } = await open({
      'GET /admin/chat-bot/messages': () => (ready ? { body: [buildConversation(1)] } : refused),
    });
    expect(await screen.findByText('Failed to fetch bot conversation data')).toBeVisible();
    ready = true;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await rows()).toHaveLength(1);
  });
});

describe('conversation detail', () => {
  test('the detail shows the whole conversation', async () => {
    const { user } = await open(
      kept([buildConversation(1, { ...fromNoura, hasImage: true, imageUrl: '/image/a.webp' })]),
    );
    expect(screen.getByText('Choose a conversation to read it')).toBeVisible();
    await user.click(await row(0));
    expect(detail().getByRole('heading', { name: 'Conversation with \u2068Noura Alali\u2069' })).toBeVisible();
    for (const shown of ['question 1', 'answer 1', 'Registered', 'OpenAI', 'iOS'])
      expect(detail().getByText(shown)).toBeVisible();
    expect(detail().getByTestId('message-image')).toHaveAttribute('src', '/api/image/a.webp?size=small');
  });

  test("a visitor's conversation has no account badge", async () => {
    const { user } = await open(kept([buildConversation(1, { userAgent: null })]), 'ar');
    await user.click(await row(0));
    expect(detail().getByRole('heading', { name: 'محادثة مع \u2068زائر\u2069' })).toBeVisible();
    expect(detail().queryByText('مسجّل')).toBeNull();
    expect(detail().getByText('النظام المحلي')).toBeVisible();
    expect(detail().getByText(/نظام التشغيل غير متوفّر/)).toBeVisible();
  });
});

describe('deleting conversations', () => {
  test('deleting a conversation asks first, clears the selection and reloads the list', async () => {
    const { user, api } = await open(kept([buildConversation(2), buildConversation(1)]));
    await user.click(await row(0));
    await user.click(detail().getByRole('button', { name: 'Delete conversation' }));
    expect(
      question().getByText('Are you sure you want to delete this conversation? This action cannot be undone.'),
    ).toBeVisible();
    await user.click(question().getByRole('button', { name: 'Cancel' }));
    expect(api.callsTo('DELETE /admin/chat-bot/messages/2')).toHaveLength(0);
    expect(detail().getByText('question 2')).toBeVisible();
    await user.click(detail().getByRole('button', { name: 'Delete conversation' }));
    await user.click(question().getByRole('button', { name: 'Confirm delete' }));
    expect(await screen.findByText('Deleted successfully')).toBeVisible();
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(screen.getByText('Choose a conversation to read it')).toBeVisible();
    expect(screen.getByRole('region', { name: 'Conversations' })).toHaveFocus();
    await waitFor(() => {
      expect(screen.getAllByTestId('row')).toHaveLength(1);
    });
    expect(api.callsTo('GET /admin/chat-bot/messages')).toHaveLength(2);
  });

  test('a conversation that is already gone counts as deleted', async () => {
    const { user } = await open({
      ...kept([buildConversation(1)]),
      'DELETE /admin/chat-bot/messages/1': { status: 404, body: { message: 'Gone.', code: 'not_found' } },
    });
    await user.click(await row(0));
    await user.click(detail().getByRole('button', { name: 'Delete conversation' }));
    await user.click(question().getByRole('button', { name: 'Confirm delete' }));
    expect(await screen.findByText('Deleted successfully')).toBeVisible();
  });

  test('a failed deletion keeps the selected conversation', async () => {
    const { user } = await open({ ...kept([buildConversation(1)]), 'DELETE /admin/chat-bot/messages/1': refused });
    await user.click(await row(0));
    await user.click(detail().getByRole('button', { name: 'Delete conversation' }));
    await user.click(question().getByRole('button', { name: 'Confirm delete' }));
    const toast = await screen.findByTestId('toast');
    expect(toast).toHaveTextContent('Error in deletionFailed to delete the conversation');
    expect(toast).toHaveAttribute('data-variant', 'destructive');
    await user.click(question().getByRole('button', { name: 'Cancel' }));
    expect(detail().getByText('question 1')).toBeVisible();
  });

  test('"delete all" shows the number of conversations and empties the list', async () => {
    const { user, api } = await open(kept([buildConversation(3), buildConversation(2), buildConversation(1)]), 'ar');
    await user.click(await row(0));
    await user.click(screen.getByRole('button', { name: 'احذف الكل' }));
    expect(question().getByText('هل تريد حذف ٣ محادثات؟ لا يمكن التراجع عن هذا الإجراء.')).toBeVisible();
    expect(api.callsTo('DELETE /admin/chat-bot/messages')).toHaveLength(0);
    await user.click(question().getByRole('button', { name: 'تأكيد الحذف' }));
    expect(await screen.findByText('تم الحذف بنجاح')).toBeVisible();
    expect(await screen.findByText('لا محادثات بعد')).toBeVisible();
    expect(screen.getByText('اختر محادثة لعرضها')).toBeVisible();
  });

  test('"delete all" counts further pages if the server sends the total', async () => {
    const conversations = Array.from({ length: 11 }, (_, index) => buildConversation(11 - index));
    const { user } = await open({
      'GET /admin/chat-bot/messages': (call) => {
        const { body, headers } = pageOf(conversations, call);
        return { body, headers: { ...headers, 'x-total-count': '46' } };
      },
    });
    await rows();
    await user.click(screen.getByRole('button', { name: 'Delete all' }));
    expect(
      question().getByText('Are you sure you want to delete 46 conversations? This action cannot be undone.'),
    ).toBeVisible();
  });

  test('"delete all" shows no number while the total is unknown', async () => {
    const { user } = await open(kept(Array.from({ length: 11 }, (_, index) => buildConversation(11 - index))));
    await rows();
    await user.click(screen.getByRole('button', { name: 'Delete all' }));
    expect(
      question().getByText('Are you sure you want to delete all conversations? This action cannot be undone.'),
    ).toBeVisible();
  });

  test('a failed "delete all" shows an error', async () => {
    const { user } = await open({ ...kept([buildConversation(1)]), 'DELETE /admin/chat-bot/messages': refused });
    await rows();
    await user.click(screen.getByRole('button', { name: 'Delete all' }));
    await user.click(question().getByRole('button', { name: 'Confirm delete' }));
    expect(await screen.findByTestId('toast')).toHaveTextContent('Error in deletionFailed to delete all conversations');
    expect(await rows()).toHaveLength(1);
  });
});
