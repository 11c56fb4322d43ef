import { afterEach, describe, expect, test } from '@jest/globals';
import { profileFields } from '@najwa/proto/http';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import type { Language } from '../../i18n/index.js';
import { buildUser } from '../../test/factories.js';
import { renderRoutes } from '../../test/render.js';
import { startApi, type Answers } from '../../test/server.js';
import { RequireUser } from '../../shared/session/index.js';
import type { Session } from './api.js';
import { SettingsPage } from './index.js';

const MEGABYTE = 1024 * 1024;

const here: Session = {
  id: '5e0d3a52-8f8e-4d0a-9c8b-0d6f4f9b7a01',
  device: { browser: 'Chrome', operatingSystem: 'Linux', kind: 'desktop' },
  createdAt: '2026-01-01T10:00:00.000Z',
  lastSeen: new Date().toISOString(),
  isCurrent: true,
};

const elsewhere: Session = {
  ...here,
  id: '5e0d3a52-8f8e-4d0a-9c8b-0d6f4f9b7a02',
  device: { browser: 'Safari', operatingSystem: 'iOS', kind: 'mobile' },
  isCurrent: false,
};

const passkey = {
  id: '5e0d3a52-8f8e-4d0a-9c8b-0d6f4f9b7a03',
  device: here.device,
  createdAt: here.createdAt,
  lastUsedAt: null,
};

const routes = [
  { path: '/auth', element: <p>sign-in page</p> },
  { element: <RequireUser />, children: [{ path: '/settings/*', element: <SettingsPage /> }] },
];

async function openSettings({
  answers = {},
  language = 'en',
  path = '/settings',
}: { answers?: Answers; language?: Language; path?: string } = {}) {
  const api = await startApi({
    'GET /user': { body: buildUser() },
    'GET /sessions': { body: [elsewhere, here] },
    'GET /passkeys': { body: [] },
    'GET /totp': { body: { isOn: false } },
    ...answers,
  });
  const view = renderRoutes(routes, { apiRoot: api.apiRoot, path, language });
  await screen.findByRole('heading', { level: 1 });
  return { api, ...view };
}

const picture = (name: string, type: string, bytes = 10) => new File([new Uint8Array(bytes)], name, { type });

