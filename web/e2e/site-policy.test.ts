// Long run: every page against its policy.
import { describe, expect, test } from '@jest/globals';
import { ROUTES, type OperationId } from '@najwa/proto/http/client';
import type { Page } from 'playwright-core';
import { PAGE_HEADERS, SECRET_PAGE_HEADERS } from '../../services/common/src/http/page-headers.js';
import { PIXEL } from '../../deploy/testing/src/test-bed/factories.js';
import { JOURNEY_LANGUAGES, launchBrowser, newPerson, system, WORDS } from './browser.js';
import { callAs, newOwner, openAssistant, ownIdOf, sendTo } from './helpers.js';

const browser = await launchBrowser();

const PAGES = [
  '/',
  '/auth',
  '/auth?tab=login',
  '/about',
  '/privacy',
  '/cookies',
  '/r',
  '/settings',
  '/admin',
  '/api/docs',
  '/no-such-page',
];

// Threat model: gateway-13.
test.each([...PAGES, '/m/nobody-has-this', '/sw.js', '/favicon.svg', '/manifest.en.webmanifest'])(
  'every line of the policy comes with %s',
  async (path) => {
    const { headers } = await system.request('GET', path);
    expect(Object.fromEntries(headers)).toMatchObject(PAGE_HEADERS);
  },
);

test('a secret address has every line of the policy', async () => {
  const { headers } = await system.request('GET', `/r/${'A'.repeat(22)}`);
  expect(Object.fromEntries(headers)).toMatchObject(SECRET_PAGE_HEADERS);
});

test('the policy allows no injected script, no framing, and no referrer to other sites', () => {
  const policy = new Map(
    PAGE_HEADERS['content-security-policy'].split('; ').map((line): [string, string] => {
      const [name = '', ...values] = line.split(' ');
      return [name, values.join(' ')];
    }),
  );
  expect(policy.get('script-src')).toMatch(/^'self' 'sha256-[\w+/]+='$/);
  expect(policy.get('style-src-attr')).toBe("'none'");
  expect(policy.get('connect-src')).toBe("'self'");
  for (const name of ['frame-ancestors', 'base-uri', 'object-src'])
    expect([name, policy.get(name)]).toEqual([name, "'none'"]);
});

/** Without the watch for violations, which these tests cause. */
async function openPage(path: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: system.url });
  const page = await context.newPage();
  await page.goto(path);
  await page.locator('#root:not([data-rendered])').waitFor({ state: 'attached' });
  return page;
}

describe('in a page of ours', () => {
  // Threat model: sender-18.
  test.each(['/', '/auth', '/m/nobody-has-this', '/r'])('text never becomes markup or code (%s)', async (path) => {
    const page = await openPage(path);
    const passed = await page.evaluate(() => {
      const element = document.createElement('div');
      const script = document.createElement('script');
      const frame = document.createElement('iframe');
      const markup = '<img src=x onerror=xss=1>';
      const ways: Record<string, () => unknown> = {
        innerHTML: () => (element.innerHTML = markup),
        outerHTML: () => (document.body.appendChild(element).outerHTML = markup),
        insertAdjacentHTML: () => {
          element.insertAdjacentHTML('beforeend', markup);
        },
        write: () => {
          document.write(markup);
        },
        parser: () => new DOMParser().parseFromString(markup, 'text/html'),
        fragment: () => document.createRange().createContextualFragment(markup),
        srcdoc: () => (frame.srcdoc = markup),
        scriptText: () => (script.text = 'window.xss = 1'),
        otherSite: () => (script.src = 'https://xss.invalid/a.js'),
        upload: () => (script.src = '/api/image/1.webp'),
        worker: () => new Worker('/api/image/1.webp'),
        timer: () => setTimeout('window.xss = 1' as unknown as () => void),
        policy: () =>
          (
            window as unknown as { trustedTypes: { createPolicy: (name: string, rules: object) => unknown } }
          ).trustedTypes.createPolicy('another', {}),
      };
      return Object.entries(ways).flatMap(([name, way]) => {
        try {
          way();
          return name;
        } catch {
          return [];
        }
      });
    });
    expect(passed).toEqual([]);
    await page.context().close();
  });

  // Threat model: sender-18.
  test.each(['/', '/auth', '/m/nobody-has-this', '/r', '/api/docs'])(
    'no style counts but its own (%s)',
    async (path) => {
      const context = await browser.newContext({ baseURL: system.url });
      const page = await context.newPage();
      await page.goto(path);
      const applied = await page.evaluate(() => {
        const style = document.createElement('style');
        style.textContent = 'body { outline: 7px solid red !important; }';
        document.head.append(style);
        document.body.setAttribute('style', 'outline: 7px solid red');
        return getComputedStyle(document.body).outlineWidth === '7px';
      });
      expect(applied).toBe(false);
      await context.close();
    },
  );

  // Threat model: gateway-13.
  test('no page can frame it', async () => {
    const context = await browser.newContext({ baseURL: system.url });
    const page = await context.newPage();
    await page.route('**/frames.html', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<iframe src="/"></iframe>' }),
    );
    await page.goto('/frames.html');
    await system.eventually(() => expect(page.frames()[1]?.url()).toMatch(/^chrome-error:/));
    await context.close();
  });
});

