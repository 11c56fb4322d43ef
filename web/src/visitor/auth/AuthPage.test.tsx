import { describe, expect, jest, test } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import { type Language, useLanguage } from '../../i18n/index.js';
import { readCodes } from '../../lib/unsaved-codes.js';
import { buildUser } from '../../test/factories.js';
import { renderRoutes } from '../../test/render.js';
import { startApi, type Answers } from '../../test/server.js';
import { AuthPage } from './index.js';

const VISITOR: Answers = {
  'GET /user': { status: 401, body: { message: 'Sign in first.', code: 'not_signed_in' } },
  'GET /auth-status': { body: { authenticated: true } },
};

function Toggle() {
  const { toggle } = useLanguage();
  return (
    <button type="button" onClick={() => void toggle()}>
      Other language
    </button>
  );
}

const routes = [
  {
    path: '/auth',
    element: (
      <>
        <AuthPage />
        <Toggle />
      </>
    ),
  },
  { path: '/', element: <p>the home page</p> },
  { path: '/profile', element: <p>the dashboard</p> },
];

async function openAuth({
  answers = {},
  path = '/auth',
  language = 'en',
}: { answers?: Answers; path?: string; language?: Language } = {}) {
  const api = await startApi({ ...VISITOR, ...answers });
  return { api, ...renderRoutes(routes, { apiRoot: api.apiRoot, path, language }) };
}

async function fillRegistration(
  user: Awaited<ReturnType<typeof openAuth>>['user'],
  { username = 'noura', password = 'long enough', again = 'long enough' } = {},
) {
  await user.type(screen.getByLabelText('Name'), ' Noura Alali ');
  await user.type(screen.getByLabelText('Username'), username);
  await user.type(screen.getByLabelText('Password'), password);
  await user.type(screen.getByLabelText('Confirm password'), again);
}

