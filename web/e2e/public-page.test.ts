// Long run: a page with and without scripts.
import { describe, expect, test } from '@jest/globals';
import { JOURNEY_LANGUAGES, launchBrowser, newPerson, system, takeShots, WORDS } from './browser.js';
import { callAs } from './helpers.js';
import { call } from './states/sweep.js';

/** Headless Chromium identifies itself like a crawler, which does not count as a visitor. */
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

const browser = await launchBrowser();

describe.each(JOURNEY_LANGUAGES)('a public page (%s)', (language) => {
  const words = WORDS[language];

  test('a public page arrives with preview tags and content, and needs no further request', async () => {
    const { username, id: userId, cookie } = await system.newAccount();
    const published = await system.sendMessage(userId, { content: '</script><b>published</b>' });
    await system.sendMessage(userId, { content: 'kept private' });
    await call('PATCH', `/api/messages/${String(published.id)}`, cookie, { isPublic: true });

    const visitor = await newPerson(browser, system.url, language, { userAgent: BROWSER });
    const reads: string[] = [];
    visitor.page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/api/')) reads.push(pathname);
    });
    let html = '';
    await system.eventually(async () => {
      reads.length = 0;
      html = (await (await visitor.page.goto(`/m/${username}`))?.text()) ?? '';
      expect(html).toContain('published');
    });
    expect(html).not.toContain('kept private');
    expect(html).not.toMatch(/sender|ipAddress|userAgent|127\.0\.0\.1[^:]/i);
    expect(html).toContain(`<link rel="canonical" href="${system.url}/m/${username}" />`);
    expect(html).toMatch(/<meta property="og:title" content="[^"]+" \/>/);

    await visitor.page.getByText('</script><b>published</b>').waitFor();
    await takeShots(visitor.page, 'public-page', language);
    await visitor.page.getByLabel(words.publicPage.composer.label).fill('hello');
    await visitor.page.getByRole('button', { name: words.publicPage.composer.send }).click();
    await visitor.page.getByTestId(/^sent-/).waitFor();
    expect(reads.filter((path) => path !== '/api/auth-status')).toEqual(['/api/messages']);

    await system.eventually(async () => {
      const { body } = await callAs(visitor.page, 'GET', `/api/users/${username}`);
      expect(body).toMatchObject({ visitorCount: 1 });
    });
    await visitor.context.close();
  });

  test('a public page is painted before any script, and hydrates unchanged', async () => {
    const { username, id: userId, cookie } = await system.newAccount({ bio: 'a bio of two\nlines' });
    const published = await system.sendMessage(userId, { content: 'a published question' });
    await call('PATCH', `/api/messages/${String(published.id)}`, cookie, { isPublic: true });
    await call('POST', '/api/replies', cookie, { messageId: published.id, content: 'an honest answer' });

    const reader = await newPerson(browser, system.url, language, { scripts: false, userAgent: BROWSER });
    await system.eventually(async () => {
      await reader.page.goto(`/m/${username}`);
      for (const text of [
        'a bio of two',
        'a published question',
        'an honest answer',
        words.publicPage.composer.promise,
      ])
        expect(await reader.page.getByText(text).count()).toBe(1);
    });
    expect(await reader.page.locator('html').getAttribute('dir')).toBe(language === 'ar' ? 'rtl' : 'ltr');
    await takeShots(reader.page, 'public-page-no-scripts', language);

    const visitor = await newPerson(browser, system.url, language, { screen: 'phone' });
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await visitor.page.route('**/assets/*.js', async (route) => {
      await held;
      await route.continue();
    });
    await visitor.page.addInitScript(
      (renderedAt) => {
        // A minute may pass before the page is taken over, and "1 minute ago" is wider than "Just now".
        Date.now = () => renderedAt;
        const shifts: string[] = [];
        Object.assign(globalThis, { shifts });
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as (PerformanceEntry & { sources: { node: Node | null }[] })[])
            for (const { node } of entry.sources) shifts.push(node?.parentElement?.outerHTML.slice(0, 300) ?? '');
        }).observe({ type: 'layout-shift', buffered: true });
      },
      Number(await reader.page.locator('#root').getAttribute('data-rendered')),
    );
    await visitor.page.goto(`/m/${username}`, { waitUntil: 'commit' });
    await visitor.page.getByText('an honest answer').waitFor();
    await visitor.page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length === 1);
    const looks = () =>
      visitor.page.evaluate(() =>
        [...document.querySelectorAll('#root *')].flatMap((element) => {
          const { x, y, width, height } = element.getBoundingClientRect();
          const text = [element.tagName, element.getAttribute('class'), x, y, width, height].join(' ');
          return width === 0 ? [] : [text];
        }),
      );
    // A font that comes late moves words by a pixel or two, with and without scripts.
    await visitor.page.evaluate(async () => {
      await document.fonts.ready;
      (globalThis as unknown as { shifts: string[] }).shifts.length = 0;
    });
    const before = await looks();
    release();
    await visitor.page.locator('#root:not([data-rendered])').waitFor();
    await visitor.page.waitForLoadState('networkidle');
    const field = visitor.page.getByLabel(words.publicPage.composer.label);
    await field.fill('hello');
    await visitor.page
      .getByRole('button', { name: words.publicPage.composer.send })
      .and(visitor.page.locator(':enabled'))
      .waitFor();
    await field.fill('');
    expect(await visitor.page.evaluate(() => (globalThis as unknown as { shifts: string[] }).shifts)).toEqual([]);
    const after = await looks();
    expect(before.filter((part) => !after.includes(part))).toEqual([]);
    await system.eventually(async () => {
      expect(await call('GET', '/api/user', cookie)).toMatchObject({ visitorCount: 1 });
    });
    // In the banner on a desk, above the messages on a phone.
    for (const { page } of [reader, visitor])
      expect(await page.locator('img[src^="/carpet/"]:visible').count()).toBe(1);
    await Promise.all([reader, visitor].map(({ context }) => context.close()));
  });

  test('a public page hydrates although the connection breaks while its code loads', async () => {
    const owner = await system.newAccount();
    const { context, page } = await newPerson(browser, system.url, language, { screen: 'phone' });
    const cut = new Set<string>();
    await page.route('**/assets/*.js', async (route) => {
      const { pathname } = new URL(route.request().url());
      if (cut.has(pathname)) await route.continue();
      else await route.abort('connectionreset');
      cut.add(pathname);
    });
    await page.goto(`/m/${owner.username}`, { waitUntil: 'commit' });
    await page.locator('#root:not([data-rendered])').waitFor();
    const field = page.getByLabel(words.publicPage.composer.label);
    await field.fill('hello');
    await page.getByRole('button', { name: words.publicPage.composer.send }).click();
    await page.getByTestId(/^sent-/).waitFor();
    await context.close();
  });

  test('an unknown account has a card, also without scripts', async () => {
    const { context, page } = await newPerson(browser, system.url, language, { scripts: false });
    expect((await page.goto('/m/no-such-account'))?.status()).toBe(404);
    await page.getByRole('heading', { level: 1, name: words.publicPage.missing }).waitFor();
    await takeShots(page, 'public-missing-no-scripts', language);
    await context.close();
  });
});

test('an English page asks for the Arabic font where it has Arabic words, and nowhere else', async () => {
  const { username, cookie } = await system.newAccount({ name: 'Noura' });
  const visitor = await newPerson(browser, system.url, 'en', { screen: 'phone' });
  const loaded = () =>
    visitor.page.evaluate(async () => {
      await document.fonts.ready;
      return [...document.fonts]
        .filter(({ family, status }) => family === 'Tajawal' && status !== 'unloaded')
        .map(({ weight }) => weight);
    });
  await visitor.page.goto(`/m/${username}`);
  expect(await loaded()).toEqual([]);

  await call('PATCH', '/api/users', cookie, { bio: 'كتب وقهوة' });
  await system.eventually(async () => {
    const html = (await (await visitor.page.goto(`/m/${username}`))?.text()) ?? '';
    expect(html).toMatch(/<link rel="preload"[^>]*tajawal-arabic-400/);
  });
  expect(await loaded()).toEqual(['400']);
  await visitor.context.close();
});