describe('profile settings', () => {
  test('the profile form shows the gender as read-only', async () => {
    await openSettings({ language: 'ar', answers: { 'GET /user': { body: buildUser({ visitorCount: 1284 }) } } });
    expect(screen.getByLabelText('الاسم')).toHaveValue('Noura Alali');
    expect(screen.getByText(/^الجنس\s+أنثى\s+للقراءة فقط/)).toBeVisible();
    expect(screen.queryByRole('textbox', { name: 'الجنس' })).toBeNull();
    expect(screen.getByText('١٬٢٨٤ زيارة لصفحتك')).toBeVisible();
    expect(screen.getByText('تاريخ الانضمام ٤ مارس ٢٠٢٥')).toBeVisible();
  });

  test('readers of Arabic choose their digits, which stay on the device', async () => {
    const { user } = await openSettings({ language: 'ar' });
    expect(screen.getByRole('radio', { name: '١٢٣' })).toBeChecked();
    await user.click(screen.getByRole('radio', { name: '123' }));
    expect([document.documentElement.dataset['digits'], localStorage.getItem('digits')]).toEqual([
      'western',
      'western',
    ]);
    expect(screen.getByRole('radio', { name: '123' })).toBeChecked();
  });

  test('the profile form has an input for every editable field', async () => {
    await openSettings();
    const inputs = screen.getAllByRole('textbox').map((input) => input.getAttribute('name'));
    const fields = Object.keys(profileFields).filter((name) => name !== 'gender');
    expect(inputs).toEqual(expect.arrayContaining(fields));
  });

  test("a saved profile shows the server's version", async () => {
    const { user, api } = await openSettings({
      answers: { 'PATCH /users': { body: buildUser({ name: 'Noura', bio: 'I ask.' }) } },
    });
    await user.clear(screen.getByLabelText('Name'));
    await user.type(screen.getByLabelText('Name'), '  Noura ');
    await user.type(screen.getByLabelText('Bio'), 'I ask.');
    await user.click(screen.getByRole('button', { name: 'Save changes' }));
    expect(await screen.findByText('Changes saved')).toBeVisible();
    expect(screen.getByLabelText('Name')).toHaveValue('Noura');
    expect(api.callsTo('PATCH /users').map(({ body }) => body)).toEqual([{ name: 'Noura', bio: 'I ask.' }]);
  });

  test('the profile form sends only edited fields, and shows changes made elsewhere', async () => {
    let stored = buildUser({ bio: 'the first' });
    const { user, api } = await openSettings({
      answers: {
        'GET /user': () => ({ body: stored }),
        'PATCH /users': ({ body }) => {
          stored = { ...stored, ...(body as object) };
          return { body: stored };
        },
      },
    });
    await user.type(screen.getByLabelText('Name'), ' typed');
    stored = buildUser({ bio: 'from another device' });
    window.dispatchEvent(new Event('focus'));
    await waitFor(() => {
      expect(screen.getByLabelText('Bio')).toHaveValue('from another device');
    });
    expect(screen.getByLabelText('Name')).toHaveValue('Noura Alali typed');
    // One more that this page has not read yet.
    stored = buildUser({ bio: 'the newest' });
    await user.click(screen.getByRole('button', { name: 'Save changes' }));
    expect(await screen.findByText('Changes saved')).toBeVisible();
    expect(api.callsTo('PATCH /users').map(({ body }) => body)).toEqual([{ name: 'Noura Alali typed' }]);
    expect(screen.getByLabelText('Bio')).toHaveValue('the newest');
  });

  test('an unchanged profile form sends nothing', async () => {
    const { user, api } = await openSettings();
    await user.click(screen.getByRole('button', { name: 'Save changes' }));
    expect(await screen.findByText('Changes saved')).toBeVisible();
    expect(api.callsTo('PATCH /users')).toHaveLength(0);
  });

  test('the profile form keeps input typed while saving', async () => {
    let answer: () => void = () => undefined;
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const { user } = await openSettings({
      answers: {
        'PATCH /users': async () => {
          await isAnswered;
          return { body: buildUser({ bio: 'I ask.' }) };
        },
      },
    });
    await user.type(screen.getByLabelText('Bio'), 'I ask. ');
    await user.click(screen.getByRole('button', { name: 'Save changes' }));
    await user.type(screen.getByLabelText('Bio'), 'And you?');
    answer();
    expect(await screen.findByText('Changes saved')).toBeVisible();
    expect(screen.getByLabelText('Bio')).toHaveValue('I ask. And you?');
  });

  test('a profile that failed to save shows why and keeps the input', async () => {
    const { user } = await openSettings({
      answers: {
        'PATCH /users': {
          status: 429,
          headers: { 'retry-after': '120' },
          body: { message: 'Slow down.', code: 'too_many_requests' },
        },
      },
    });
    await user.type(screen.getByLabelText('Bio'), 'I ask.');
    await user.click(screen.getByRole('button', { name: 'Save changes' }));
    expect(await screen.findByText('Error while saving: Too many attempts. Try again in 2 minutes.')).toBeVisible();
    expect(screen.getByLabelText('Bio')).toHaveValue('I ask.');
  });

  test('the profile form requires a name', async () => {
    const { user, api } = await openSettings();
    await user.clear(screen.getByLabelText('Name'));
    await user.click(screen.getByRole('button', { name: 'Save changes' }));
    expect(await screen.findByText('This field is required')).toBeVisible();
    expect(api.callsTo('PATCH /users')).toHaveLength(0);
  });
});