describe('sign-up', () => {
  test('sign-up is the default tab', async () => {
    await openAuth();
    expect(screen.getByRole('tab', { name: 'New account' })).toHaveAttribute('aria-selected', 'true');
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Create your account');
  });

  test("sign-up shows missing fields in the page's language without calling the API", async () => {
    const { user, api } = await openAuth({ language: 'ar' });
    await user.click(screen.getByRole('button', { name: 'أنشئ الحساب' }));
    expect(await screen.findAllByText('هذا الحقل مطلوب')).toHaveLength(3);
    expect(screen.getByText('يجب الموافقة على الشروط والأحكام')).toBeVisible();
    expect(screen.getByLabelText('الاسم')).toHaveFocus();
    expect(screen.getByLabelText('الاسم')).toBeInvalid();
    expect(api.callsTo('POST /register')).toHaveLength(0);
  });

  test('sign-up errors follow a change of the language', async () => {
    const { user } = await openAuth({
      answers: {
        'POST /register': { status: 409, body: { message: 'Taken.', code: 'username_taken' } },
      },
    });
    await fillRegistration(user, { again: 'other' });
    await user.click(screen.getByRole('checkbox'));
    await user.click(screen.getByRole('button', { name: 'Create account' }));
    expect(await screen.findByText('Passwords do not match')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Other language' }));
    expect(screen.getByText('كلمتا المرور غير متطابقتين')).toBeVisible();

    await user.clear(screen.getByLabelText('تأكيد كلمة المرور'));
    await user.type(screen.getByLabelText('تأكيد كلمة المرور'), 'long enough');
    await user.click(screen.getByRole('button', { name: 'أنشئ الحساب' }));
    expect(await screen.findByText('اسم المستخدم مستعمل بالفعل')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Other language' }));
    expect(screen.getByText('Username already exists')).toBeVisible();
  });

  test('sign-up refuses short or different passwords and invalid usernames', async () => {
    const { user } = await openAuth();
    await fillRegistration(user, { username: 'نورة', password: 'short', again: 'other' });
    await user.click(screen.getByRole('button', { name: 'Create account' }));
    expect(await screen.findByText('Field must be at least 8 characters')).toBeVisible();
    expect(screen.getByText('Passwords do not match')).toBeVisible();
    expect(screen.getByText('Use English letters, numbers, dot, _ and - only')).toBeVisible();
  });

  test('sign-up signs the user in and opens its page, which has the recovery codes', async () => {
    const codes = Array.from({ length: 10 }, (_, index) => `aaaa-000${String(index)}`);
    const { user, api, router } = await openAuth({
      answers: {
        'POST /register': { status: 201, body: buildUser() },
        'POST /recovery-codes': { status: 201, body: { codes } },
      },
    });
    await fillRegistration(user);
    await user.click(screen.getByRole('checkbox', { name: 'I agree to the terms of use and privacy policy' }));
    await user.click(screen.getByRole('button', { name: 'Create account' }));
    expect(await screen.findByText('the dashboard')).toBeVisible();
    expect(router.state.location.state).toEqual({ isNew: true });
    expect(await screen.findByText('Account created')).toBeVisible();
    expect(api.callsTo('POST /recovery-codes').map(({ body }) => body)).toEqual([{ password: 'long enough' }]);
    expect(readCodes(1)).toEqual(codes);
    expect(JSON.stringify({ ...localStorage })).not.toContain('aaaa-');
    const [call] = api.callsTo('POST /register');
    expect(call?.body).toEqual({
      name: 'Noura Alali',
      username: 'noura',
      password: 'long enough',
      confirmPassword: 'long enough',
      bio: '',
      terms: true,
    });
    expect(call?.headers).toMatchObject({
      'x-requested-with': 'XMLHttpRequest',
      'idempotency-key': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  test('a taken username is shown at its field, and the input stays', async () => {
    const { user } = await openAuth({
      answers: { 'POST /register': { status: 409, body: { message: 'Taken.', code: 'username_taken' } } },
    });
    await fillRegistration(user);
    await user.click(screen.getByRole('checkbox'));
    await user.click(screen.getByRole('button', { name: 'Create account' }));
    expect(await screen.findByText('Could not create the account')).toBeVisible();
    expect(screen.getByLabelText('Username')).toBeInvalid();
    expect(screen.getByLabelText('Username')).toHaveAccessibleDescription('Username already exists');
    expect(screen.getByLabelText('Username')).toHaveValue('noura');
  });

  test("the server's field errors are shown at the fields", async () => {
    const { user } = await openAuth({
      answers: {
        'POST /register': {
          status: 422,
          body: { message: 'Check these fields: name.', code: 'invalid_input', fields: { name: 'too_long' } },
        },
      },
    });
    await fillRegistration(user);
    await user.click(screen.getByRole('checkbox'));
    await user.click(screen.getByRole('button', { name: 'Create account' }));
    expect(await screen.findByText('Field must be at most 60 characters')).toBeVisible();
  });

  test('both forms keep their input while the other is open', async () => {
    const { user } = await openAuth();
    await fillRegistration(user);
    await user.click(screen.getByRole('tab', { name: 'Sign in' }));
    await user.type(screen.getByLabelText('Username'), 'layla');
    await user.click(screen.getByRole('tab', { name: 'New account' }));
    expect(screen.getByLabelText('Username')).toHaveValue('noura');
    expect(screen.getByLabelText('Confirm password')).toHaveValue('long enough');
    await user.click(screen.getByRole('tab', { name: 'Sign in' }));
    expect(screen.getByLabelText('Username')).toHaveValue('layla');
  });

  test('a new account whose recovery codes could not be created has none saved', async () => {
    const { user } = await openAuth({
      answers: {
        'POST /register': { status: 201, body: buildUser() },
        'POST /recovery-codes': { status: 403, body: { message: 'No.', code: 'not_allowed' } },
      },
    });
    await fillRegistration(user);
    await user.click(screen.getByRole('checkbox'));
    await user.click(screen.getByRole('button', { name: 'Create account' }));
    expect(await screen.findByText('the dashboard')).toBeVisible();
    expect([readCodes(1), Object.keys(localStorage)]).toEqual([null, expect.arrayContaining(['unsaved-codes'])]);
  });

  test('sign-up shows when to retry', async () => {
    const { user } = await openAuth({
      answers: {
        'POST /register': {
          status: 429,
          headers: { 'retry-after': '540' },
          body: { message: 'Slow down.', code: 'too_many_requests' },
        },
      },
    });
    await fillRegistration(user);
    await user.click(screen.getByRole('checkbox'));
    await user.click(screen.getByRole('button', { name: 'Create account' }));
    expect(await screen.findByText(/Too many attempts\. Try again in 9 minutes\./)).toBeVisible();
  });
});

describe('sign-in', () => {
  test('a link opens the sign-in or the sign-up tab', async () => {
    const { router, user } = await openAuth({ path: '/' });
    await screen.findByText('the home page');
    await act(() => router.navigate('/auth', { state: { tab: 'login' } }));
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Welcome back');
    await user.click(screen.getByRole('tab', { name: 'New account' }));
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Create your account');
  });

  test('sign-in shows a busy button, a welcome toast, and then the home page', async () => {
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const { user, api } = await openAuth({
      path: '/auth?tab=login',
      answers: {
        'POST /login': async () => {
          await held;
          return { body: buildUser() };
        },
      },
    });
    await user.type(screen.getByLabelText('Username'), 'noura');
    await user.type(screen.getByLabelText('Password'), 'long enough');
    await user.click(screen.getByRole('button', { name: 'Sign in' }));
    const busy = await screen.findByRole('button', { name: 'Logging in' });
    expect(busy).toHaveAttribute('aria-disabled', 'true');
    expect(busy).toHaveAttribute('aria-busy', 'true');
    expect(busy).toHaveFocus();
    await user.keyboard('{Enter}');
    await user.type(screen.getByLabelText('Password'), '{Enter}');
    expect(api.callsTo('POST /login')).toHaveLength(1);
    answer();
    expect(await screen.findByText('Signed in')).toBeVisible();
    expect(screen.getByText('Welcome back!')).toBeVisible();
    expect(await screen.findByText('the home page')).toBeVisible();
  });

  test('a failed sign-in shows in a toast and in the form', async () => {
    const { user, router } = await openAuth({
      path: '/auth?tab=login',
      answers: { 'POST /login': { status: 401, body: { message: 'Wrong.', code: 'wrong_credentials' } } },
    });
    await user.type(screen.getByLabelText('Username'), 'noura');
    await user.type(screen.getByLabelText('Password'), 'wrong');
    await user.click(screen.getByRole('button', { name: 'Sign in' }));
    expect(await screen.findByText('Login failed')).toBeVisible();
    expect(screen.getByText(/401.*: Wrong username or password\./)).toBeVisible();
    expect(screen.getByText('Login failed with status: 401')).toBeVisible();
    expect(router.state.location.pathname).toBe('/auth');
  });

  test('sign-in says that the server does not answer', async () => {
    // The browser's console shows the failed request.
    jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const { user } = await openAuth({ path: '/auth?tab=login', answers: { 'POST /login': 'none' }, language: 'ar' });
    await user.type(screen.getByLabelText('اسم المستخدم'), 'noura');
    await user.type(screen.getByLabelText('كلمة المرور'), 'long enough');
    await user.click(screen.getByRole('button', { name: 'تسجيل الدخول' }));
    // In the toast and in the form.
    await waitFor(() => {
      expect(screen.getAllByText('تعذّر الاتصال بالخادم.')).toHaveLength(2);
    });
  });

  test('sign-in solves a proof of work', async () => {
    const { user, api } = await openAuth({
      path: '/auth?tab=login',
      answers: {
        'POST /login': ({ headers }) =>
          headers['proof-of-work'] === undefined
            ? {
                status: 429,
                body: { message: 'Solve this first.', code: 'proof_required', proof: { challenge: 'a.b', bits: 8 } },
              }
            : { body: buildUser() },
      },
    });
    await user.type(screen.getByLabelText('Username'), 'noura');
    await user.type(screen.getByLabelText('Password'), 'long enough');
    await user.click(screen.getByRole('button', { name: 'Sign in' }));
    expect(await screen.findByText('Signed in')).toBeVisible();
    expect(screen.queryByText('Login failed')).toBeNull();
    expect(api.callsTo('POST /login').map(({ headers }) => headers['proof-of-work'])).toEqual([
      undefined,
      expect.stringMatching(/^a\.b\.\d+$/),
    ]);
  });

  test('sign-in asks for the code of the second step', async () => {
    const { user, api } = await openAuth({
      path: '/auth?tab=login',
      answers: {
        'POST /login': ({ body }) => {
          const { code } = body as { code?: string };
          if (code === '123456') return { body: buildUser() };
          const fields = code === undefined ? {} : { fields: { code: 'wrong' } };
          return { status: 401, body: { message: 'A code.', code: 'totp_required', ...fields } };
        },
      },
    });
    await user.type(screen.getByLabelText('Username'), 'noura');
    await user.type(screen.getByLabelText('Password'), 'long enough');
    await user.click(screen.getByRole('button', { name: 'Sign in' }));
    const code = await screen.findByLabelText('Code from your authenticator app');
    expect(screen.queryByText('Login failed')).toBeNull();
    await user.type(code, '000000');
    await user.click(screen.getByRole('button', { name: 'Sign in' }));
    expect(await screen.findByText(/^That code is not right\./)).toBeVisible();
    await user.clear(code);
    await user.type(code, '123456');
    await user.click(screen.getByRole('button', { name: 'Sign in' }));
    expect(await screen.findByText('Signed in')).toBeVisible();
    expect(api.callsTo('POST /login').map(({ body }) => body)).toEqual([
      { username: 'noura', password: 'long enough' },
      { username: 'noura', password: 'long enough', code: '000000' },
      { username: 'noura', password: 'long enough', code: '123456' },
    ]);
  });

  test('sign-in checks the session and the user again shortly after', async () => {
    const { user, api } = await openAuth({
      path: '/auth?tab=login',
      answers: { 'POST /login': { body: buildUser() } },
    });
    await waitFor(() => {
      expect(api.callsTo('GET /auth-status')).toHaveLength(1);
    });
    await user.type(screen.getByLabelText('Username'), 'noura');
    await user.type(screen.getByLabelText('Password'), 'long enough');
    await user.click(screen.getByRole('button', { name: 'Sign in' }));
    await waitFor(() => {
      // The session alone, then the user, which is queried through the session.
      expect(api.callsTo('GET /auth-status')).toHaveLength(3);
    });
  });

  test('the passwords of both forms are shown and hidden together', async () => {
    const { user } = await openAuth({ path: '/auth?tab=login' });
    expect(screen.getByLabelText('Password')).toHaveAttribute('type', 'password');
    await user.click(screen.getByRole('button', { name: 'Show password' }));
    expect(screen.getByLabelText('Password')).toHaveAttribute('type', 'text');
    await user.click(screen.getByRole('link', { name: 'Create one' }));
    expect(screen.getByLabelText('Confirm password')).toHaveAttribute('type', 'text');
  });

  test('the sign-in page redirects signed-in users to the home page', async () => {
    await openAuth({ answers: { 'GET /user': { body: buildUser() } } });
    expect(await screen.findByText('the home page')).toBeVisible();
  });
});
