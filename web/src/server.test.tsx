import './test/setup.js';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { fireEvent, renderHook, screen, waitFor } from '@testing-library/react';
import { act, StrictMode } from 'react';
import { hydrateRoot, type Root } from 'react-dom/client';
import { Provider } from 'react-redux';
import { App } from './shell/App.js';
import { type PageData, PublicRoot } from './shell/PublicRoot.js';
import { createStore, type Store } from './api/store.js';
import { createI18n, type Language } from './i18n/index.js';
import { useGetUserQuery } from './shared/session/index.js';
import { renderPublicPage, renderSignIn } from './server.js';
import { buildProfile } from './test/factories.js';
import { HOSTILE_TEXTS, strangeMarkup } from './test/hostile.js';
import { published } from './test/open-public-page.js';
import { startApi } from './test/server.js';
import { allTexts } from './test/texts.js';

const LANGUAGES = ['ar', 'en'] as const;

const HOUR = 3_600_000;

/** The page may be older than its data. */
const pageData = (changes: Partial<PageData> = {}): PageData => ({
  profile: buildProfile({
    isOnline: false,
    lastOnline: new Date(Date.now() - 5 * HOUR).toISOString(),
    bio: 'a bio',
    isVerified: true,
  }),
  messages: { items: [published], link: null, total: 1 },
  ...changes,
});

const ASKED = 4;

const requestOf = (language: Language, data: PageData) => ({
  language,
  pathname: '/m/noura',
  username: 'noura',
  data,
  asked: ASKED,
  renderedAt: Date.now() - 2 * HOUR,
});

describe.each(LANGUAGES)('the rendered page (%s)', (language) => {
  let root: Root | undefined;
  afterEach(() => {
    act(() => root?.unmount());
    document.body.innerHTML = '';
    jest.restoreAllMocks();
  });

  async function hydrate(data: PageData, prepare?: (store: Store) => Promise<unknown>) {
    const request = requestOf(language, data);
    const { body } = await renderPublicPage(request);
    document.body.innerHTML = `<div id="root" data-rendered>${body}</div>`;
    const container = document.getElementById('root')!;
    const before = container.textContent;
    const api = await startApi({ 'GET /auth-status': { body: { authenticated: false } } });
    const store = createStore({ apiRoot: api.apiRoot });
    await prepare?.(store);
    const warnings = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const faults: unknown[] = [];
    // Parts read their texts with React's use().
    await act(async () => {
      await Promise.resolve();
      root = hydrateRoot(
        container,
        <StrictMode>
          <App store={store} i18n={createI18n({ language, texts: allTexts })} renderedAt={request.renderedAt}>
            <PublicRoot pathname="/m/noura" username="noura" asked={request.asked} data={data} />
          </App>
        </StrictMode>,
        { onRecoverableError: (fault) => void faults.push(fault) },
      );
    });
    await waitFor(() => {
      expect(container.hasAttribute('data-rendered')).toBe(false);
    });
    return { container, before, warnings, faults };
  }

  test.each([
    ['of an account', pageData()],
    [
      'of a verified administrator',
      pageData({ profile: buildProfile({ isAdmin: true, isVerified: true, lastOnline: null }) }),
    ],
    [
      'with a question',
      pageData({ profile: buildProfile({ prompts: [{ id: ASKED, content: 'What should I read next?' }] }) }),
    ],
    ['without messages', pageData({ messages: { items: [], link: null, total: 0 } })],
    ['of nobody', { profile: null }],
  ])('%s is taken over as it is', async (_title, data) => {
    const { before, warnings, faults } = await hydrate(data);
    expect(faults).toEqual([]);
    // Server and client share contexts only in this process.
    expect(warnings.mock.calls.filter(([text]) => !String(text).startsWith('Detected multiple renderers'))).toEqual([]);
    expect(before).not.toBe('');
  });

  test('the rendered page shows sign-in links, even if the session was known before the header loaded', async () => {
    const { warnings } = await hydrate(pageData(), async (store) => {
      const { result, unmount } = renderHook(() => useGetUserQuery(), {
        wrapper: ({ children }) => <Provider store={store}>{children}</Provider>,
      });
      await waitFor(() => {
        expect(result.current.isSuccess).toBe(true);
      });
      unmount();
    });
    expect(await screen.findByRole('link', { name: allTexts[language].common.header.signIn })).toBeVisible();
    expect(warnings.mock.calls.filter(([text]) => String(text).includes('hydrat'))).toEqual([]);
  });

  test('the rendered page keeps input typed before hydration, with the caret', async () => {
    const { publicPage } = allTexts[language];
    const fieldOf = () => screen.getByLabelText<HTMLTextAreaElement>(publicPage.composer.label);
    await hydrate(pageData(), () => {
      // As a browser does, without an event for React.
      const field = fieldOf();
      Reflect.set(HTMLTextAreaElement.prototype, 'value', 'first last', field);
      field.setSelectionRange(5, 5);
      return Promise.resolve();
    });
    const field = fieldOf();
    expect(field).toHaveValue('first last');
    expect(field.selectionStart).toBe(5);
    expect(screen.getByTestId('counter')).toHaveAccessibleName(language === 'ar' ? '١٠ من ٧٠٠' : '10 of 700');
    expect(screen.getByRole('button', { name: publicPage.composer.send })).toBeEnabled();
    fireEvent.change(field, { target: { value: 'first and last' } });
    expect(field).toHaveValue('first and last');
  });

  test('the rendered page has the name, the bio, the messages and the replies', async () => {
    const { body, styles } = await renderPublicPage(requestOf(language, pageData()));
    for (const text of ['Noura Alali', 'a bio', published.content, published.reply.content])
      expect(body).toContain(text);
    expect(styles).toMatch(/^<style data-styled="true"[^>]*>[\s\S]+<\/style>$/);
    expect(body).not.toContain('<script');
  });

  test('the rendered page has the linked question, and no other', async () => {
    const prompts = [
      { id: ASKED, content: 'What should I read next?' },
      { id: 5, content: 'Where should I travel?' },
    ];
    const { body } = await renderPublicPage(requestOf(language, pageData({ profile: buildProfile({ prompts }) })));
    expect(body).toContain('What should I read next?');
    expect(body).not.toContain('Where should I travel?');
  });
});

