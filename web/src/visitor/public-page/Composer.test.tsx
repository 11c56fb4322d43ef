import { describe, expect, jest, test } from '@jest/globals';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openPage, published } from '../../test/open-public-page.js';
import { installMicrophone, installPlayback } from '../../test/sound.js';
import suggestions from './suggestions.json' with { type: 'json' };

describe('composer', () => {
  const sheet = () => screen.findByLabelText<HTMLTextAreaElement>('Message text');

  test('the composer counts grapheme clusters, up to seven hundred', async () => {
    await openPage();
    fireEvent.change(await sheet(), { target: { value: ' 👨‍👩‍👧‍👦é ' } });
    expect(screen.getByTestId('counter')).toHaveAccessibleName('2 of 700');
    fireEvent.change(await sheet(), { target: { value: 'ب'.repeat(700) } });
    expect(screen.getByRole('button', { name: 'Send' })).not.toHaveAttribute('aria-disabled');
    fireEvent.change(await sheet(), { target: { value: 'ب'.repeat(701) } });
    expect(screen.getByRole('button', { name: 'Send' })).toHaveAttribute('aria-disabled', 'true');
    expect(await sheet()).toBeInvalid();
    const said = screen.getByText('1 character too many', { selector: '[role="status"]' });
    fireEvent.change(await sheet(), { target: { value: 'ب'.repeat(1_711) } });
    expect(screen.getByTestId('counter')).toHaveAccessibleName('1,011 characters too many');
    // Not per letter.
    expect(said).toHaveTextContent(/^1 character too many$/);
    fireEvent.change(await sheet(), { target: { value: 'ب' } });
    expect(said).toBeEmptyDOMElement();
  });

  test('the composer asks once before an insult is sent, and never blocks it', async () => {
    const { user, api } = await openPage();
    await user.type(await sheet(), 'you are stuuupid');
    await user.click(screen.getByRole('button', { name: 'Send' }));
    expect(await screen.findByText('Would you say it like this to their face?')).toBeVisible();
    expect(api.callsTo('POST /messages')).toHaveLength(0);
    await user.click(screen.getByRole('button', { name: 'Reword' }));
    expect(await sheet()).toHaveFocus();
    await user.click(screen.getByRole('button', { name: 'Send anyway' }));
    expect(await screen.findByText('Message sent')).toBeVisible();
    expect(api.callsTo('POST /messages')[0]?.body).toEqual({ userId: 1, content: 'you are stuuupid' });
  });

  test('an empty text is not sent, and the button focuses the field', async () => {
    const { user, api } = await openPage();
    for (const written of ['', '   ']) {
      fireEvent.change(await sheet(), { target: { value: written } });
      const button = screen.getByRole('button', { name: 'Send. Write something first' });
      expect(button).toHaveAttribute('aria-disabled', 'true');
      await user.click(button);
      expect(await sheet()).toHaveFocus();
    }
    expect(api.callsTo('POST /messages')).toEqual([]);
  });

  test('a form sent before the scripts is left to the browser', async () => {
    const { api } = await openPage();
    fireEvent.change(await sheet(), { target: { value: 'written early' } });
    const { form } = await sheet();
    if (form === null) throw new Error('The text is in no form.');
    // jsdom lacks it.
    Object.assign(performance, { getEntriesByType: () => [] });
    const textContent = await readFile(join(import.meta.dirname, '../../../before-paint.js'), 'utf8');
    document.head.append(Object.assign(document.createElement('script'), { textContent }));
    fireEvent.submit(form);
    window.takePressed?.();
    const wasLeft = fireEvent.submit(form);
    expect([wasLeft, api.callsTo('POST /messages')]).toEqual([true, []]);
  });

  test('the reason of a refused form without scripts shows until the text changes', async () => {
    await openPage({
      unsent: { content: 'kept', error: { status: 429, code: 'proof_required', message: '', retryAfter: null } },
    });
    expect(await sheet()).toHaveValue('kept');
    const reason = /^Not sent yet\s+Many messages .* Turn scripts on, .*\s+Your text is still here\.$/;
    await waitFor(async () => {
      expect(await sheet()).toHaveAccessibleDescription(reason);
    });
    fireEvent.change(await sheet(), { target: { value: 'changed' } });
    expect(screen.queryByTestId('unsent')).toBeNull();
  });

  test('the composer sends the text, confirms it and clears the form', async () => {
    const { user, api } = await openPage();
    await user.click(await screen.findByRole('button', { name: 'Emoji' }));
    await user.type(await sheet(), ' hello ');
    await user.click(screen.getByRole('button', { name: 'Send' }));
    expect(await screen.findByText('Message sent')).toBeVisible();
    expect(await sheet()).toHaveValue('');
    expect(screen.queryByRole('group', { name: 'Emoji palette' })).toBeNull();
    const [call] = api.callsTo('POST /messages');
    expect(call?.body).toEqual({ userId: 1, content: 'hello' });
    expect(call?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('a message can come later, which is another one than the same words at once', async () => {
    const answer = {
      ...published,
      id: undefined,
      reply: null,
      wayBack: `/r/${'a'.repeat(22)}`,
      arrivesBy: published.createdAt,
    };
    const { user, api } = await openPage({
      unsent: {
        content: 'hello',
        isLater: true,
        error: { status: 503, code: 'unavailable', message: '', retryAfter: null },
      },
      answers: {
        'POST /messages': () =>
          api.callsTo('POST /messages').length < 3
            ? { status: 422, body: { message: 'Invalid.', code: 'invalid_input' } }
            : { status: 201, body: answer },
      },
    });
    const choice = await screen.findByRole('checkbox', { name: 'Arrives within six hours' });
    expect(choice).toBeChecked();
    const sendOnce = async (times: number) => {
      await user.click(await screen.findByRole('button', { name: 'Send' }));
      await waitFor(() => {
        expect(api.callsTo('POST /messages')).toHaveLength(times);
      });
    };
    await sendOnce(1);
    await user.click(choice);
    await sendOnce(2);
    await user.click(choice);
    await sendOnce(3);
    expect(await screen.findByRole('heading', { name: 'On its way' })).toBeVisible();
    const calls = api.callsTo('POST /messages');
    expect(calls.map(({ body }) => (body as { later?: true }).later)).toEqual([true, undefined, true]);
    expect(new Set(calls.map(({ headers }) => headers['idempotency-key'])).size).toBe(3);
  });

  test('the same words can be sent again as another message', async () => {
    const { user, api } = await openPage();
    for (const count of [1, 2]) {
      await user.type(await sheet(), 'hello');
      await user.click(screen.getByRole('button', { name: 'Send' }));
      await waitFor(() => {
        expect(api.callsTo('POST /messages')).toHaveLength(count);
      });
      await waitFor(() => {
        expect(screen.getByLabelText('Message text')).toHaveValue('');
      });
    }
    const [first, second] = api.callsTo('POST /messages').map(({ headers }) => headers['idempotency-key']);
    expect(second).not.toBe(first);
  });

  test('two taps send once, also while the list of insults loads', async () => {
    const { user, api } = await openPage();
    await user.type(await sheet(), 'hello');
    const button = screen.getByRole('button', { name: 'Send' });
    fireEvent.click(button);
    expect(await sheet()).toHaveAttribute('readonly');
    fireEvent.click(button);
    expect(await screen.findByText('Message sent')).toBeVisible();
    expect(api.callsTo('POST /messages')).toHaveLength(1);
    expect(await sheet()).not.toHaveAttribute('readonly');
  });

  test('sending keeps the keyboard focus and returns it to the text field', async () => {
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

  test.each([
    ['folds into its notice', false],
    ['is simply replaced under reduced motion', true],
  ])('the sheet keeps its words until the answer, then %s', async (_what, isReduced) => {
    const moves: Partial<Animation>[] = [];
    Object.assign(Element.prototype, {
      animate: () => {
        const move = {};
        moves.push(move);
        return move;
      },
    });
    const matchMedia = window.matchMedia.bind(window);
    jest
      .spyOn(window, 'matchMedia')
      .mockImplementation((media) =>
        Object.assign(matchMedia(media), { matches: isReduced && media.includes('reduced-motion') }),
      );
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const { user } = await openPage({
      answers: {
        'POST /messages': async () => {
          await held;
          return { status: 201, body: { ...published, reply: null, wayBack: `/r/${'a'.repeat(22)}` } };
        },
      },
    });
    const written = await sheet();
    await user.type(written, 'hello');
    await user.click(screen.getByRole('button', { name: 'Send' }));
    await screen.findByRole('button', { name: 'Sending' });
    expect(written).toHaveValue('hello');
    expect(written).toHaveAttribute('readonly');
    expect(moves).toEqual([]);
    answer();
    const title = await screen.findByRole('heading', { name: 'It’s there.' });
    expect(title).toHaveFocus();
    const card = screen.getByTestId('sent-notice');
    expect(card.contains(written)).toBe(!isReduced);
    if (!isReduced) expect([written.value, written.closest('[inert]')?.parentElement]).toEqual(['hello', card]);
    for (const { onfinish } of moves) onfinish?.call({} as Animation, new Event('finish') as AnimationPlaybackEvent);
    expect(card.querySelector('[inert]')).toBeNull();
    expect(screen.queryByTestId('toast')).toBeNull();
    jest.restoreAllMocks();
    Reflect.deleteProperty(Element.prototype, 'animate');
  });

  test("a proxy's error page shows a text by status", async () => {
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

  test.each([
    ['en', 'Message text', 'Send', /Images and voice messages cannot be sent right now, text can/],
    ['ar', 'نصّ الرسالة', 'أرسل', /إرسال الصور والصوت غير متاح الآن، والنصّ متاح/],
  ] as const)(
    'says in %s that pictures are not there yet, and sends one when they are',
    async (language, label, name, words) => {
      let isThere = false;
      const { user, api } = await openPage({
        language,
        answers: {
          'POST /messages': () =>
            isThere
              ? { status: 201, body: published }
              : { status: 503, body: { message: 'Not yet.', code: 'media_unavailable' } },
        },
      });
      await user.type(await screen.findByLabelText(label), 'look');
      await user.upload(screen.getByTestId('image-file'), new File(['bytes'], 'sea.png', { type: 'image/png' }));
      await user.click(await screen.findByRole('button', { name }));
      expect(await screen.findByText(words)).toBeVisible();
      isThere = true;
      await user.click(await screen.findByRole('button', { name }));
      await waitFor(() => {
        expect(screen.getByLabelText(label)).toHaveValue('');
      });
      const [first, second] = api.callsTo('POST /messages').map(({ headers }) => headers['idempotency-key']);
      expect(second).toBe(first);
    },
  );

  test.each([
    ['a page', '<h1>Log in to this network</h1>'],
    ['nothing', ''],
  ])('is not fooled by a network that answers everything with %s', async (_what, body) => {
    const { user, api } = await openPage({ answers: { 'POST /messages': { status: 200, body } } });
    await user.type(await sheet(), 'hello');
    await user.click(screen.getByRole('button', { name: 'Send' }));
    expect(await screen.findByText(/^Message failed: /)).toBeVisible();
    expect(await sheet()).toHaveValue('hello');
    expect(screen.queryByText('Message sent')).toBeNull();
    expect(new Set(api.callsTo('POST /messages').map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  });

  test('a failed message keeps the input and retries with the same key', async () => {
    const { user, api } = await openPage({
      language: 'ar',
      answers: { 'POST /messages': { status: 422, body: { message: 'Not a picture.', code: 'unsupported_image' } } },
    });
    const written = await screen.findByLabelText<HTMLTextAreaElement>('نصّ الرسالة');
    await user.type(written, 'مرحبًا');
    written.setSelectionRange(2, 2);
    await user.click(screen.getByRole('button', { name: 'أرسل' }));
    expect(await screen.findByText('فشل إرسال الرسالة: نوع الملف غير مدعوم. ارفع صورة فقط.')).toBeVisible();
    expect([written.value, written.selectionStart]).toEqual(['مرحبًا', 2]);
    expect(written).not.toHaveAttribute('readonly');
    written.setSelectionRange(6, 6);
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

  test('a picture is attached and removed', async () => {
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

  test('the composer refuses other files and pictures over five megabytes', async () => {
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

  test.each(['', 'application/octet-stream'])('looks into a file of the type "%s"', async (type) => {
    await openPage();
    const input = await screen.findByTestId('image-file');
    const choose = (bytes: Uint8Array<ArrayBuffer>) => {
      fireEvent.change(input, { target: { files: [new File([bytes], 'sea', { type })] } });
    };
    choose(Uint8Array.from('%PDF-1.7 no picture', (letter) => letter.charCodeAt(0)));
    expect(await screen.findByText('Unsupported file type')).toBeVisible();
    expect(screen.queryByRole('img', { name: 'The image you will send' })).toBeNull();
    choose(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a));
    const image = await screen.findByRole('img', { name: 'The image you will send' });
    expect(image).toHaveAttribute('src', expect.stringMatching(/^data:image\/png;/));
  });

  test('takes a picture that is pasted or dropped, and leaves a text to the field', async () => {
    const { user } = await openPage();
    await sheet();
    const file = new File(['bytes'], 'screen.png', { type: 'image/png' });
    const give = (type: 'paste' | 'drop' | 'dragover', types: string[]) => {
      const event = new Event(type, { bubbles: true, cancelable: true });
      const transfer = { types, files: [file] };
      Object.assign(event, { clipboardData: transfer, dataTransfer: transfer });
      fireEvent(screen.getByLabelText('Message text'), event);
      return event.defaultPrevented;
    };
    await waitFor(() => expect(give('dragover', ['Files'])).toBe(true));
    expect(give('paste', ['text/plain', 'Files'])).toBe(false);
    expect(screen.queryByRole('img', { name: 'The image you will send' })).toBeNull();
    for (const type of ['paste', 'drop'] as const) {
      expect(give(type, ['Files'])).toBe(true);
      expect(await screen.findByRole('img', { name: 'The image you will send' })).toBeVisible();
      await user.click(screen.getByRole('button', { name: 'Remove image' }));
    }
  });

  test('the composer inserts one of thirty emojis at the caret', async () => {
    const { user } = await openPage();
    await user.type(await sheet(), 'ab');
    (await sheet()).setSelectionRange(1, 1);
    const tool = screen.getByRole('button', { name: 'Emoji', expanded: false });
    await user.click(tool);
    expect(tool).toHaveAttribute('aria-expanded', 'true');
    expect(screen.getByRole('group', { name: 'Emoji palette' }).children).toHaveLength(30);
    await user.click(screen.getByRole('button', { name: '🌙' }));
    expect(await sheet()).toHaveValue('a🌙b');
  });

  test('the composer keeps the draft while the recorder is open', async () => {
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

  test('the composer sends a voice message and returns to the text field', async () => {
    installPlayback();
    installMicrophone();
    const { user, api } = await openPage({ answers: { 'POST /audio/upload': { status: 201, body: published } } });
    await user.click(await screen.findByRole('button', { name: 'Voice' }));
    await user.click(await screen.findByRole('button', { name: 'Start recording' }));
    expect(await screen.findByLabelText('Image')).toBeDisabled();
    await user.click(screen.getByRole('button', { name: 'Stop' }));
    await user.click(await screen.findByRole('radio', { name: 'Male voice' }));
    await user.click(screen.getByRole('button', { name: 'Send voice' }));
    expect(await screen.findByText('Voice message sent successfully')).toBeVisible();
    expect(await sheet()).toBeVisible();
    expect(screen.getByLabelText('Image')).toBeEnabled();
    await waitFor(() => {
      expect(screen.getByRole('button', { name: 'Voice' })).toHaveFocus();
    });
    expect(api.callsTo('POST /audio/upload')).toHaveLength(1);
  });

  test('the composer suggests one of forty questions', async () => {
    // jsdom has no undo history.
    Object.assign(document, { execCommand: () => false });
    const { user } = await openPage({ language: 'ar' });
    await user.click(await screen.findByRole('button', { name: 'اقترح سؤالًا' }));
    const { value } = screen.getByLabelText<HTMLTextAreaElement>('نصّ الرسالة');
    expect(suggestions.ar).toContain(value);
    const written = await screen.findByLabelText<HTMLTextAreaElement>('نصّ الرسالة');
    fireEvent.change(written, { target: { value: 'ما كتبته' } });
    for (let press = 0; press < 2; press += 1) {
      await user.click(screen.getByRole('button', { name: 'اقترح سؤالًا' }));
      await waitFor(() => {
        const [own, asked, ...more] = written.value.split('\n');
        expect([own, suggestions.ar.includes(asked ?? ''), more]).toEqual(['ما كتبته', true, []]);
      });
    }
    for (const questions of Object.values(suggestions)) expect(new Set(questions).size).toBe(40);
  });

  test('the composer shows a proof of work, and repeats the request with the same key', async () => {
    let proofs = 0;
    let accept = (): void => undefined;
    const accepted = new Promise<void>((resolve) => (accept = resolve));
    const { user, api } = await openPage({
      answers: {
        'POST /messages': async ({ headers }) => {
          if (headers['proof-of-work'] !== undefined) {
            await accepted;
            return { status: 201, body: published };
          }
          proofs += 1;
          return {
            status: 429,
            body: { message: 'Solve this first.', code: 'proof_required', proof: { challenge: 'a.b', bits: 8 } },
          };
        },
      },
    });
    await user.type(await sheet(), 'hello');
    await user.click(screen.getByRole('button', { name: 'Send' }));
    const check = await screen.findByText('One moment, your device solves a small puzzle');
    expect(screen.getByRole('progressbar')).toHaveAccessibleName('One moment, your device solves a small puzzle');
    accept();
    expect(await screen.findByText('Message sent')).toBeVisible();
    expect(check).not.toBeInTheDocument();
    expect(proofs).toBe(1);
    const [first, second] = api.callsTo('POST /messages');
    expect(second?.headers['proof-of-work']).toMatch(/^a\.b\.\d+$/);
    expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
    expect(second?.body).toEqual(first?.body);
    expect(api.callsTo('POST /messages')).toHaveLength(2);
  });

  test('the composer stops after three proofs that the server does not accept', async () => {
    const { user, api } = await openPage({
      answers: {
        'POST /messages': {
          status: 429,
          body: { message: 'Solve this first.', code: 'proof_required', proof: { challenge: 'a.b', bits: 4 } },
        },
      },
    });
    await user.type(await sheet(), 'hello');
    await user.click(screen.getByRole('button', { name: 'Send' }));
    expect(
      await screen.findByText('Message failed: The short check did not finish. Wait a minute, then try again.'),
    ).toBeVisible();
    expect(api.callsTo('POST /messages')).toHaveLength(4);
    expect(await sheet()).toHaveValue('hello');
  });
});
