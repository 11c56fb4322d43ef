import { describe, expect, jest, test } from '@jest/globals';
import { act, screen, within } from '@testing-library/react';
import type { Language } from '../../i18n/index.js';
import { leaveDevice } from '../../lib/leave-device.js';
import { keepUnsaved, readCodes } from '../../lib/unsaved-codes.js';
import type { NewAccount, User } from '../../shared/session/index.js';
import { buildUser } from '../../test/factories.js';
import { renderRoutes } from '../../test/render.js';
import { startApi } from '../../test/server.js';
import { SettingsPage } from '../settings/index.js';
import { ProfilePage } from './index.js';

const CODES = ['aaaa-0001', 'aaaa-0002'];
const NONE = { received: 0, sent: 0, read: 0, unread: 0 };

interface Options {
  isNew?: boolean;
  language?: Language;
  change?: Partial<User>;
}

async function openPage({ isNew = true, language = 'en', change = {} }: Options = {}) {
  const api = await startApi({
    'GET /user': { body: buildUser(change) },
    'GET /messages': { body: [] },
    'GET /messages/sent': { body: [] },
    'GET /messages/stats': { body: NONE },
    'GET /recovery-codes': { body: { left: 10 } },
    'GET /passkeys': { body: [] },
    'GET /totp': { body: { enabled: false } },
    'GET /sessions': { body: [] },
    'POST /recovery-codes': { status: 201, body: { codes: ['bbbb-0001'] } },
  });
  const view = renderRoutes(
    [
      { path: '/', element: <p>elsewhere</p> },
      { path: '/profile', element: <ProfilePage /> },
      { path: '/settings/access', element: <SettingsPage /> },
    ],
    { apiRoot: api.apiRoot, language },
  );
  const state: NewAccount | null = isNew ? { isNew } : null;
  const open = (to: string) => act(() => view.router.navigate(to, { state: to === '/profile' ? state : null }));
  await open('/profile');
  return { ...view, open };
}

const row = () => screen.findByTestId('codes-row');

/** jsdom's files have no `text()`. */
const readText = (file: File) =>
  new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => {
      resolve(reader.result);
    };
    reader.readAsText(file);
  });

/** Names and texts of what is downloaded. */
function catchDownloads() {
  const files: File[] = [];
  URL.createObjectURL = (file) => {
    files.push(file as File);
    return 'blob:file';
  };
  URL.revokeObjectURL = () => undefined;
  jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  return () => Promise.all(files.map(async (file) => [file.name, await readText(file)]));
}

describe('the first page of an account', () => {
  test('a new account sees its link, copies it with one press, and no tool or number', async () => {
    const { user } = await openPage();
    const ready = within(await screen.findByRole('region', { name: 'Your page is ready' }));
    expect(ready.getByRole('heading', { level: 1 })).toHaveFocus();
    const picture = within(ready.getByRole('figure'));
    expect(picture.getByText('Noura Alali')).toBeVisible();
    expect(ready.getByTestId('profile-link')).toHaveTextContent(`${window.location.host}/m/noura`);
    const url = `${window.location.origin}/m/noura`;
    expect(ready.getByRole('link', { name: 'WhatsApp' })).toHaveAttribute(
      'href',
      `https://wa.me/?text=${encodeURIComponent(url)}`,
    );
    await user.click(ready.getByRole('button', { name: 'Copy' }));
    expect(await ready.findByRole('button', { name: 'Copied' })).toBeVisible();
    expect(await navigator.clipboard.readText()).toBe(url);
    expect(screen.queryByTestId('account-row')).toBeNull();
    expect(screen.getByRole('link', { name: 'Add a line about yourself' })).toHaveAttribute('href', '/settings');
  });

  test('an account that comes back has its dashboard', async () => {
    await openPage({ isNew: false });
    expect(await screen.findByTestId('account-row')).toBeVisible();
    expect(screen.queryByText('Your page is ready')).toBeNull();
  });
});

