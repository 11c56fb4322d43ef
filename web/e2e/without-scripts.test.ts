// Long run: every page without scripts.
import { describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import type { BrowserContext, Page } from 'playwright-core';
import {
  JOURNEY_LANGUAGES,
  LANGUAGES,
  launchBrowser,
  newPerson,
  SCREENS,
  system,
  takeShots,
  WIDTHS,
  WORDS,
} from './browser.js';
import { fillRegistration, FIRST_PASSWORD, usernameFrom, WRITTEN } from './helpers.js';
import { call } from './states/sweep.js';

const browser = await launchBrowser();

const isWide = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);

const fillLogin = async (page: Page, language: (typeof LANGUAGES)[number], username: string, password: string) => {
  const { field, login } = WORDS[language].auth;
  await page.getByLabel(field.username, { exact: true }).fill(username);
  await page.getByLabel(field.password, { exact: true }).fill(password);
  await page.getByRole('button', { name: login.submit, exact: true }).click();
};

const isSignedIn = async ({ request }: BrowserContext): Promise<boolean> =>
  ((await (await request.get('/api/auth-status')).json()) as { authenticated: boolean }).authenticated;

/** Labels of visible controls that do nothing. */
const deadControls = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('button, [role=button], [role=tab], [role=checkbox], [role=switch]')]
      .filter((control) => control.checkVisibility({ visibilityProperty: true }) && control.closest('[inert]') === null)
      .filter((control) => control.closest('form[action]') === null || control.getAttribute('type') === 'button')
      .filter((control) => !(control instanceof HTMLAnchorElement))
      .map((control) => control.getAttribute('aria-label') ?? control.textContent),
  );

