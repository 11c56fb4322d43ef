import { describe, expect, test } from '@jest/globals';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import type { Language } from '../../i18n/index.js';
import { renderRoutes } from '../../test/render.js';
import { startApi, type Answers } from '../../test/server.js';
import { installMicrophone, installPlayback } from '../../test/sound.js';
import { PublicPage } from './index.js';
import type { PublicProfile } from './api.js';
import { suggestions } from './suggestions.js';

const profile: PublicProfile = {
  id: 1,
  username: 'noura',
  name: 'نورة العلي',
  bio: '',
  avatar: null,
  isAdmin: false,
  isVerified: true,
  isOnline: true,
  lastOnline: null,
  visitorCount: 1284,
};

const published = {
  id: 9,
  userId: 1,
  content: 'a public question',
  imageUrl: '/image/a.webp',
  audioUrl: null,
  audioType: null,
  audioDuration: null,
  audioPeaks: null,
  emoji: null,
  isRead: true,
  isPublic: true,
  createdAt: '2026-11-18T18:42:00.000Z',
  reply: { content: 'an honest answer', createdAt: '2026-11-19T10:00:00.000Z' },
};

async function openPage({
  answers = {},
  language = 'en',
  path = '/m/noura',
}: { answers?: Answers; language?: Language; path?: string } = {}) {
  const api = await startApi({
    'GET /users/noura': { body: profile },
    'GET /messages/public/1': { body: [], headers: { 'x-total-count': '0' } },
    'POST /messages': { status: 201, body: { ...published, reply: undefined } },
    ...answers,
  });
  return {
    api,
    ...renderRoutes([{ path: '/m/:username', element: <PublicPage /> }], { apiRoot: api.apiRoot, path, language }),
  };
}