describe('recovery codes that are not saved', () => {
  test('the codes of a new account are saved as a file, and the row is gone at the next visit', async () => {
    const downloads = catchDownloads();
    keepUnsaved(1, CODES);
    const { user, open } = await openPage();
    expect(await row()).toHaveTextContent('They let you in if you forget your password.');
    await user.click(within(await row()).getByRole('button', { name: 'Save as a file' }));
    expect(await row()).toHaveTextContent('Saved. Keep the file where you will find it.');
    expect(await downloads()).toEqual([
      ['najwa-noura.txt', `@noura · ${window.location.host}/reset\n${CODES.join('\n')}\n`],
    ]);
    expect([{ ...sessionStorage }['recovery-codes'], { ...localStorage }['unsaved-codes']]).toEqual([
      undefined,
      undefined,
    ]);
    // A browser may not have kept it.
    await user.click(within(await row()).getByRole('button', { name: 'Save as a file' }));
    expect(await downloads()).toHaveLength(2);
    await open('/');
    await open('/profile');
    await screen.findByText('Your page is ready');
    expect(screen.queryByTestId('codes-row')).toBeNull();
  });

  test('a row put off stays above the inbox at later visits', async () => {
    keepUnsaved(1, CODES);
    const { user, unmount } = await openPage({ language: 'ar' });
    await user.click(within(await row()).getByRole('button', { name: 'لاحقًا' }));
    expect(await row()).toHaveTextContent('رموزك لم تُحفظ بعد');
    unmount();
    await openPage({ isNew: false, language: 'ar' });
    expect(within(await row()).getByRole('button', { name: 'احفظها ملفًا' })).toBeVisible();
    expect(within(await row()).queryByRole('button', { name: 'لاحقًا' })).toBeNull();
  });

  test('codes that are gone lead to new ones, which end the row once they are put away', async () => {
    keepUnsaved(1, CODES);
    sessionStorage.clear();
    const { user, open } = await openPage({ isNew: false });
    await user.click(within(await row()).getByRole('link', { name: 'New codes' }));
    await user.click(await screen.findByRole('button', { name: 'New codes' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByLabelText('Password'), 'long enough');
    await user.click(dialog.getByRole('button', { name: 'Create' }));
    expect(await screen.findByText('bbbb-0001')).toBeVisible();
    await open('/profile');
    expect(within(await row()).getByRole('button', { name: 'Save as a file' })).toBeVisible();
    await open('/settings/access#codes');
    await user.click(await screen.findByRole('checkbox', { name: 'I have put them somewhere safe' }));
    await user.click(screen.getByRole('button', { name: 'Continue to your page' }));
    expect(await screen.findByTestId('account-row')).toBeVisible();
    expect(screen.queryByTestId('codes-row')).toBeNull();
  });

  test('an app that keeps no files shows the codes', async () => {
    keepUnsaved(1, CODES);
    jest.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Instagram 300');
    const { user } = await openPage();
    await user.click(within(await row()).getByRole('link', { name: 'Show them' }));
    expect(await screen.findByText('aaaa-0002')).toBeVisible();
  });

  test('codes are shown to their account alone, and none that another tab replaced', async () => {
    keepUnsaved(1, CODES);
    expect([readCodes(1), readCodes(2)]).toEqual([CODES, null]);
    await openPage({ isNew: false, change: { id: 2 } });
    await screen.findByTestId('account-row');
    expect(screen.queryByTestId('codes-row')).toBeNull();
    const kept = sessionStorage.getItem('recovery-codes') ?? '';
    keepUnsaved(1, ['bbbb-0001']);
    sessionStorage.setItem('recovery-codes', kept);
    expect(readCodes(1)).toBeNull();
  });

  test('codes go when their account leaves, and its page leads to new ones', async () => {
    keepUnsaved(1, CODES);
    await leaveDevice(1);
    expect(readCodes(1)).toEqual(CODES);
    await leaveDevice(null);
    expect({ ...sessionStorage }['recovery-codes']).toBeUndefined();
    await openPage({ isNew: false });
    expect(within(await row()).getByRole('link', { name: 'New codes' })).toBeVisible();
  });
});
