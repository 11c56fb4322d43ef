import { describe, expect, jest, test } from '@jest/globals';
import { profileFieldNames } from '@najwa/proto/http';
import { screen, waitFor, within } from '@testing-library/react';
import { buildUser } from '../../test/factories.js';
import { openPage, profile, published } from '../../test/open-public-page.js';
import { installPlayback } from '../../test/sound.js';

/** Refocuses the page until it refetches: that part loads after the first paint. */
const comeBack = (found: () => void): Promise<void> =>
  waitFor(() => {
    window.dispatchEvent(new Event('focus'));
    found();
  });

describe('public page', () => {
  test('a public page shows the profile and an empty list', async () => {
    await openPage({ language: 'ar' });
    expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent('نورة العلي');
    expect(screen.getByRole('img', { name: 'حساب موثّق' })).toBeVisible();
    expect(screen.getByText('متصل هذه الساعة')).toBeVisible();
    expect(screen.getByTestId('visits')).toHaveTextContent('١٬٢٨٤');
    expect(screen.getByRole('heading', { name: 'اكتب إلى \u2068نورة\u2069' })).toBeVisible();
    expect(await screen.findByText('لا رسائل منشورة بعد')).toBeVisible();
    expect(screen.queryByTestId('published')).toBeNull();
  });

  test.each([
    [9, null],
    [10, '10'],
  ])('a page of %i visits and without a bio shows what it has', async (visitorCount, visits) => {
    await openPage({ answers: { 'GET /users/noura': { body: { ...profile, bio: '', visitorCount } } } });
    expect(await screen.findByText('No public messages yet')).toBeVisible();
    expect(screen.queryByTestId('visits')?.textContent ?? null).toBe(visits);
    expect(screen.queryByRole('heading', { name: 'Bio' })).toBeNull();
    expect(screen.queryByText('Anonymous person')).toBeNull();
  });

  test('a page that takes no messages invites to none', async () => {
    const receiving = { from: 'nobody', minimumDays: 7, notice: '' };
    await openPage({ answers: { 'GET /users/noura': { body: { ...profile, receiving } } } });
    expect(await screen.findByText('No public messages yet')).toBeVisible();
    expect(screen.queryByText(/Be the first/)).toBeNull();
  });

  test('owners see that their page looks so to others, and share it from there', async () => {
    const { user } = await openPage({ answers: { 'GET /user': { body: buildUser({ id: profile.id }) } } });
    const note = await screen.findByTestId('own-page');
    expect(note).toHaveTextContent('This is how people see itShare');
    await user.click(within(note).getByRole('button', { name: 'Share' }));
    expect(await within(note).findByText('Link copied')).toBeVisible();
    expect(await navigator.clipboard.readText()).toBe(window.location.href);
  });

  test('others see no note of the owner', async () => {
    await openPage({ answers: { 'GET /user': { body: buildUser({ id: profile.id + 1 }) } } });
    expect(await screen.findByText('No public messages yet')).toBeVisible();
    expect(screen.queryByTestId('own-page')).toBeNull();
  });

  test('a public page shows every public field of the profile', async () => {
    const texts = Object.fromEntries(profileFieldNames.public.map((name) => [name, `the ${name}`]));
    await openPage({ answers: { 'GET /users/noura': { body: { ...profile, ...texts } } } });
    expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent('the name');
    for (const text of Object.values(texts)) expect((await screen.findAllByText(text))[0]).toBeVisible();
  });

  test('a published message shows the question that it answers', async () => {
    const prompt = { id: 4, content: 'What should I read next?' };
    await openPage({
      answers: { 'GET /messages/public/1': { body: [{ ...published, prompt }], headers: { 'x-total-count': '1' } } },
    });
    expect(await screen.findByTestId('message-prompt')).toHaveTextContent('Question: What should I read next?');
  });

  test('published messages show pictures and replies, without a sender', async () => {
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

  test('messages, replies and the bio keep the gaps of a verse', async () => {
    const verse = 'قفا نبك من ذكرى حبيب ومنزل      بسقط اللوى بين الدخول فحومل';
    await openPage({
      answers: {
        'GET /users/noura': { body: { ...profile, bio: verse } },
        'GET /messages/public/1': {
          body: [{ ...published, content: verse, reply: { ...published.reply, content: verse } }],
          headers: { 'x-total-count': '1' },
        },
      },
    });
    await screen.findByTestId('message-text');
    const places = screen.getAllByText((text) => text === verse, { normalizer: (text) => text });
    expect(places).toHaveLength(3);
    for (const place of places) expect(place.closest('p, summary > span')).toHaveStyle({ whiteSpace: 'pre-wrap' });
  });

  test('a very tall message is folded until opened', async () => {
    jest.spyOn(Element.prototype, 'scrollHeight', 'get').mockReturnValue(9_000);
    const tall = 'x\n'.repeat(349);
    const { user } = await openPage({
      answers: {
        'GET /messages/public/1': {
          body: [{ ...published, content: tall, reply: null }],
          headers: { 'x-total-count': '1' },
        },
      },
    });
    const text = await screen.findByTestId('message-text');
    const more = screen.getByRole('button', { name: 'Show more', expanded: false });
    expect(more).toHaveAttribute('aria-controls', text.id);
    expect(text).toHaveStyle({ overflow: 'hidden' });
    await user.click(more);
    expect(text).not.toHaveStyle({ overflow: 'hidden' });
    await user.click(screen.getByRole('button', { name: 'Show less', expanded: true }));
    expect(text).toHaveStyle({ overflow: 'hidden' });
    jest.restoreAllMocks();
  });

  test('a message of usual height is not folded', async () => {
    await openPage({
      answers: { 'GET /messages/public/1': { body: [published], headers: { 'x-total-count': '1' } } },
    });
    expect(await screen.findByTestId('message-text')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  });

  test('a published voice message plays and shows a playback error', async () => {
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

  test.each([false, true])('an unknown or hidden time is not mentioned (premium: %s)', async (isAdmin) => {
    await openPage({
      answers: { 'GET /users/noura': { body: { ...profile, isAdmin, isOnline: false, lastOnline: null } } },
    });
    expect(await screen.findByTestId('visits')).toBeVisible();
    expect(screen.queryByText(/Never connected|Last seen/)).not.toBeInTheDocument();
  });

  test("a verified administrator's public page has the premium banner", async () => {
    await openPage({ answers: { 'GET /users/noura': { body: { ...profile, isAdmin: true } } } });
    expect(await screen.findByTestId('premium-banner')).toHaveTextContent(/PREMIUM.*VIP.*VERIFIED ACCOUNT/);
  });

  test.each([
    [11, 'زيارة', 'رسالة منشورة'],
    [103, 'زيارات', 'رسائل منشورة'],
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

  test('a public page that failed to load shows its retry', async () => {
    let isWorking = false;
    const answers: (() => void)[] = [];
    const { user } = await openPage({
      answers: {
        'GET /users/noura': async () => {
          if (!isWorking) return { status: 400, body: { message: 'No.', code: 'malformed' } };
          await new Promise<void>((resolve) => answers.push(resolve));
          return { body: profile };
        },
      },
    });
    const retry = await screen.findByRole('button', { name: 'Try again' });
    isWorking = true;
    await user.click(retry);
    expect(await screen.findByRole('button', { name: 'Loading' })).toHaveAttribute('aria-busy', 'true');
    await waitFor(() => {
      expect(answers).toHaveLength(1);
    });
    answers[0]?.();
    expect(await screen.findByText('نورة العلي')).toBeVisible();
  });

  test('a rendered page refetches only when a reader returns to it, and shows changes', async () => {
    let name = profile.name;
    const messages = { items: [published], link: null, total: 1 };
    const { api } = await openPage({
      first: { profile, messages },
      answers: {
        'GET /users/noura': () => ({ body: { ...profile, name } }),
        'GET /messages/public/1': { body: [published, { ...published, id: 10 }], headers: { 'x-total-count': '2' } },
      },
    });
    expect(await screen.findByTestId('published')).toHaveTextContent('1');
    expect(await screen.findByText(published.content)).toBeVisible();
    expect(api.calls.filter(({ path }) => /^\/(users|messages)\//.test(path))).toEqual([]);

    name = 'Noura Alali';
    await comeBack(() => {
      expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(name);
      expect(screen.getByTestId('published')).toHaveTextContent('2');
    });
    expect(screen.getAllByText(published.content)).toHaveLength(2);
  });

  test('a rendered page says that its owner is gone once a reader returns to it', async () => {
    await openPage({
      first: { profile, messages: { items: [], link: null, total: 0 } },
      answers: { 'GET /users/noura': { status: 404, body: { message: 'No such user.', code: 'user_not_found' } } },
    });
    expect(await screen.findByText('No public messages yet')).toBeVisible();
    await comeBack(() => {
      expect(screen.getByRole('heading', { name: 'User not found' })).toBeVisible();
    });
  });

  test('a public page says that a user does not exist', async () => {
    await openPage({
      path: '/m/nobody',
      answers: { 'GET /users/nobody': { status: 404, body: { message: 'No such user.', code: 'user_not_found' } } },
    });
    expect(await screen.findByRole('heading', { name: 'User not found' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Back to home' })).toHaveAttribute('href', '/');
  });
});