describe('public page', () => {
  test('shows the profile and an empty list', async () => {
    await openPage({ language: 'ar' });
    expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent('نورة العلي');
    expect(screen.getByRole('img', { name: 'حساب موثّق' })).toBeVisible();
    expect(screen.getByText('متصل الآن')).toBeVisible();
    expect(screen.getByTestId('visits')).toHaveTextContent('١٬٢٨٤');
    expect(screen.getByRole('heading', { name: 'اكتب إلى \u2068نورة\u2069' })).toBeVisible();
    expect(await screen.findByText('لا رسائل منشورة بعد')).toBeVisible();
    expect(screen.getByTestId('published')).toHaveTextContent('٠');
  });

  test('shows published messages with pictures and replies, without a sender', async () => {
    await openPage({
      answers: { 'GET /messages/public/1': { body: [published], headers: { 'x-total-count': '36' } } },
    });
    expect(await screen.findByText('a public question')).toBeVisible();
    expect(screen.getByText('an honest answer')).toBeVisible();
    expect(screen.getByTestId('message-image')).toHaveAttribute('src', '/api/image/a.webp?size=small');
    expect(screen.getAllByText('Anonymous person').length).toBeGreaterThan(0);
    expect(screen.getByTestId('published')).toHaveTextContent('36');
    expect(screen.getByText('public messages')).toBeVisible();
  });

  test('plays published voice messages and shows a playback error', async () => {
    installPlayback({ playable: false });
    const voice = {
      ...published,
      content: '',
      imageUrl: null,
      audioUrl: '/audio/stream/voice',
      audioDuration: 16,
      audioPeaks: [10, 90],
    };
    const { user } = await openPage({
      answers: { 'GET /messages/public/1': { body: [voice], headers: { 'x-total-count': '1' } } },
    });
    expect(await screen.findByTestId('sound')).toHaveAccessibleName('Voice message, 00:16');
    await user.click(screen.getByRole('button', { name: 'Play' }));
    expect(await screen.findByText('An error occurred while playing the audio file')).toBeVisible();
  });

  test('shows the premium banner for a verified administrator', async () => {
    await openPage({ answers: { 'GET /users/noura': { body: { ...profile, isAdmin: true } } } });
    expect(await screen.findByTestId('premium-banner')).toHaveTextContent(/PREMIUM.*VIP.*VERIFIED ACCOUNT/);
  });

  test.each([
    [1, 'زيارة', 'رسالة منشورة'],
    [3, 'زيارات', 'رسائل منشورة'],
    [11, 'زيارة', 'رسالة منشورة'],
  ])('uses the plural form for %p', async (count, visits, messages) => {
    await openPage({
      language: 'ar',
      answers: {
        'GET /users/noura': { body: { ...profile, visitorCount: count } },
        'GET /messages/public/1': { body: [published], headers: { 'x-total-count': String(count) } },
      },
    });
    expect(await screen.findByText(visits)).toBeVisible();
    expect(await screen.findByText(messages)).toBeVisible();
  });

  test('shows that a user does not exist', async () => {
    await openPage({
      path: '/m/nobody',
      answers: { 'GET /users/nobody': { status: 404, body: { message: 'No such user.', code: 'user_not_found' } } },
    });
    expect(await screen.findByRole('heading', { name: 'User not found' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Back to home' })).toHaveAttribute('href', '/');
  });
});

describe('composer', () => {
  const sheet = () => screen.findByLabelText<HTMLTextAreaElement>('Message text');

  test('counts characters as a person sees them, up to seven hundred', async () => {
    await openPage();
    fireEvent.change(await sheet(), { target: { value: ' 👨‍👩‍👧‍👦é ' } });
    expect(screen.getByTestId('counter')).toHaveAccessibleName('2 of 700');
    fireEvent.change(await sheet(), { target: { value: 'ب'.repeat(700) } });
    expect(screen.getByRole('button', { name: 'Send' })).toBeEnabled();
    fireEvent.change(await sheet(), { target: { value: 'ب'.repeat(701) } });
    expect(screen.getByRole('button', { name: 'Send' })).toBeDisabled();
    expect(await sheet()).toBeInvalid();
  });

  test('does not send an empty text', async () => {
    const { user } = await openPage();
    expect(await screen.findByRole('button', { name: 'Send' })).toBeDisabled();
    await user.type(await sheet(), '   ');
    expect(screen.getByRole('button', { name: 'Send' })).toBeDisabled();
  });

  test('sends the text, confirms it and clears the form', async () => {
    const { user, api } = await openPage();
    await user.click(await screen.findByRole('button', { name: 'Emoji' }));
    await user.type(await sheet(), ' hello ');
    await user.click(screen.getByRole('button', { name: 'Send' }));
    expect(await screen.findByText('Message sent')).toBeVisible();
    expect(screen.getByText('The words arrived. Your name stayed with you.')).toBeVisible();
    expect(await sheet()).toHaveValue('');
    expect(screen.queryByRole('group', { name: 'Emoji palette' })).toBeNull();
    const [call] = api.callsTo('POST /messages');
    expect(call?.body).toEqual({ userId: 1, content: 'hello' });
    expect(call?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('keeps the keyboard focus while sending and returns it to the text field', async () => {
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const { user, api } = await openPage({
      answers: {
        'POST /messages': async () => {
          await held;
          return { status: 201, body: { ...published, reply: undefined } };
        },
      },
    });
    await user.type(await sheet(), 'hello');
    screen.getByRole('button', { name: 'Send' }).focus();
    await user.keyboard('{Enter}');
    expect(await screen.findByRole('button', { name: 'Sending' })).toHaveFocus();
    await user.keyboard('{Enter}');
    answer();
    expect(await screen.findByText('Message sent')).toBeVisible();
    expect(await sheet()).toHaveFocus();
    expect(api.callsTo('POST /messages')).toHaveLength(1);
  });

  test("shows a text by status for a proxy's error page", async () => {
    const { user, api } = await openPage({
      answers: {
        'POST /messages': { status: 503, body: '<h1>Service Unavailable</h1>', headers: { 'retry-after': '30' } },
      },
    });
    await user.type(await sheet(), 'hello');
    await user.click(screen.getByRole('button', { name: 'Send' }));
    expect(
      await screen.findByText('Message failed: The service is not available right now. Try again in a moment.'),
    ).toBeVisible();
    expect(api.callsTo('POST /messages')).toHaveLength(1);
  });

  test('keeps the input after a failure and retries with the same key', async () => {
    const { user, api } = await openPage({
      language: 'ar',
      answers: { 'POST /messages': { status: 422, body: { message: 'Not a picture.', code: 'unsupported_image' } } },
    });
    await user.type(await screen.findByLabelText('نصّ الرسالة'), 'مرحبًا');
    await user.click(screen.getByRole('button', { name: 'أرسل' }));
    expect(await screen.findByText('فشل إرسال الرسالة: نوع الملف غير مدعوم. ارفع صورة فقط.')).toBeVisible();
    expect(screen.getByLabelText('نصّ الرسالة')).toHaveValue('مرحبًا');
    await user.click(await screen.findByRole('button', { name: 'أرسل' }));
    await waitFor(() => {
      expect(api.callsTo('POST /messages')).toHaveLength(2);
    });
    await screen.findByRole('button', { name: 'أرسل' });
    await user.type(screen.getByLabelText('نصّ الرسالة'), '!');
    await user.click(screen.getByRole('button', { name: 'أرسل' }));
    await waitFor(() => {
      expect(api.callsTo('POST /messages')).toHaveLength(3);
    });
    const [first, second, third] = api.callsTo('POST /messages').map(({ headers }) => headers['idempotency-key']);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });

  test('attaches a picture and removes it', async () => {
    const { user, api } = await openPage();
    await user.type(await sheet(), 'look');
    await user.upload(screen.getByTestId('image-file'), new File(['bytes'], 'sea.png', { type: 'image/png' }));
    expect(await screen.findByRole('img', { name: 'The image you will send' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Send' }));
    expect(await screen.findByText('Message sent')).toBeVisible();
    expect(api.callsTo('POST /messages')[0]?.body).toEqual({
      userId: 1,
      content: 'look',
      imageUrl: `data:image/png;base64,${btoa('bytes')}`,
    });
    expect(screen.queryByRole('img', { name: 'The image you will send' })).toBeNull();

    await user.upload(screen.getByTestId('image-file'), new File(['bytes'], 'sea.png', { type: 'image/png' }));
    await user.click(await screen.findByRole('button', { name: 'Remove image' }));
    expect(screen.queryByRole('img', { name: 'The image you will send' })).toBeNull();
  });

  test('refuses other files and pictures over five megabytes', async () => {
    await openPage();
    const input = await screen.findByTestId('image-file');
    fireEvent.change(input, { target: { files: [new File(['text'], 'notes.txt', { type: 'text/plain' })] } });
    expect(await screen.findByText('Unsupported file type')).toBeVisible();
    expect(screen.getByText('Please upload an image only')).toBeVisible();
    fireEvent.change(input, {
      target: { files: [new File([new Uint8Array(5 * 1024 * 1024 + 1)], 'big.png', { type: 'image/png' })] },
    });
    expect(await screen.findByText('File size too large')).toBeVisible();
    expect(screen.getByText('Image should be less than 5MB')).toBeVisible();
    expect(screen.queryByRole('img', { name: 'The image you will send' })).toBeNull();
  });

  test('inserts one of thirty emojis at the caret', async () => {
    const { user } = await openPage();
    await user.type(await sheet(), 'ab');
    (await sheet()).setSelectionRange(1, 1);
    await user.click(screen.getByRole('button', { name: 'Emoji' }));
    expect(screen.getByRole('group', { name: 'Emoji palette' }).children).toHaveLength(30);
    await user.click(screen.getByRole('button', { name: '🌙' }));
    expect(await sheet()).toHaveValue('a🌙b');
  });

  test('keeps the draft while the recorder is open', async () => {
    const { user } = await openPage();
    await user.type(await sheet(), 'a draft');
    await user.click(screen.getByRole('button', { name: 'Voice' }));
    expect(await screen.findByRole('button', { name: 'Start recording' })).toHaveFocus();
    expect(screen.queryByLabelText('Message text')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Send' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Emoji' }));
    expect(await sheet()).toHaveValue('a draft');
    expect(screen.getByRole('group', { name: 'Emoji palette' })).toBeVisible();
  });

  test('sends a voice message and returns to the text field', async () => {
    installPlayback();
    installMicrophone();
    const { user, api } = await openPage({ answers: { 'POST /audio/upload': { status: 201, body: published } } });
    await user.click(await screen.findByRole('button', { name: 'Voice' }));
    await user.click(await screen.findByRole('button', { name: 'Start recording' }));
    expect(await screen.findByRole('button', { name: 'Image' })).toBeDisabled();
    await user.click(screen.getByRole('button', { name: 'Stop' }));
    await user.click(await screen.findByRole('radio', { name: 'Male voice' }));
    await user.click(screen.getByRole('button', { name: 'Send voice' }));
    expect(await screen.findByText('Voice message sent successfully')).toBeVisible();
    expect(await sheet()).toBeVisible();
    expect(screen.getByRole('button', { name: 'Image' })).toBeEnabled();
    await waitFor(() => {
      expect(screen.getByRole('button', { name: 'Voice' })).toHaveFocus();
    });
    expect(api.callsTo('POST /audio/upload')).toHaveLength(1);
  });

  test('suggests one of forty questions', async () => {
    const { user } = await openPage({ language: 'ar' });
    await user.click(await screen.findByRole('button', { name: 'اقترح سؤالًا' }));
    const { value } = screen.getByLabelText<HTMLTextAreaElement>('نصّ الرسالة');
    expect(suggestions.ar).toContain(value);
    for (const questions of Object.values(suggestions)) expect(new Set(questions).size).toBe(40);
  });
});
