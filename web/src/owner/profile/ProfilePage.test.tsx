import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { Language } from '../../i18n/index.js';
import { buildMessage, buildUser } from '../../test/factories.js';
import { card } from '../../test/open-inbox.js';
import { renderElement } from '../../test/render.js';
import { startApi, type Answers } from '../../test/server.js';
import type { User } from '../../shared/session/index.js';
import { ProfilePage } from './index.js';

async function openProfile(
  change: Partial<User> = {},
  { language = 'en', answers = {} }: { language?: Language; answers?: Answers } = {},
) {
  const api = await startApi({
    'GET /user': { body: buildUser(change) },
    'GET /messages': { body: [] },
    'GET /messages/sent': { body: [] },
    'GET /messages/stats': { body: { received: 41, sent: 7, read: 39, unread: 2 } },
    ...answers,
  });
  const routes = [{ path: '/settings', element: <p>the settings</p> }];
  return renderElement(<ProfilePage />, { apiRoot: api.apiRoot, language, routes });
}

/** All that is known of the account. */
async function openSheet(user: Awaited<ReturnType<typeof openProfile>>['user']) {
  await user.click(await screen.findByRole('button', { name: /^Noura Alali/ }));
  return within(await screen.findByRole('dialog', { name: 'Noura Alali' }));
}

describe('dashboard head', () => {
  test('the dashboard shows the name with what is new, and a press on it everything else', async () => {
    const { user } = await openProfile({ isVerified: true }, { language: 'ar' });
    const head = within(await screen.findByRole('region', { name: 'Noura Alali' }));
    expect(head.getByRole('heading', { level: 1, name: /Noura Alali/ })).toBeVisible();
    expect(head.getByRole('img', { name: 'حساب موثّق' })).toBeVisible();
    expect(await head.findByText('رسالتان جديدتان')).toBeVisible();
    const sheet = await openSheet(user);
    expect(sheet.getByText('@noura')).toBeVisible();
    expect(sheet.getByText('متصل الآن')).toBeVisible();
    expect(sheet.getByText(/تاريخ الانضمام ٤ مارس ٢٠٢٥/)).toBeVisible();
    expect(sheet.getByTestId('profile-link')).toHaveTextContent(`${window.location.host}/m/noura`);
    expect(
      ['stats-received', 'stats-read', 'stats-unread', 'stats-sent'].map((name) => sheet.getByTestId(name).textContent),
    ).toEqual(['٤١', '٣٩', '٢', '٧']);
    expect(sheet.queryByText('مطوّر')).toBeNull();
  });

  test('the dashboard says which time the site is back to after a restore', async () => {
    await openProfile({ restoredTo: '2026-11-20T08:15:00.000Z' });
    expect(await screen.findByText(/The site is back as it was on 20 November 2026/)).toBeVisible();
  });

  test('the dashboard marks an unverified administrator as developer', async () => {
    const { user } = await openProfile({ isAdmin: true });
    expect((await openSheet(user)).getByText('Developer')).toBeVisible();
    expect(screen.queryByTestId('premium-banner')).toBeNull();
  });

  test('a verified administrator has a gilt row, and can share and edit the page', async () => {
    const { user } = await openProfile({ isAdmin: true, isVerified: true });
    expect(await screen.findByTestId('premium-banner')).toBeVisible();
    const sheet = await openSheet(user);
    for (const text of ['PREMIUM', 'VIP', 'VERIFIED ACCOUNT', 'Developer', 'Joined 4 March 2025', '12 visitors'])
      expect(sheet.getByText(text)).toBeVisible();
    await user.click(sheet.getByRole('button', { name: 'Share' }));
    expect(await screen.findByRole('dialog', { name: 'Share your page' })).toBeVisible();
    await user.keyboard('{Escape}');
    await user.click((await openSheet(user)).getByRole('link', { name: 'Edit' }));
    expect(await screen.findByText('the settings')).toBeVisible();
  });

  test('the dashboard shows counters at zero as well', async () => {
    const none = { received: 0, sent: 0, read: 0, unread: 0 };
    const { user } = await openProfile({}, { language: 'ar', answers: { 'GET /messages/stats': { body: none } } });
    const sheet = await openSheet(user);
    for (const name of ['stats-received', 'stats-read', 'stats-unread', 'stats-sent'])
      await waitFor(() => {
        expect(sheet.getByTestId(name)).toHaveTextContent('٠');
      });
  });

  test('counts that failed to load are retried on their own', async () => {
    let isRefused = true;
    const { user } = await openProfile(
      {},
      {
        answers: {
          'GET /messages/stats': () =>
            isRefused
              ? { status: 403, body: { message: 'No.', code: 'not_allowed' } }
              : { body: { received: 41, sent: 7, read: 39, unread: 2 } },
        },
      },
    );
    const stats = await openSheet(user);
    expect(await stats.findByRole('alert')).toHaveTextContent('Could not load this');
    const again = await stats.findByRole('button', { name: 'Try again' });
    isRefused = false;
    await user.click(again);
    expect(await stats.findByText('41')).toBeVisible();
  });

  test.each([
    [null, 'Never connected'],
    [2, 'Last seen 2 days ago'],
  ])('shows who was here %p days ago as "%s"', async (days, words) => {
    const lastOnline = days === null ? null : new Date(Date.now() - days * 86_400_000).toISOString();
    const { user } = await openProfile({ isOnline: false, lastOnline });
    expect((await openSheet(user)).getByText(words)).toBeVisible();
  });
});