describe.each(LANGUAGES)('without scripts (%s)', (language) => {
  const { access, auth, common, notFound, site, wayBack } = WORDS[language];

  test('a visitor creates an account without scripts, keeps the codes, signs out and in again', async () => {
    const { context, page } = await newPerson(browser, system.url, language, { screen: 'phone', scripts: false });
    const username = usernameFrom('plain', language);
    await fillRegistration(page, language, 'support');
    await takeShots(page, 'plain-register', language);
    await page.getByRole('button', { name: auth.register.submit, exact: true }).click();
    const field = page.getByLabel(auth.field.username, { exact: true });
    await page.getByTestId('refused').waitFor();
    expect(await field.inputValue()).toBe('support');
    expect(await page.getByText(auth.fault.usernameReserved, { exact: true }).isVisible()).toBe(true);
    expect(await page.getByLabel(auth.field.password, { exact: true }).inputValue()).toBe('');
    expect(await page.getByRole('checkbox').isChecked()).toBe(true);
    expect(await isWide(page)).toBe(false);
    await takeShots(page, 'plain-register-refused', language);

    await field.fill(username);
    await page.getByLabel(auth.field.password, { exact: true }).fill(FIRST_PASSWORD);
    await page.getByLabel(auth.field.confirmPassword, { exact: true }).fill(FIRST_PASSWORD);
    await page.getByRole('button', { name: auth.register.submit, exact: true }).click();
    await page.getByRole('heading', { name: access.recovery.title }).waitFor();
    expect(await page.getByTestId('recovery-codes').getByRole('listitem').count()).toBe(10);
    expect(await page.title()).toContain(access.recovery.title);
    expect(await page.getByText(`${new URL(system.url).host}/reset`, { exact: true }).isVisible()).toBe(true);
    expect([await deadControls(page), await isWide(page)]).toEqual([[], false]);
    await takeShots(page, 'plain-codes', language);
    await page.getByRole('link', { name: access.recovery.continue }).click();
    await page.waitForURL('**/profile');

    // Playwright finds no text in this element.
    expect(await page.locator('noscript p').textContent()).toBe(site.start.own);
    await takeShots(page, 'plain-profile', language);
    await page.locator('noscript a[href="/own-page"]').click();
    await page.waitForURL(`**/m/${username}`);
    await page.goBack();
    await page.locator('noscript button').click();
    await page.waitForURL(`${system.url}/`);
    expect(await isSignedIn(context)).toBe(false);

    await page.goto('/auth?tab=login');
    await takeShots(page, 'plain-login', language);
    await fillLogin(page, language, username, 'not the password');
    await page.getByTestId('refused').waitFor();
    await takeShots(page, 'plain-login-refused', language);
    expect(await page.getByLabel(auth.field.username, { exact: true }).inputValue()).toBe(username);
    expect([await deadControls(page), await isWide(page), new URL(page.url()).search]).toEqual([
      [],
      false,
      '?tab=login',
    ]);
    await page.getByLabel(auth.field.password, { exact: true }).fill(FIRST_PASSWORD);
    await page.getByRole('button', { name: auth.login.submit, exact: true }).click();
    await page.waitForURL('**/profile');
    expect(await isSignedIn(context)).toBe(true);
    await context.close();
  });

  test('a sender ends a conversation without scripts, after one question', async () => {
    const { id: userId, cookie } = await system.newAccount();
    const { id, wayBack: path = '' } = await system.sendMessage(userId, { content: WRITTEN[language].messages[0] });
    await call('POST', '/api/replies', cookie, { messageId: id, content: WRITTEN[language].messages[1] });
    const { context, page } = await newPerson(browser, system.url, language, { scripts: false });
    await page.goto(path);
    const end = page.getByRole('button', { name: wayBack.talk.end, exact: true });
    await end.click();
    await page.getByText(wayBack.talk.endTitle, { exact: true }).waitFor();
    await takeShots(page, 'plain-ending', language);
    await end.click();
    await page.getByRole('heading', { name: wayBack.talk.ended }).waitFor();
    expect((await page.goto(path))?.status()).toBe(404);
    await context.close();
  });

  test('no page has a dead control without scripts, and each leads on', async () => {
    const { id: userId, username, cookie } = await system.newAccount();
    const { id } = await system.sendMessage(userId, { content: WRITTEN[language].messages[0] });
    await call('PATCH', `/api/messages/${String(id)}`, cookie, { isPublic: true });
    const { context, page } = await newPerson(browser, system.url, language, { scripts: false });
    const paths = ['/', '/about', '/faq', '/privacy', '/contact', '/help', '/auth', '/auth?tab=login', '/no/such/page'];
    for (const path of [...paths, `/m/${username}`]) {
      await page.goto(path);
      for (const screen of SCREENS) {
        await page.setViewportSize(WIDTHS[screen]);
        expect([path, screen, await deadControls(page), await isWide(page)]).toEqual([path, screen, [], false]);
      }
    }
    await page.goto('/reset');
    // Playwright finds no text in this element.
    const notice = page.locator('noscript p');
    expect(await notice.isVisible()).toBe(true);
    expect(await notice.textContent()).toContain(site.start.noScripts);
    await page.goto('/no/such/page');
    await takeShots(page, 'plain-not-found', language);
    expect(await page.getByRole('heading', { name: notFound.title }).isVisible()).toBe(true);
    await page.getByRole('link', { name: common.action.backHome, exact: true }).click();
    await page.waitForURL(`${system.url}/`);
    await page.getByRole('contentinfo').getByRole('link', { name: site.footer.contact, exact: true }).click();
    await page.waitForURL('**/contact');
    await context.close();
  });
});