describe('what is typed and not saved yet', () => {
  test.each([
    ['', 'Bio', 'I ask.'],
    ['', 'Address', 'noura@mail.example'],
    ['/receiving', 'A word from you to those', 'Back in December.'],
    ['/receiving', 'Your words', 'lottery'],
    ['/questions', 'New question', 'What should I read next?'],
  ])('is there again after another section, and after a reload (%s, %s)', async (path, label, typed) => {
    const answers: Answers = {
      'GET /users/receiving': {
        body: {
          ...{ from: 'everyone', minimumDays: 7, notice: '', presence: 'coarse', readReceipts: true },
          conversations: true,
        },
      },
      'GET /filters': { body: { words: [], lists: [] } },
      'GET /blocks': { body: [] },
      'GET /reports': { body: [] },
      'GET /prompts': { body: [] },
    };
    const here = `/settings${path}`;
    const { user, router } = await openSettings({ answers, path: here });
    await user.type(await screen.findByLabelText(label, { exact: false, selector: 'input, textarea' }), typed);
    await act(async () => {
      await router.navigate('/settings/access');
    });
    await screen.findAllByTestId('session');
    await act(async () => {
      await router.navigate(here);
    });
    const field = () => screen.findByLabelText(label, { exact: false, selector: 'input, textarea' });
    expect(await field()).toHaveValue(typed);
    cleanup();
    await openSettings({ answers, path: here });
    await waitFor(async () => expect(await field()).toHaveValue(typed));
    await user.clear(await field());
    await waitFor(() => expect(sessionStorage).toHaveLength(0));
  });
});