describe('dashboard', () => {
  test('the dashboard shows a loading text until the user has loaded', async () => {
    await openProfile(
      {},
      { answers: { 'GET /user': { status: 401, body: { message: 'No.', code: 'not_signed_in' } } } },
    );
    expect(await screen.findByText('Loading user data...')).toBeInTheDocument();
  });

  test('the dashboard shows missing details as not available', async () => {
    const { user } = await openProfile({ email: '', bio: '' });
    expect((await openSheet(user)).getAllByText('Not available')).toHaveLength(2);
  });

  test('the dashboard links to three sharing sites without opener or referrer', async () => {
    const { user } = await openProfile({}, { answers: { 'GET /messages/public/1': { body: [] } } });
    await user.click(await screen.findByRole('button', { name: 'Share' }));
    const link = encodeURIComponent(`${window.location.origin}/m/noura`);
    for (const [name, href] of [
      ['Facebook', `https://www.facebook.com/sharer/sharer.php?u=${link}`],
      ['X', `https://x.com/intent/post?url=${link}`],
      ['WhatsApp', `https://wa.me/?text=${link}`],
    ] as const) {
      const target = await screen.findByRole('link', { name });
      expect(target).toHaveAttribute('href', href);
      expect(target).toHaveAttribute('rel', 'noopener noreferrer');
      expect(target).toHaveAttribute('target', '_blank');
    }
  });

  test('the dashboard copies the link, and shows a failure', async () => {
    const { user } = await openProfile();
    await user.click(await screen.findByRole('button', { name: 'Copy link' }));
    expect(await screen.findByText('Link copied')).toBeVisible();
    expect(await navigator.clipboard.readText()).toBe(`${window.location.origin}/m/noura`);
    Object.assign(navigator.clipboard, { writeText: () => Promise.reject(new Error('Not here.')) });
    await user.click(screen.getByRole('button', { name: 'Copy link' }));
    expect(await screen.findByText('Failed to copy')).toBeVisible();
  });
});

