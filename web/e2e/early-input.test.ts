// Long run: late scripts.
import { describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import type { Page } from 'playwright-core';
import { JOURNEY_LANGUAGES, launchBrowser, newPerson, system, WORDS } from './browser.js';
import { FIRST_PASSWORD } from './helpers.js';
import { call } from './states/sweep.js';

const browser = await launchBrowser();

/** Opens a page whose scripts do not arrive yet. @returns lets them arrive */
async function openWithoutScripts(page: Page, url: string): Promise<() => Promise<void>> {
  const arrived = new EventTarget();
  const released = once(arrived, 'scripts');
  await page.route('**/assets/*.js', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(url, { waitUntil: 'commit' });
  return async () => {
    arrived.dispatchEvent(new Event('scripts'));
    await page.locator('#root:not([data-rendered])').waitFor({ state: 'attached' });
  };
}

describe.each(JOURNEY_LANGUAGES)('a page whose scripts are late (%s)', (language) => {
  const { auth, chat, common, publicPage } = WORDS[language];

  test('early input signs in, and keeps the password out of the URL', async () => {
    const owner = await system.newAccount();
    const { context, page } = await newPerson(browser, system.url, language, { screen: 'phone' });
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    const letScriptsArrive = await openWithoutScripts(page, '/auth?tab=login');
    await page.getByLabel(auth.field.username, { exact: true }).fill(owner.username);
    await page.getByLabel(auth.field.password, { exact: true }).fill(FIRST_PASSWORD);
    await page.getByRole('button', { name: auth.login.submit, exact: true }).click();
    await page.waitForURL('**/profile', { waitUntil: 'commit' });
    await letScriptsArrive();
    await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' });
    expect(addresses.filter((address) => address.includes('password'))).toEqual([]);
    expect(addresses.filter((address) => address.endsWith('/api/login'))).toEqual([]);
    await context.close();
  });

  test('sign-in keeps input typed before, during and after hydration, with the caret', async () => {
    const owner = await system.newAccount();
    const { context, page } = await newPerson(browser, system.url, language, { screen: 'phone' });
    const letScriptsArrive = await openWithoutScripts(page, `/m/${owner.username}`);
    // This chunk replays input, and never arrives.
    await page.route('**/assets/repeat-input-*.js', () => undefined);
    const field = page.getByLabel(publicPage.composer.label, { exact: true });
    await field.pressSequentially('first last');
    await field.evaluate((element: HTMLTextAreaElement) => {
      element.setSelectionRange(5, 5);
    });
    // As an input method does during a composition.
    const input = await context.newCDPSession(page);
    await input.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 });
    await letScriptsArrive();
    await input.send('Input.imeSetComposition', { text: 'にほ', selectionStart: 2, selectionEnd: 2 });
    await input.send('Input.insertText', { text: '日本' });
    await page.keyboard.type(' middle');
    expect(await field.inputValue()).toBe('first日本 middle last');
    expect(await page.getByTestId('counter').getAttribute('aria-label')).toContain(language === 'ar' ? '١٩' : '19');
    expect(await page.getByRole('button', { name: publicPage.composer.send, exact: true }).isEnabled()).toBe(true);
    await context.close();
  });

  test('registration keeps input typed before hydration', async () => {
    const { context, page } = await newPerson(browser, system.url, language, { screen: 'phone' });
    const letScriptsArrive = await openWithoutScripts(page, '/auth');
    await page.route('**/assets/repeat-input-*.js', () => undefined);
    const name = page.getByLabel(auth.field.name, { exact: true });
    const password = page.getByLabel(auth.field.password, { exact: true });
    await password.fill(FIRST_PASSWORD);
    await name.pressSequentially('نورة ');
    await letScriptsArrive();
    await page.keyboard.type('العلي');
    expect([await name.inputValue(), await password.inputValue()]).toEqual(['نورة العلي', FIRST_PASSWORD]);
    await context.close();
  });

  test('a message sent before and after hydration arrives once, with one way back', async () => {
    const owner = await system.newAccount();
    const { context, page } = await newPerson(browser, system.url, language);
    const scripts = new EventTarget();
    const released = once(scripts, 'come');
    await page.route('**/assets/*.js', async (route) => {
      await released;
      await route.continue();
    });
    await page.goto(`/m/${owner.username}`, { waitUntil: 'commit' });
    const arrived = new EventTarget();
    const first = once(arrived, 'message');
    // The answer to the first press does not come.
    await page.route(
      `**/m/${owner.username}`,
      async (route) => {
        await route.fetch({ maxRedirects: 0 });
        arrived.dispatchEvent(new Event('message'));
      },
      { times: 1 },
    );
    await page.getByLabel(publicPage.composer.label, { exact: true }).fill('pressed twice');
    // The page presses by itself: Playwright's own requests would wait for the missing response.
    await page.evaluate(() => {
      const button = document.querySelector<HTMLButtonElement>('#message-form [type="submit"]');
      button?.click();
      const timer = setInterval(() => {
        if (document.querySelector('#root[data-rendered]') !== null) return;
        clearInterval(timer);
        button?.click();
      }, 50);
    });
    await first;
    scripts.dispatchEvent(new Event('come'));
    await page.getByTestId('way-back-message').waitFor();
    expect(await call('GET', '/api/messages', owner.cookie)).toMatchObject([{ content: 'pressed twice' }]);
    await context.close();
  });

  test('an early press sends the message, and opens the assistant', async () => {
    const owner = await system.newAccount();
    const { context, page } = await newPerson(browser, system.url, language);
    const letScriptsArrive = await openWithoutScripts(page, `/m/${owner.username}`);
    const field = page.getByLabel(publicPage.composer.label, { exact: true });
    await field.fill('written early');
    await page.getByRole('button', { name: common.assistant.open }).click();
    await letScriptsArrive();
    await page.getByRole('dialog', { name: chat.title }).waitFor();
    await page.keyboard.press('Escape');
    expect(await field.inputValue()).toBe('written early');
    await page.getByRole('button', { name: publicPage.composer.send, exact: true }).click();
    await page.getByTestId(/^sent-/).waitFor();
    await system.eventually(async () => {
      expect(await call('GET', '/api/messages', owner.cookie)).toMatchObject([{ content: 'written early' }]);
    });
    await context.close();
  });
});
