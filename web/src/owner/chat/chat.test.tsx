import { beforeEach, describe, expect, test } from '@jest/globals';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { Language } from '../../i18n/index.js';
import { allTexts } from '../../test/texts.js';
import { buildUser } from '../../test/factories.js';
import { renderRoutes } from '../../test/render.js';
import { startApi, type Answers } from '../../test/server.js';
import { ChatWidget } from './index.js';

const VISITOR: Answers = { 'GET /user': { status: 401, body: { message: 'Sign in first.', code: 'not_signed_in' } } };
const LOCAL =
  'The assistant is working in automatic mode. The link is yours.\n\nYou may also ask:\n• How do I share it?\n• Who sees it?';
const GREETING = 'Hello! How can I help you today?';
const FAILED = 'Sorry, an error occurred while processing your request. Please try again.';

const routes = [{ path: '*', element: <ChatWidget /> }];

beforeEach(() => {
  localStorage.clear();
});

async function openChat(answers: Answers, language: Language = 'en') {
  const api = await startApi({ ...VISITOR, ...answers });
  const view = renderRoutes(routes, { apiRoot: api.apiRoot, language });
  await view.user.click(await screen.findByRole('button', { name: allTexts[language].common.assistant.open }));
  await screen.findByRole('dialog');
  return { ...api, ...view };
}

type Chat = Awaited<ReturnType<typeof openChat>>;

const field = () => screen.getByRole('textbox', { name: 'Your question' });
const sendButton = () => screen.getByRole('button', { name: 'Send' });
const picture = (name = 'a.png', type = 'image/png', size = 4) => new File([new Uint8Array(size)], name, { type });

async function ask({ user }: Chat, question: string) {
  await user.type(field(), question);
  await user.click(sendButton());
}

async function attach(file: File) {
  fireEvent.change(screen.getByTestId('image-file'), { target: { files: [file] } });
  await screen.findByAltText('Image to be sent');
}