describe('avatar settings', () => {
  test('a new photo is previewed and saved with the profile', async () => {
    const { user, api } = await openSettings({
      answers: { 'PATCH /users': { body: buildUser({ avatar: '/image/a.webp' }) } },
    });
    expect(screen.queryByRole('button', { name: 'Remove photo' })).toBeNull();
    await user.upload(screen.getByTestId('image-file'), picture('me.png', 'image/png'));
    expect(await screen.findByRole('button', { name: 'Remove photo' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Save changes' }));
    expect(await screen.findByText('Changes saved')).toBeVisible();
    expect(api.callsTo('PATCH /users')[0]?.body).toMatchObject({
      avatar: expect.stringMatching(/^data:image\/png;base64,/),
    });
  });

  test('a chosen photo is there again after another section and a reload, until it is saved', async () => {
    const answers = { 'PATCH /users': { body: buildUser({ avatar: '/image/a.webp' }) } };
    const { user, router } = await openSettings({ answers });
    await user.upload(screen.getByTestId('image-file'), picture('me.png', 'image/png'));
    await waitFor(() => expect(sessionStorage).toHaveLength(1));
    await act(() => router.navigate('/settings/data'));
    await act(() => router.navigate('/settings'));
    expect(await screen.findByRole('button', { name: 'Remove photo' })).toBeVisible();
    cleanup();
    const again = await openSettings({ answers });
    expect(await screen.findByRole('button', { name: 'Remove photo' })).toBeVisible();
    await again.user.click(screen.getByRole('button', { name: 'Save changes' }));
    expect(await screen.findByText('Changes saved')).toBeVisible();
    expect(again.api.callsTo('PATCH /users')[0]?.body).toMatchObject({
      avatar: expect.stringMatching(/^data:image\/png;base64,/),
    });
    await waitFor(() => expect(sessionStorage).toHaveLength(0));
  });

  test('the photo can be removed', async () => {
    const { user, api } = await openSettings({
      answers: { 'GET /user': { body: buildUser({ avatar: '/image/a.webp' }) }, 'PATCH /users': { body: buildUser() } },
    });
    await user.click(screen.getByRole('button', { name: 'Remove photo' }));
    expect(screen.queryByRole('button', { name: 'Remove photo' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Save changes' }));
    expect(await screen.findByText('Changes saved')).toBeVisible();
    expect(api.callsTo('PATCH /users')[0]?.body).toMatchObject({ avatar: null });
  });

  test.each<[Language, string, object, string]>([
    ['en', 'image_too_large', { maxBytes: 2 * MEGABYTE }, 'Error while saving: Image should be less than 2MB'],
    ['ar', 'image_too_large', { maxBytes: 2 * MEGABYTE }, 'يجب أن تكون الصورة أقل من ٢ ميغابايت.'],
    ['en', 'image_too_many_frames', {}, 'The animation has more than 500 frames.'],
    ['ar', 'image_too_many_frames', {}, 'في الصورة المتحركة أكثر من ٥٠٠ إطار.'],
    ['en', 'image_is_heic', {}, 'HEIC images cannot be read here. Send it as JPEG or PNG.'],
    ['ar', 'image_is_heic', {}, 'لا يمكن قراءة صور HEIC هنا.'],
    ['en', 'image_is_tiff', {}, 'TIFF images cannot be read here.'],
    ['ar', 'image_is_tiff', {}, 'لا يمكن قراءة صور TIFF هنا.'],
    ['en', 'image_too_deep', {}, 'AVIF images of more than 8 bits cannot be read here.'],
    ['ar', 'image_too_deep', {}, 'لا يمكن قراءة صور AVIF التي تتجاوز ٨ بت هنا.'],
    ['en', 'image_damaged', {}, 'The image is damaged.'],
    ['ar', 'image_damaged', {}, 'الصورة تالفة.'],
  ])('says in %s why the server refused a photo: %s', async (language, code, limits, text) => {
    const { user } = await openSettings({
      language,
      answers: { 'PATCH /users': { status: 422, body: { message: 'Refused.', code, ...limits } } },
    });
    await user.upload(screen.getByTestId('image-file'), picture('me.png', 'image/png'));
    const save = language === 'en' ? 'Save changes' : 'احفظ التغييرات';
    await user.click(await screen.findByRole('button', { name: save }));
    expect(await screen.findByTestId('toast')).toHaveTextContent(text);
  });

  test('a photo must be an image under 2 MB', async () => {
    const { user } = await openSettings();
    await user.upload(screen.getByTestId('image-file'), picture('large.png', 'image/png', 2 * MEGABYTE + 1));
    expect(await screen.findByText('File size too large')).toBeVisible();
    expect(screen.getByText('The image must be under 2 MB')).toBeVisible();
    const anyFile = screen.getByTestId('image-file');
    anyFile.removeAttribute('accept');
    await user.upload(anyFile, picture('notes.txt', 'text/plain'));
    expect(await screen.findByText('Unsupported file type')).toBeVisible();
    expect(screen.getByText('Please upload an image only')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Remove photo' })).toBeNull();
  });
});

describe('email settings', () => {
  test('the email is saved alone, and only if it is not empty', async () => {
    const { user, api } = await openSettings({
      answers: { 'PATCH /users': { body: buildUser({ email: 'noura@mail.example' }) } },
    });
    expect(screen.getByRole('button', { name: 'Update' })).toBeDisabled();
    expect(screen.getByLabelText('Address')).toHaveAttribute('placeholder', 'Not available');
    await user.type(screen.getByLabelText('Address'), 'Noura@mail.example');
    await user.click(screen.getByRole('button', { name: 'Update' }));
    expect(await screen.findByText('Email updated')).toBeVisible();
    expect(screen.getByLabelText('Address')).toHaveValue('noura@mail.example');
    expect(api.callsTo('PATCH /users').map(({ body }) => body)).toEqual([{ email: 'Noura@mail.example' }]);
  });

  test('a typed address stays while the bio changes elsewhere', async () => {
    let stored = buildUser();
    const { user } = await openSettings({ answers: { 'GET /user': () => ({ body: stored }) } });
    await user.type(screen.getByLabelText('Address'), 'noura@');
    stored = buildUser({ bio: 'from another device', email: 'old@mail.example' });
    window.dispatchEvent(new Event('focus'));
    await waitFor(() => {
      expect(screen.getByLabelText('Bio')).toHaveValue('from another device');
    });
    expect(screen.getByLabelText('Address')).toHaveValue('noura@');
  });

  test('an invalid address is shown at its field', async () => {
    const { user } = await openSettings({
      answers: {
        'PATCH /users': {
          status: 422,
          body: { message: 'Check these fields: email.', code: 'invalid_input', fields: { email: 'not_an_email' } },
        },
      },
    });
    await user.type(screen.getByLabelText('Address'), 'noura@mail.example');
    await user.click(screen.getByRole('button', { name: 'Update' }));
    expect(await screen.findByText('Error while updating email: Check the fields and try again.')).toBeVisible();
    expect(screen.getByLabelText('Address')).toHaveAccessibleDescription('Write an address like name@example.com');
  });

  test('a verified address has a badge', async () => {
    await openSettings({ answers: { 'GET /user': { body: buildUser({ isVerified: true }) } } });
    expect(screen.getByText('Verified account')).toBeVisible();
  });
});

const openAccess = (options: { answers?: Answers } = {}) => openSettings({ ...options, path: '/settings/access' });

describe('password settings', () => {
  async function change(
    user: Awaited<ReturnType<typeof openSettings>>['user'],
    current: string,
    next: string,
    again = next,
  ) {
    await user.type(screen.getByLabelText('Current password'), current);
    await user.type(screen.getByLabelText('New password'), next);
    await user.type(screen.getByLabelText('Confirm new password'), again);
    await user.click(screen.getByRole('button', { name: 'Change password' }));
  }

  test('a changed password removes the other sessions from the list', async () => {
    let sessions = [elsewhere, here];
    const { user, api } = await openAccess({
      answers: {
        'GET /sessions': () => ({ body: sessions }),
        'PUT /users/password': () => {
          sessions = [here];
          return { status: 204 };
        },
      },
    });
    await change(user, 'long enough', 'longer than that');
    expect(await screen.findByText('Password changed')).toBeVisible();
    expect(screen.getByText('Your sessions on other devices have ended.')).toBeVisible();
    expect(screen.getByLabelText('Current password')).toHaveValue('');
    await waitFor(() => {
      expect(screen.getAllByTestId('session')).toHaveLength(1);
    });
    expect(api.callsTo('PUT /users/password').map(({ body }) => body)).toEqual([
      { currentPassword: 'long enough', newPassword: 'longer than that' },
    ]);
  });

  test('a new password needs its length and repetition', async () => {
    const { user, api } = await openAccess();
    await change(user, 'long enough', 'short', 'other');
    expect(await screen.findByText('Field must be at least 8 characters')).toBeVisible();
    expect(screen.getByText('Passwords do not match')).toBeVisible();
    expect(api.callsTo('PUT /users/password')).toHaveLength(0);
  });

  test('a wrong current password is shown', async () => {
    const { user } = await openAccess({
      answers: {
        'PUT /users/password': {
          status: 422,
          body: { message: 'Wrong.', code: 'wrong_password', fields: { currentPassword: 'wrong' } },
        },
      },
    });
    await change(user, 'a guess', 'longer than that');
    expect(await screen.findByText('Could not change the password')).toBeVisible();
    expect(screen.getByLabelText('Current password')).toHaveAccessibleDescription('The current password is wrong.');
    expect(screen.getByLabelText('Current password')).toHaveFocus();
  });
});

describe('the second step', () => {
  test('the second step is turned off with a recovery code as well, which needs letters', async () => {
    const { user, api } = await openAccess({
      answers: { 'GET /totp': { body: { isOn: true } }, 'DELETE /totp': { status: 204 } },
    });
    await user.click(await screen.findByRole('button', { name: 'Turn off' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Turn off the second step' }));
    const code = dialog.getByLabelText('Code from your authenticator app');
    expect(code).toHaveAttribute('inputmode', 'text');
    await user.type(code, 'h4kq-7mxw');
    await user.click(dialog.getByRole('button', { name: 'Turn off' }));
    expect(await screen.findByText('The second step is off')).toBeVisible();
    expect(api.callsTo('DELETE /totp').map(({ body }) => body)).toEqual([{ code: 'h4kq-7mxw' }]);
  });
});

describe('adding a passkey', () => {
  const credentials = Object.getOwnPropertyDescriptor(navigator, 'credentials');

  afterEach(() => {
    Reflect.deleteProperty(window, 'PublicKeyCredential');
    if (credentials === undefined) Reflect.deleteProperty(navigator, 'credentials');
    else Object.defineProperty(navigator, 'credentials', credentials);
  });

  /** Opens the settings in a browser whose answer is an error of this name. */
  async function addPasskey(name: string) {
    Object.assign(window, { PublicKeyCredential: () => undefined });
    const create = () => Promise.reject(Object.assign(new Error('The browser says no.'), { name }));
    Object.defineProperty(navigator, 'credentials', { configurable: true, value: { create } });
    const { user } = await openAccess({
      answers: {
        'GET /passkeys': { body: [] },
        'POST /passkeys/options': {
          body: {
            rp: { name: 'Najwa', id: 'localhost' },
            user: { id: 'AAAA', name: 'noura', displayName: 'noura' },
            challenge: 'AAAA',
            pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
          },
        },
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Add a passkey' }));
  }

  test('a passkey that exists already says so', async () => {
    await addPasskey('InvalidStateError');
    expect(await screen.findByText('This passkey is already here')).toBeVisible();
  });

  test('a closed passkey dialog shows no failure', async () => {
    await addPasskey('NotAllowedError');
    expect(await screen.findByText('No passkey was added')).toBeVisible();
    expect(screen.queryByText('The passkey did not finish')).toBeNull();
  });

  test('a passkey that the browser failed to create asks to try again', async () => {
    await addPasskey('UnknownError');
    expect(await screen.findByText('The passkey did not finish')).toBeVisible();
  });
});

describe('sessions', () => {
  test('sessions list this device first, without a button to end it', async () => {
    await openAccess();
    const rows = await screen.findAllByTestId('session');
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^Chrome on LinuxLast seen .+This device$/),
      expect.stringMatching(/^Safari on iOSLast seen .+End$/),
    ]);
    expect(screen.getAllByRole('button', { name: /^End the session of/ })).toHaveLength(1);
  });

  test('one session is ended, even if it had ended before', async () => {
    let sessions = [elsewhere, here];
    const { user } = await openAccess({
      answers: {
        'GET /sessions': () => ({ body: sessions }),
        [`DELETE /sessions/${elsewhere.id}`]: () => {
          sessions = [here];
          return { status: 404, body: { message: 'Ended.', code: 'session_not_found' } };
        },
      },
    });
    await user.click(await screen.findByRole('button', { name: 'End the session of Safari on iOS' }));
    expect(await screen.findByText('Session ended')).toBeVisible();
    await waitFor(() => {
      expect(screen.getAllByTestId('session')).toHaveLength(1);
    });
    expect(screen.queryByRole('button', { name: 'End all other sessions' })).toBeNull();
  });

  test('all other sessions are ended after a confirmation', async () => {
    const { user, api } = await openAccess({ answers: { 'DELETE /sessions': { status: 204 } } });
    await user.click(await screen.findByRole('button', { name: 'End all other sessions' }));
    const question = within(screen.getByRole('alertdialog', { name: 'End all other sessions?' }));
    expect(api.callsTo('DELETE /sessions')).toHaveLength(0);
    await user.click(question.getByRole('button', { name: 'End all other sessions' }));
    expect(await screen.findByText('The other sessions have ended')).toBeVisible();
    expect(api.callsTo('DELETE /sessions')).toHaveLength(1);
  });

  test('the session list shows a load error and retries', async () => {
    let ready = false;
    const { user } = await openAccess({
      answers: {
        'GET /sessions': () =>
          ready ? { body: [here] } : { status: 403, body: { message: 'No.', code: 'not_allowed' } },
      },
    });
    expect(await screen.findByText('Could not load this: You are not allowed to do this.')).toBeVisible();
    ready = true;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByTestId('session')).toBeVisible();
  });

  test.each([
    ['GET /sessions', [here], () => screen.findByTestId('session')],
    ['GET /totp', { isOn: true }, () => screen.findByText('On')],
    ['GET /passkeys', [passkey], () => screen.findByTestId('passkey')],
  ] as const)('shows that %s is tried again, and says nothing that it does not know', async (route, body, found) => {
    let attempts = 0;
    let answer = (): void => undefined;
    const { user } = await openAccess({
      answers: {
        [route]: async () => {
          attempts += 1;
          if (attempts === 1) return { status: 403, body: { message: 'No.', code: 'not_allowed' } };
          await new Promise<void>((resolve) => {
            answer = resolve;
          });
          return { body };
        },
      },
    });
    const again = await screen.findByRole('button', { name: 'Try again' });
    if (route === 'GET /totp') expect(screen.queryByText('Off')).toBeNull();
    await user.click(again);
    expect(await screen.findByRole('button', { name: 'Loading' })).toHaveAttribute('aria-busy', 'true');
    expect(again).toHaveFocus();
    await waitFor(() => {
      expect(attempts).toBe(2);
    });
    answer();
    expect(await found()).toBeVisible();
  });
});
