import { beforeEach, describe, expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { buildMessage, buildReply, buildSentMessage, buildUser } from '../../test/factories.js';
import { card, openInbox } from '../../test/open-inbox.js';
import { installPlayback } from '../../test/sound.js';
import type { SentMessage } from './types.js';

describe('message card', () => {
  test('a card marks a message as new and private in both languages', async () => {
    const { unmount } = await openInbox({ inbox: [buildMessage({ id: 5 })] });
    const english = await card(5);
    expect(english.getByText('New')).toBeVisible();
    expect(english.getByText('Only you see this')).toBeVisible();
    unmount();
    await openInbox({ inbox: [buildMessage({ id: 5 })] }, { language: 'ar' });
    const arabic = await card(5);
    expect(arabic.getByText('جديدة')).toBeVisible();
    expect(arabic.getByText('لك وحدك')).toBeVisible();
  });

  test('a card shows the question that its message answers', async () => {
    const prompt = { id: 4, content: 'What should I read next?' };
    await openInbox({ inbox: [buildMessage({ id: 5, prompt }), buildMessage({ id: 6 })] });
    expect((await card(5)).getByTestId('message-prompt')).toHaveTextContent('Question: What should I read next?');
    expect((await card(5)).getByText('What should I read next?')).toHaveAttribute('dir', 'auto');
    expect((await card(6)).queryByTestId('message-prompt')).toBeNull();
  });

  test('marking as read updates the card and the counts', async () => {
    const { user, api } = await openInbox({ inbox: [buildMessage({ id: 5 })] });
    await user.click((await card(5)).getByRole('button', { name: 'Read' }));
    expect(await screen.findByText('Message updated successfully')).toBeVisible();
    await waitFor(async () => {
      expect((await card(5)).queryByText('New')).toBeNull();
    });
    expect((await card(5)).queryByRole('button', { name: 'Read' })).toBeNull();
    expect(await screen.findByRole('radio', { name: 'Unread' })).toBeInTheDocument();
    expect(api.callsTo('PATCH /messages/5').map(({ body }) => body)).toEqual([{ isRead: true }]);
  });

  test('a message is published and unpublished', async () => {
    const { user, api } = await openInbox({ inbox: [buildMessage({ id: 5, isRead: true })] });
    await user.click((await card(5)).getByRole('button', { name: 'Publish' }));
    await user.click(await screen.findByRole('button', { name: 'Unpublish' }));
    expect(await screen.findByRole('button', { name: 'Publish' })).toBeVisible();
    expect(api.callsTo('PATCH /messages/5').map(({ body }) => body)).toEqual([{ isPublic: true }, { isPublic: false }]);
  });

  test('a failed change restores the card and shows the reason', async () => {
    const { user } = await openInbox(
      { inbox: [buildMessage({ id: 5 })] },
      {
        answers: { 'PATCH /messages/5': { status: 404, body: { message: 'Gone.', code: 'message_not_found' } } },
        language: 'ar',
      },
    );
    await user.click((await card(5)).getByRole('button', { name: 'انشر' }));
    expect(await screen.findByText(/^فشل تحديث الرسالة: ٤٠٤: هذه الرسالة لم تعد موجودة\.$/)).toBeVisible();
    expect((await card(5)).getByText('لك وحدك')).toBeVisible();
  });

  test("the menu has all actions of a message, for which a phone's card has no room", async () => {
    const { user, api } = await openInbox({ inbox: [buildMessage({ id: 5, isRead: true })] });
    const choose = async (name: string) => {
      await user.click((await card(5)).getByRole('button', { name: 'More for this message' }));
      await user.click(await screen.findByRole('menuitem', { name }));
    };
    await choose('Publish');
    await waitFor(() => {
      expect(api.callsTo('PATCH /messages/5').map(({ body }) => body)).toEqual([{ isPublic: true }]);
    });
    expect(await screen.findByRole('button', { name: 'Unpublish' })).toBeEnabled();
    await choose('Reply');
    await screen.findByLabelText('Reply text');
    await user.keyboard('{Escape}');
    await choose('Report');
    expect(await screen.findByRole('dialog', { name: 'Report this message' })).toBeVisible();
    await user.keyboard('{Escape}');
    await choose('Delete');
    expect(await screen.findByRole('alertdialog', { name: 'Delete this message?' })).toBeVisible();
  });

  test('a message is deleted after a confirmation', async () => {
    const { user } = await openInbox({ inbox: [buildMessage({ id: 5 }), buildMessage({ id: 6 })] });
    await user.click((await card(5)).getByRole('button', { name: 'Delete' }));
    const question = await screen.findByRole('alertdialog', { name: 'Delete this message?' });
    expect(question).toHaveAccessibleDescription(
      'Nobody sees it from then on. You can take this back for ten seconds.',
    );
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

  test('a sent message shows its recipient and can only be deleted', async () => {
    await openInbox({ inbox: [], sent: [buildSentMessage()] });
    const own = await card(3);
    expect(own.getByText('@salem')).toBeVisible();
    expect(own.getByText('Sent')).toBeVisible();
    expect(own.getAllByRole('button').map((button) => button.textContent)).toEqual(['Delete']);
  });

  test('a sent message shows that it is on its way', async () => {
    await openInbox({ inbox: [], sent: [buildSentMessage({ arrivesBy: '2026-11-19T00:42:00.000Z' })] });
    expect(await screen.findByText('On its way')).toBeVisible();
  });

  test('a sent message shows its reply, and leads to the next message', async () => {
    await openInbox({
      inbox: [],
      sent: [buildSentMessage({ reply: buildReply('thanks, whoever you are'), canWrite: true })],
    });
    const own = await card(3);
    expect(await own.findByText('thanks, whoever you are')).toBeVisible();
    expect(own.getByText('\u2068Salem\u2069 replied')).toBeVisible();
    expect(own.getByRole('link', { name: 'Write again' })).toHaveAttribute('href', '/sent?id=3');
  });

  test('a card shows reply and picture, which opens in full size', async () => {
    const { user } = await openInbox({
      inbox: [buildMessage({ id: 5, imageUrl: '/image/a.webp', isRead: true, reply: buildReply('my answer') })],
    });
    expect((await card(5)).getByText('my answer')).toBeVisible();
    expect(screen.getByText('\u2068Noura\u2069 replied')).toBeVisible();
    expect(screen.getByTestId('message-image')).toHaveAttribute('src', '/api/image/a.webp?size=small');
    await user.click(screen.getByRole('button', { name: 'Show the image in full size' }));
    const viewer = within(await screen.findByRole('dialog', { name: 'Attached image' }));
    expect(viewer.getByRole('img')).toHaveAttribute('src', '/api/image/a.webp');
  });
});

describe('voice message card', () => {
  const voice = {
    content: '',
    audioUrl: '/audio/stream/voice',
    audioType: 'audio/mp4',
    audioDuration: 68,
    audioPeaks: [10, 90],
  };
  const sentVoice = (change: Partial<SentMessage> = {}): SentMessage => buildSentMessage({ ...voice, ...change });

  beforeEach(() => {
    installPlayback({ playable: false });
  });

  test('a voice message plays for its owner and shows a playback error', async () => {
    const { user } = await openInbox({ inbox: [buildMessage({ id: 5, ...voice })] });
    const own = await card(5);
    expect(own.getByTestId('sound')).toHaveAccessibleName('Voice message, 01:08');
    expect(own.queryByTestId('message-text')).toBeNull();
    expect(own.getByTestId('sound').querySelector('audio')).toHaveAttribute('src', '/api/audio/stream/voice');
    await user.click(own.getByRole('button', { name: 'Play' }));
    expect(await screen.findByText('An error occurred while playing the audio')).toBeVisible();
  });

  test('the reply dialog calls a voice message "Voice message"', async () => {
    const { user } = await openInbox({ inbox: [buildMessage({ id: 5, ...voice })] });
    await user.click((await card(5)).getByRole('button', { name: 'Reply' }));
    expect(within(await screen.findByRole('dialog')).getByText('Voice message')).toBeVisible();
  });

  test('a voice message is sealed for its sender until it is published', async () => {
    await openInbox({ inbox: [], sent: [sentVoice()] });
    const own = await card(3);
    expect(own.getByText('Only its recipient can hear it.')).toBeVisible();
    expect(own.getAllByText('01:08')).toHaveLength(2);
    expect(own.queryByRole('button', { name: 'Play' })).toBeNull();
  });

  test.each([
    ['published', { isPublic: true }],
    ['sent to myself', { userId: 1 }],
  ])('can be played by its sender when it is %s', async (_name, change) => {
    await openInbox({ inbox: [], sent: [sentVoice(change)] });
    expect((await card(3)).getByRole('button', { name: 'Play' })).toBeVisible();
  });
});

test("a card removes bidi control characters from the owner's name", async () => {
  await openInbox(
    { inbox: [buildMessage({ id: 5, reply: buildReply('my answer') })] },
    { owner: buildUser({ name: '\u202e\u2069Noura\u2067 Alali' }) },
  );
  expect((await card(5)).getByText('\u2068Noura\u2069 replied')).toBeVisible();
});