describe('the pictures to share', () => {
  const original = globalThis.fetch;
  let refusal: { status: number; code: string };

  beforeEach(() => {
    refusal = { status: 503, code: 'unavailable' };
    globalThis.fetch = (input, init) => {
      if (typeof input !== 'string' || !input.startsWith('/')) return original(input, init);
      const { status, code } = refusal;
      return Promise.resolve(new Response(JSON.stringify({ message: 'No picture.', code }), { status }));
    };
  });
  afterEach(() => {
    globalThis.fetch = original;
  });

  async function openPictures() {
    const { user } = await openProfile({}, { answers: { 'GET /messages/public/1': { body: [] } } });
    await user.click(await screen.findByRole('button', { name: 'Share' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Share your page' }));
    const preview = () => dialog.getByRole('img', { name: 'Preview of the picture of your page' });
    await dialog.findByRole('img', { name: 'Preview of the picture of your page' });
    return { user, dialog, preview };
  }

  test('shared pictures are busy until their preview has loaded, on each ground', async () => {
    const { user, dialog, preview } = await openPictures();
    const isBusy = () => preview().parentElement?.getAttribute('aria-busy') === 'true';
    expect(isBusy()).toBe(true);
    fireEvent.load(preview());
    expect(isBusy()).toBe(false);
    await user.click(dialog.getByRole('radio', { name: 'Mint' }));
    expect([isBusy(), preview().getAttribute('src')]).toEqual([true, '/og/noura.png?ground=mint']);
  });

  test('a preview that failed to load says so, and is requested again', async () => {
    const { user, dialog, preview } = await openPictures();
    fireEvent.error(preview());
    expect(dialog.getByText('The picture did not come.')).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Try again' }));
    fireEvent.load(preview());
    expect(dialog.queryByText('The picture did not come.')).toBeNull();
  });

  test('a text that no font can draw is reported by its preview and its download', async () => {
    const { user, dialog, preview } = await openPictures();
    refusal = { status: 422, code: 'picture_undrawable' };
    fireEvent.error(preview());
    const words = 'No picture: the text has letters that we cannot draw.';
    expect(await dialog.findByText(words)).toBeVisible();
    expect(dialog.queryByRole('button', { name: 'Try again' })).toBeNull();
    await user.click(dialog.getByRole('button', { name: 'Download the picture' }));
    await waitFor(() => {
      expect(screen.getAllByText(words)).toHaveLength(2);
    });
  });

  test('a QR code that failed to load says so', async () => {
    const { user, dialog } = await openPictures();
    expect(dialog.queryByRole('img', { name: 'QR code of your page' })).toBeNull();
    await user.click(dialog.getByRole('button', { name: 'QR code of your page' }));
    fireEvent.error(dialog.getByRole('img', { name: 'QR code of your page' }));
    expect(dialog.getByText('The picture did not come.')).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Try again' }));
    fireEvent.load(dialog.getByRole('img', { name: 'QR code of your page' }));
    expect(dialog.queryByText('The picture did not come.')).toBeNull();
    expect(dialog.queryByRole('button', { name: /Try again|Loading/ })).toBeNull();
  });
});

describe('the stories of published messages', () => {
  const { fetch: original } = globalThis;
  const voice = { audioUrl: '/audio/stream/a', audioType: 'audio/mp4', audioDuration: 10, audioPeaks: [40] };
  const NEWEST = [
    buildMessage({ id: 9, content: 'What next?' }),
    buildMessage({ id: 8, content: '', ...voice }),
    buildMessage({ id: 7, content: 'Look', imageUrl: '/image/a.webp' }),
  ];
  let asked: [string, RequestInit | undefined][];
  let downloads: string[];

  beforeEach(() => {
    [asked, downloads] = [[], []];
    globalThis.fetch = (input, init) => {
      if (typeof input !== 'string' || !input.startsWith('/story/')) return original(input, init);
      asked.push([input, init]);
      return Promise.resolve(new Response('a picture'));
    };
    Object.assign(URL, { createObjectURL: () => 'blob:picture', revokeObjectURL: () => undefined });
    jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      downloads.push(this.download);
    });
  });
  afterEach(() => {
    globalThis.fetch = original;
    jest.restoreAllMocks();
    for (const name of ['canShare', 'share']) Reflect.deleteProperty(navigator, name);
  });

  async function openStories() {
    const received = [buildMessage({ id: 5, isPublic: true, content: 'An older one' })];
    const { user } = await openProfile(
      {},
      { answers: { 'GET /messages/public/1': { body: NEWEST }, 'GET /messages': { body: received } } },
    );
    const sheet = async () => within(await screen.findByRole('dialog', { name: 'Share your page' }));
    const preview = async () =>
      (await (await sheet()).findByRole('img', { name: 'Preview of the story picture' })).getAttribute('src');
    const choices = async () =>
      within(await (await sheet()).findByRole('group', { name: 'Which message?' })).getAllByRole('radio');
    return { user, sheet, preview, choices };
  }

  test('the sheet offers the published messages, and downloads the story of one on its ground', async () => {
    const { user, sheet, preview, choices } = await openStories();
    await user.click(await screen.findByRole('button', { name: 'Share' }));
    expect((await choices()).map((choice) => choice.getAttribute('aria-label'))).toEqual([
      'What next?',
      'Voice message',
      'Look',
    ]);
    expect(await preview()).toBe('/story/message/9.png');
    await user.click((await sheet()).getByRole('radio', { name: 'Voice message' }));
    await user.click((await sheet()).getByRole('radio', { name: 'Lavender' }));
    expect(await preview()).toBe('/story/message/8.png?ground=own');
    expect((await sheet()).queryByRole('button', { name: 'Post a story' })).toBeNull();
    await user.click((await sheet()).getByRole('button', { name: 'Download the picture' }));
    await waitFor(() => {
      expect(downloads).toEqual(['najwa-8.png']);
    });
    expect(asked).toEqual([
      [
        '/story/message/8.png?ground=own',
        expect.objectContaining({ cache: 'no-store', headers: { 'X-Requested-With': 'XMLHttpRequest' } }),
      ],
    ]);
  });

  test("a message's own menu opens the sheet at that message, before the newer ones", async () => {
    const { user, preview, choices } = await openStories();
    await user.click((await card(5)).getByRole('button', { name: 'More for this message' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Story picture' }));
    await waitFor(async () => {
      expect(await choices()).toHaveLength(4);
    });
    expect((await choices())[0]).toBeChecked();
    expect(await preview()).toBe('/story/message/5.png');
    await user.keyboard('{Escape}');
    await user.click(await screen.findByRole('button', { name: 'Share' }));
    expect(await preview()).toBe('/story/message/9.png');
  });

  test('a device that shares files posts the story, with the link copied for its sticker', async () => {
    const shared: (readonly [string, string])[] = [];
    Object.assign(navigator, {
      canShare: () => true,
      share: ({ files = [] }: ShareData) => {
        shared.push(...files.map(({ name, type }) => [name, type] as const));
        return Promise.reject(new DOMException('closed', 'AbortError'));
      },
    });
    const { user, sheet } = await openStories();
    await user.click(await screen.findByRole('button', { name: 'Share' }));
    const dialog = await sheet();
    expect(dialog.queryByText('We copied the link. Add it as a link sticker.')).toBeNull();
    await user.click(await dialog.findByRole('button', { name: 'Post a story' }));
    expect(await dialog.findByText('We copied the link. Add it as a link sticker.')).toBeVisible();
    await waitFor(() => {
      expect(shared).toEqual([['najwa-9.png', 'image/png']]);
    });
    expect(await navigator.clipboard.readText()).toBe(`${window.location.origin}/m/noura`);
    expect(downloads).toEqual([]);
    await user.click(await dialog.findByRole('button', { name: 'Download the picture' }));
    await waitFor(() => {
      expect(downloads).toEqual(['najwa-9.png']);
    });
  });
});

describe('a wave of messages', () => {
  async function openInWave(language: Language) {
    let from = 'accounts';
    const sent: unknown[] = [];
    const settings = () => ({ from, minimumDays: 7, notice: '', presence: 'coarse', readReceipts: true });
    const { user } = await openProfile(
      {},
      {
        language,
        answers: {
          'GET /messages/stats': {
            body: { received: 90, sent: 0, read: 0, unread: 90, wave: { count: 84, minutes: 10 } },
          },
          'GET /users/receiving': () => ({ body: settings() }),
          'PATCH /users/receiving': ({ body }) => {
            sent.push(body);
            ({ from } = body as { from: string });
            return { body: settings() };
          },
        },
      },
    );
    const openElsewhere = (to: string) => {
      from = to;
    };
    return { sent, user, openElsewhere };
  }

  test('a burst of messages offers to pause the page, and then to resume it', async () => {
    const { sent, user } = await openInWave('en');
    const notice = within(await screen.findByRole('alert'));
    expect(notice.getByText('Many messages are arriving')).toBeVisible();
    expect(notice.getByText(/^84 came in 10 minutes, far more than usual/)).toBeVisible();
    await user.click(notice.getByRole('button', { name: 'Pause my page' }));
    expect(await screen.findByText('Your page is paused')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Resume' }));
    expect(await screen.findByText('Many messages are arriving')).toBeVisible();
    expect(sent).toEqual([{ from: 'nobody' }, { from: 'accounts' }]);
  });

  test('a burst of messages is announced in Arabic', async () => {
    await openInWave('ar');
    expect(await screen.findByText('رسائل كثيرة تصل الآن')).toBeVisible();
    expect(screen.getByText(/٨٤ .* ١٠ دقائق/)).toBeVisible();
    expect(screen.getByRole('button', { name: 'أوقف الاستقبال' })).toBeVisible();
  });

  test('resuming a page that another device reopened changes nothing', async () => {
    const { sent, user, openElsewhere } = await openInWave('en');
    await user.click(await screen.findByRole('button', { name: 'Pause my page' }));
    const resume = await screen.findByRole('button', { name: 'Resume' });
    openElsewhere('established');
    await user.click(resume);
    await waitFor(() => {
      expect(screen.queryByRole('button', { name: 'Resume' })).toBeNull();
    });
    expect(sent).toEqual([{ from: 'nobody' }]);
  });
});