describe('assistant', () => {
  test('the assistant greets and focuses the input', async () => {
    await openChat({});
    expect(screen.getByText(GREETING)).toBeVisible();
    // Unknown before the first answer.
    expect(screen.queryByTestId('chat-mode')).toBeNull();
    await waitFor(() => {
      expect(field()).toHaveFocus();
    });
    expect(sendButton()).toBeDisabled();
  });

  test('the assistant is translated to Arabic, including the times', async () => {
    await openChat({}, 'ar');
    expect(screen.getByRole('dialog', { name: 'المساعد الذكي' })).toHaveTextContent('مرحبًا! كيف يمكنني مساعدتك اليوم؟');
    expect(screen.getByTestId('chat-reply').querySelector('time')).toHaveTextContent(/^[٠-٩]{1,2}:[٠-٩]{2} [صم]$/);
  });

  test('the assistant closes on Escape and restores the focus', async () => {
    const { user } = await openChat({});
    await user.keyboard('{Escape}');
    await waitFor(() => {
      expect(screen.getByRole('button', { name: 'Open the smart assistant' })).toHaveFocus();
    });
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('Enter sends a question, unless it ends a composition', async () => {
    const chat = await openChat({ 'POST /chat': { body: { response: 'The link is yours.' } } });
    await chat.user.type(field(), 'にほん');
    fireEvent.keyDown(field(), { key: 'Enter', isComposing: true });
    // In Safari.
    fireEvent.keyDown(field(), { key: 'Enter', keyCode: 229 });
    expect(field()).toHaveValue('にほん');
    expect(chat.callsTo('POST /chat')).toHaveLength(0);
    fireEvent.keyDown(field(), { key: 'Enter', keyCode: 13 });
    expect(await screen.findByText('The link is yours.')).toBeVisible();
  });

  test('the question shows at once, with a typing indicator until the answer', async () => {
    let answer = (_body: string) => undefined as void;
    const chat = await openChat({
      'POST /chat': () =>
        new Promise(
          (resolve) =>
            (answer = (response) => {
              resolve({ body: { response } });
            }),
        ),
    });
    await ask(chat, 'What is the link?');
    expect(screen.getByTestId('chat-question')).toHaveTextContent('What is the link?');
    expect(screen.getByText('The assistant is typing')).toBeInTheDocument();
    await chat.user.type(field(), 'And then?');
    expect(sendButton()).toBeDisabled();
    await waitFor(() => {
      expect(chat.callsTo('POST /chat')).toHaveLength(1);
    });
    answer('A page of your own.');
    expect(await screen.findByText('A page of your own.')).toBeVisible();
    expect(screen.queryByText('The assistant is typing')).toBeNull();
    expect(sendButton()).toBeEnabled();
    expect(screen.getByRole('log')).toHaveTextContent('A page of your own.');
    expect(chat.callsTo('POST /chat')[0]?.body).toEqual({ message: 'What is the link?', imageUrl: null });
  });

  test('the assistant shows the automatic mode and suggests questions', async () => {
    const chat = await openChat({
      'POST /chat': ({ body }) => ({
        body: { response: (body as { message: string }).message === 'Who sees it?' ? 'Everybody.' : LOCAL },
      }),
    });
    await ask(chat, 'link');
    expect(await screen.findByText('The assistant is working in automatic mode. The link is yours.')).toBeVisible();
    expect(screen.getByTestId('chat-mode')).toHaveTextContent('Local mode');
    await chat.user.click(screen.getByRole('button', { name: 'Who sees it?' }));
    expect(await screen.findByText('Everybody.')).toBeVisible();
    expect(screen.getByTestId('chat-mode')).toHaveTextContent('AI');
    expect(screen.queryByRole('button', { name: 'Who sees it?' })).toBeNull();
  });

  test("the assistant's reply can be copied", async () => {
    const chat = await openChat({ 'POST /chat': { body: { response: LOCAL } } });
    await ask(chat, 'link');
    await screen.findByText(/The link is yours/);
    const reply = screen.getAllByTestId('chat-reply').at(-1);
    if (reply === undefined) throw new Error('There is no reply.');
    await chat.user.click(within(reply).getByRole('button', { name: 'Copy text' }));
    expect(await within(reply).findByRole('button', { name: 'Text copied' })).toBeVisible();
    expect(await navigator.clipboard.readText()).toBe('The assistant is working in automatic mode. The link is yours.');
  });

  test.each([
    [413, 'body_too_large', /Please try again\. .*No\./],
    [429, 'too_many_requests', /Please try again\. Too many attempts\. Try again in a moment\.$/],
    [500, 'internal', /Please try again\.$/],
    [503, 'unavailable', /Please try again\.$/],
  ])('shows an apology and a toast when sending fails with %i', async (status, code, reason) => {
    const refusal = { status, headers: { 'retry-after': '9999' }, body: { message: 'No.', code } };
    const chat = await openChat({ 'POST /chat': status === 429 ? { ...refusal, headers: {} } : refusal });
    await ask(chat, 'link');
    expect(await screen.findByText(FAILED)).toBeVisible();
    const toast = await screen.findByTestId('toast');
    expect(toast).toHaveTextContent('Connection error');
    expect(toast).toHaveTextContent('Could not connect to the server. Please try again.');
    expect(toast.textContent).toMatch(reason);
    expect(screen.queryByTestId('chat-mode')).toBeNull();
  });

  test.each([413, 429, 500, 503])(
    'says that an upload failed with %i, and asks without the picture',
    async (status) => {
      const chat = await openChat({
        'POST /chat/upload': { status, headers: { 'retry-after': '9999' }, body: { message: 'No.', code: 'unknown' } },
        'POST /chat': { body: { response: 'A cup.' } },
      });
      await attach(picture());
      await ask(chat, 'what is it');
      expect(await screen.findByText('A cup.')).toBeVisible();
      const toast = await screen.findByTestId('toast');
      expect(toast).toHaveTextContent('Failed to upload the image');
      expect(toast).toHaveTextContent('An error occurred while trying to upload the image.');
    },
  );
});

describe('image for the assistant', () => {
  test('a picture for the assistant is uploaded first and sent by its URL', async () => {
    const chat = await openChat({
      'POST /chat/upload': { status: 201, body: { success: true, image: { url: '/image/a.webp' } } },
      'POST /chat': { body: { response: 'A cup.' } },
    });
    await attach(picture());
    await chat.user.click(sendButton());
    expect(await screen.findByText('A cup.')).toBeVisible();
    expect(screen.getByAltText('Attached image')).toHaveAttribute('src', expect.stringMatching(/^data:image\/png/));
    expect(chat.callsTo('POST /chat')[0]?.body).toEqual({ message: '', imageUrl: '/image/a.webp' });
    fireEvent.error(screen.getByAltText('Attached image'));
    expect(screen.getByRole('img', { name: 'The image is not available' })).toBeVisible();
  });

  test.each([
    [
      'refused',
      { status: 422, body: { message: 'no', code: 'unsupported_image' } },
      ' Unsupported file type. Upload an image only.',
    ],
    ['not named by the answer', { status: 201, body: { success: false } }, ''],
  ])('that is %s is dropped, and the question is sent without it', async (_how, answer, reason) => {
    const chat = await openChat({ 'POST /chat/upload': answer, 'POST /chat': { body: { response: 'Yes.' } } });
    await attach(picture());
    await ask(chat, 'Can you see it?');
    expect(await screen.findByText('Yes.')).toBeVisible();
    expect(await screen.findByTestId('toast')).toHaveTextContent(
      `Failed to upload the imageAn error occurred while trying to upload the image.${reason}`,
    );
    expect(screen.queryByAltText('Attached image')).toBeNull();
    expect(chat.callsTo('POST /chat')[0]?.body).toEqual({ message: 'Can you see it?', imageUrl: null });
  });

  test('a picture that was the whole question is restored when its upload fails', async () => {
    const chat = await openChat({
      'POST /chat/upload': { status: 422, body: { message: 'no', code: 'unsupported_image' } },
    });
    await attach(picture());
    await chat.user.click(sendButton());
    expect(await screen.findByTestId('toast')).toBeVisible();
    expect(await screen.findByAltText('Image to be sent')).toBeVisible();
    expect(screen.queryByTestId('chat-question')).toBeNull();
    expect(chat.callsTo('POST /chat')).toHaveLength(0);
  });

  test.each([
    [
      'another kind of file',
      picture('a.txt', 'text/plain'),
      'Unsupported file typePlease upload an image file only (JPG, PNG, GIF)',
    ],
    [
      'more than 5 MB',
      picture('a.png', 'image/png', 5 * 1024 * 1024 + 1),
      'File too largeImage must be smaller than 5 MB',
    ],
  ])('refuses %s', async (_what, file, words) => {
    await openChat({});
    fireEvent.change(screen.getByTestId('image-file'), { target: { files: [file] } });
    expect(await screen.findByTestId('toast')).toHaveTextContent(words);
    expect(screen.queryByAltText('Image to be sent')).toBeNull();
  });
});

describe('conversation history', () => {
  test('a conversation is restored on the next visit under a stable visitor id', async () => {
    const chat = await openChat({ 'POST /chat': { body: { response: 'A page of your own.' } } });
    await ask(chat, 'What is the link?');
    await screen.findByText('A page of your own.');
    const id = localStorage.getItem('visitorId');
    expect(id).toMatch(/^visitor_[0-9a-f]{32}$/);
    chat.unmount();
    await openChat({});
    expect(screen.getByText('A page of your own.')).toBeVisible();
    expect(localStorage.getItem('visitorId')).toBe(id);
  });

  // Threat model: device-1.
  test("an account's conversation is deleted on logout", async () => {
    let user: object = { body: buildUser() };
    const chat = await openChat({ 'GET /user': () => user, 'POST /chat': { body: { response: 'For Noura alone.' } } });
    await ask(chat, 'Who am I?');
    await screen.findByText('For Noura alone.');
    expect(JSON.parse(localStorage.getItem('conversations') ?? '{}')).toMatchObject({
      1: { name: 'Noura Alali', isVisitor: false },
    });
    user = VISITOR['GET /user'] as object;
    act(() => {
      chat.store.dispatch({ type: 'api/invalidateTags', payload: ['User'] });
    });
    await waitFor(() => {
      expect(screen.queryByText('For Noura alone.')).toBeNull();
    });
    expect(screen.getByText(GREETING)).toBeVisible();
    expect(localStorage.getItem('conversations')).not.toContain('Noura');
  });

  test('a conversation keeps its last fifty messages, and drops old or unreadable ones', async () => {
    const longAgo = new Date(Date.now() - 91 * 24 * 60 * 60 * 1000).toISOString();
    localStorage.setItem('conversations', 'not JSON');
    const line = (index: number) => ({
      id: String(index),
      role: 'bot',
      content: `line ${String(index)}`,
      timestamp: new Date().toISOString(),
      hasImage: false,
      imageUrl: null,
      failed: false,
    });
    localStorage.setItem('visitorId', 'visitor_1');
    localStorage.setItem(
      'conversations',
      JSON.stringify({
        visitor_1: { name: '', isVisitor: true, messages: Array.from({ length: 50 }, (_, index) => line(index)) },
        visitor_0: { name: '', isVisitor: true, messages: [{ ...line(0), timestamp: longAgo }] },
        broken: { messages: 3 },
      }),
    );
    const chat = await openChat({ 'POST /chat': { body: { response: 'the newest' } } });
    await ask(chat, 'more');
    await screen.findByText('the newest');
    const kept = JSON.parse(localStorage.getItem('conversations') ?? '{}') as Record<
      string,
      { messages: { content: string }[] }
    >;
    expect(Object.keys(kept)).toEqual(['visitor_1']);
    expect(kept['visitor_1']?.messages).toHaveLength(50);
    expect(kept['visitor_1']?.messages.at(-1)?.content).toBe('the newest');
  });
});