describe.each(JOURNEY_LANGUAGES)('the pages of a person (%s)', (language) => {
  // Threat model: sender-18.
  test("an account's pages obey their policy, with dialogs and pictures", async () => {
    const words = WORDS[language];
    const { page, username, context } = await newOwner(browser, language, 'keeps');
    const message = await sendTo(system, await ownIdOf(page), 'a message');
    await callAs(page, 'PATCH', `/api/messages/${String(message)}`, { isPublic: true });
    for (const path of [
      ...PAGES,
      `/m/${username}`,
      ...['receiving', 'questions', 'access', 'notices', 'data'].map((name) => `/settings/${name}`),
    ])
      await page.goto(path, path === '/api/docs' ? { waitUntil: 'commit' } : {});
    await page.goto('/profile');
    await page.getByTestId('bell').click();
    await page.getByTestId('notifications').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: words.profile.share, exact: true }).click();
    const dialog = page.getByRole('dialog', { name: words.profile.sharing.title });
    await dialog.waitFor();
    // The page behind a dialog does not scroll.
    expect(await page.evaluate(() => getComputedStyle(document.body).overflow)).toBe('hidden');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await system.eventually(async () =>
      expect(await page.evaluate(() => getComputedStyle(document.body).overflow)).not.toBe('hidden'),
    );
    await openAssistant(page, language);
    await context.close();
  });
});

const CHANGES = Object.entries(ROUTES).flatMap(([id, { method, path }]) =>
  method === 'GET' ? [] : [[id as OperationId, method, path.replaceAll(/\{\w+\}/g, '1')] as const],
);

// Threat model: gateway-2.
test.each(CHANGES)('%s is refused to pages of other sites, and to forms', async (_id, method, path) => {
  const codeWith = async (headers: Record<string, string>) => {
    const response = await fetch(`${system.url}${path}`, { method, headers });
    return [response.status, ((await response.json()) as { code: string }).code];
  };
  const refused = [403, 'cross_site'];
  expect(await codeWith({ origin: 'https://evil.example' })).toEqual(refused);
  expect(await codeWith({ origin: 'https://evil.example', 'x-requested-with': 'XMLHttpRequest' })).toEqual(refused);
  expect(await codeWith({ origin: 'null' })).toEqual(refused);
  expect(await codeWith({ origin: system.url, 'sec-fetch-site': 'cross-site' })).toEqual(refused);
  expect(await codeWith({})).toEqual(refused);
});

describe('no address leads to another site', () => {
  const ELSEWHERE = '//evil.invalid/x';
  const PARAMETERS = [
    'next',
    'returnTo',
    'return',
    'redirect',
    'redirect_uri',
    'url',
    'to',
    'from',
    'continue',
    'tab',
    'open',
  ];

  // Threat model: gateway-14.
  test.each([
    ELSEWHERE,
    '/\\evil.invalid',
    '/%2f%2fevil.invalid',
    '/%5cevil.invalid',
    '/.//evil.invalid',
    '/m//evil.invalid',
    '/auth//evil.invalid',
  ])('by its path (%s)', async (path) => {
    const response = await fetch(`${system.url}${path}`, { redirect: 'manual' });
    // As a browser resolves it.
    const { origin } = new URL(response.headers.get('location') ?? '', `${system.url}${path}`);
    expect(origin).toBe(system.url);
  });

  // Threat model: gateway-14.
  test('no parameter redirects to another site, also at and after sign-in', async () => {
    const { page, context } = await newPerson(browser, system.url, 'en');
    const query = PARAMETERS.map((name) => `${name}=${encodeURIComponent(`https:${ELSEWHERE}`)}`).join('&');
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().startsWith('http')) asked.push(new URL(request.url()).host);
    });
    for (const path of ['/', '/auth', '/profile', '/settings', '/admin', '/r', '/m/nobody-has-this'])
      await page.goto(`${path}?${query}`);
    expect(new Set(asked)).toEqual(new Set([new URL(system.url).host]));
    await context.close();
  });
});

// Threat model: sender-15.
test('an upload is served as a picture that can run nothing', async () => {
  const { page, context } = await newOwner(browser, 'en', 'uploads');
  const { body } = await callAs(page, 'POST', '/api/messages', {
    userId: await ownIdOf(page),
    content: 'x',
    imageUrl: PIXEL,
  });
  const { imageUrl } = body as { imageUrl: string };
  const answer = await page.request.get(`/api${imageUrl}`);
  expect(answer.headers()).toMatchObject({
    'content-type': expect.stringMatching(/^image\/(?:avif|webp|jpeg)$/),
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'content-disposition': 'inline',
    'cross-origin-resource-policy': 'same-origin',
  });
  await context.close();
});