// Each language and each header once.
describe.each([
  ['ar', 'phone'],
  ['en', 'desktop'],
] as const)('the language without scripts (%s, %s)', (language, screen) => {
  const { common, wayBack } = WORDS[language];
  const other = language === 'ar' ? 'en' : 'ar';

  test('the language changes, on the same page, and the other links of the header are there', async () => {
    const { context, page } = await newPerson(browser, system.url, language, { screen, scripts: false });
    const header = page.getByRole('banner');
    const openMenu = async () => {
      if (screen === 'phone') await header.locator('summary').click();
    };
    const there = WORDS[other].auth;
    for (const [path, heading] of [
      ['/auth?tab=login', there.login.title],
      ['/about', WORDS[other].guide.about.title],
    ] as const) {
      await context.addCookies([{ name: 'language', value: language, url: system.url }]);
      await page.goto(path);
      await openMenu();
      if (path === '/about') await takeShots(page, 'plain-menu', language, { screenOnly: true });
      await header.getByRole('link', { name: common.header.otherLanguage, exact: true }).click();
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      expect([page.url(), await page.locator('html').getAttribute('lang')]).toEqual([system.url + path, other]);
    }
    await openMenu();
    await header.getByRole('link', { name: WORDS[other].common.header.signIn, exact: true }).click();
    await page.getByRole('heading', { level: 1, name: there.login.title }).waitFor();
    await page.getByRole('tab', { name: there.tabs.register, exact: true }).click();
    await page.getByRole('heading', { level: 1, name: there.register.title }).waitFor();
    await page.getByRole('link', { name: there.register.switchLink, exact: true }).click();
    await page.getByRole('heading', { level: 1, name: there.login.title }).waitFor();
    await context.close();
  });

  test('the language changes without scripts on the page of an account and of a way back', async () => {
    const { username } = await system.newAccount();
    const { context, page } = await newPerson(browser, system.url, language, { screen, scripts: false });
    const [content = ''] = WRITTEN[language].messages;
    const { composer } = WORDS[other].publicPage;
    const change = async (name: string) => {
      const header = page.getByRole('banner');
      if (screen === 'phone') await header.locator('summary').click();
      await header.getByRole('link', { name, exact: true }).click();
    };
    await page.goto(`/m/${username}`);
    await change(common.header.otherLanguage);
    await page.getByLabel(composer.label, { exact: true }).fill(content);
    expect(page.url()).toBe(`${system.url}/m/${username}`);
    await page.getByRole('button', { name: composer.send, exact: true }).click();
    await page.waitForURL(/\/r\/[\w-]{22}$/);
    expect(await deadControls(page)).toEqual([]);
    const way = page.url();
    await change(WORDS[other].common.header.otherLanguage);
    await page.getByText(wayBack.plain.title, { exact: true }).waitFor();
    expect(page.url()).toBe(way);
    await context.close();
  });
});

describe.each(JOURNEY_LANGUAGES)('scripts that come late (%s)', (language) => {
  const { auth } = WORDS[language];

  test('late scripts hydrate a refused form with its fields and the reason', async () => {
    const { username, password } = await system.newAccount();
    const { context, page } = await newPerson(browser, system.url, language, { screen: 'phone' });
    const arrived = new EventTarget();
    const released = once(arrived, 'scripts');
    await page.route('**/assets/*.js', async (route) => {
      await released;
      await route.continue();
    });
    await page.goto('/auth?tab=login', { waitUntil: 'commit' });
    await fillLogin(page, language, username, 'not the password');
    const refused = page.getByTestId('refused');
    await refused.waitFor();
    const reason = await refused.textContent();
    arrived.dispatchEvent(new Event('scripts'));
    await page.locator('#root:not([data-rendered])').waitFor({ state: 'attached' });
    expect(await refused.textContent()).toBe(reason);
    expect(await page.getByLabel(auth.field.username, { exact: true }).inputValue()).toBe(username);
    const called = page.waitForResponse((answer) => answer.url().endsWith('/api/login'));
    await page.getByLabel(auth.field.password, { exact: true }).fill(password);
    await page.getByRole('button', { name: auth.login.submit, exact: true }).click();
    expect((await called).status()).toBe(200);
    await page.waitForURL('**/profile');
    await context.close();
  });
});