describe.each(LANGUAGES)('the rendered page of a form that was sent (%s)', (language) => {
  const { auth, access, ownErrors } = allTexts[language];
  const error = { status: 401, code: 'wrong_credentials' as const, message: 'No.', retryAfter: null };

  async function read(path: string, data: Parameters<typeof renderSignIn>[0]['data']) {
    const { body, title } = await renderSignIn({ language, path, data, renderedAt: Date.now() });
    document.body.innerHTML = body;
    expect(strangeMarkup(document)).toEqual([]);
    return title;
  }
  const form = () => document.querySelector('form')!;
  const field = (name: string) => form().querySelector<HTMLInputElement>(`[name="${name}"]`)!;
  const reasonAt = (name: string) =>
    document.getElementById(field(name).getAttribute('aria-describedby') ?? '')?.textContent;
  afterEach(() => {
    document.body.innerHTML = '';
  });

  test('a refused sign-in renders the reason and the username', async () => {
    const title = await read('/auth?tab=login', { refused: { kept: { username: 'noura' }, error } });
    expect(title).toContain(auth.tabs.login);
    expect([form().method, form().getAttribute('action'), form().noValidate]).toEqual([
      'post',
      '/auth?tab=login',
      false,
    ]);
    expect([field('username').value, field('password').value]).toEqual(['noura', '']);
    expect(screen.getByTestId('refused')).toHaveTextContent(ownErrors.wrong_credentials);
    expect(form().querySelector('[name="code"]')).toBeNull();
  });

  test('a rendered sign-in asks for the code of the second step', async () => {
    const fields = { code: 'wrong' };
    await read('/auth?tab=login', { refused: { kept: {}, error: { ...error, code: 'totp_required', fields } } });
    expect(field('code').required).toBe(true);
    expect(reasonAt('code')).toBe(auth.login.codeWrong);
  });

  test.each(HOSTILE_TEXTS.slice(0, 8))('a refused registration renders its fields as typed: %s', async (text) => {
    await read('/auth', {
      refused: {
        kept: { name: text, username: 'support', bio: text, terms: 'on' },
        error: { ...error, status: 422, code: 'username_reserved', fields: { username: 'reserved' } },
      },
    });
    expect(form().getAttribute('action')).toBe('/auth');
    expect([field('name').value, field('username').value]).toEqual([text.replaceAll(/[\r\n]/g, ''), 'support']);
    expect(field('bio').value).toBe(text.replaceAll(/\r\n?/g, '\n'));
    expect(field('terms').checked).toBe(true);
    expect(reasonAt('username')).toBe(auth.fault.usernameReserved);
  });

  test('a refused form renders other errors', async () => {
    await read('/auth', { refused: { kept: {}, error: 'no_cookies' } });
    expect(screen.getByTestId('refused')).toHaveTextContent(auth.login.noCookiesText);
    await read('/auth', { refused: { kept: {}, error: { ...error, code: 'proof_required' } } });
    expect(screen.getByTestId('refused')).toHaveTextContent(auth.plain.proof);
  });

  test('a rendered registration shows recovery codes, or where to create them', async () => {
    const title = await read('/auth', {
      created: { username: 'noura', host: 'najwa.example', codes: ['aaaa-1111', 'bbbb-2222'] },
    });
    expect(title).toContain(access.recovery.title);
    expect(screen.getByTestId('recovery-codes').querySelectorAll('code')).toHaveLength(2);
    expect(screen.getByRole('link', { name: access.recovery.continue })).toHaveAttribute('href', '/profile');
    await read('/auth', { created: { username: 'noura', host: 'najwa.example', codes: null } });
    expect(document.body).toHaveTextContent(access.recovery.laterText);
  });
});

test('rendering keeps nothing of a page in memory', async () => {
  const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  for (let count = 0; count < 20; count += 1) await renderPublicPage(requestOf('ar', pageData()));
  await waitFor(() => expect(timers()).toBeLessThan(before + 10));
});
