import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { JOURNEY_LANGUAGES, launchBrowser, newPerson, system, WORDS } from './browser.js';
import { callAs, newOwner, WRITTEN } from './helpers.js';

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});

afterAll(() => browser.close());

/** Refuses everything that a browser keeps for a site, as "block all site data" does. */
function blockSiteData(): void {
  const refuse = (): never => {
    throw new DOMException('Access is denied for this document.', 'SecurityError');
  };
  const block = (owner: object, names: readonly string[]) => {
    for (const name of names) Object.defineProperty(owner, name, { configurable: true, get: refuse, set: refuse });
  };
  block(window, ['localStorage', 'sessionStorage', 'indexedDB', 'caches', 'BroadcastChannel']);
  block(document, ['cookie']);
  block(navigator, ['serviceWorker', 'locks', 'storage']);
}

describe.each(JOURNEY_LANGUAGES)('a browser that keeps nothing for sites (%s)', (language) => {
  const { auth, home, publicPage, wayBack } = WORDS[language];
  const [content] = WRITTEN[language].messages;

  test('shows every page, sends a message, and shows its way back', async () => {
    const owner = await newOwner(browser, language, 'nodata');
    const { context, page } = await newPerson(browser, system.url, language, { screen: 'phone' });
    await context.addInitScript(blockSiteData);
    await page.goto(`/m/${owner.username}`);
    await page.getByLabel(publicPage.composer.label, { exact: true }).fill(content);
    await page.getByRole('button', { name: publicPage.composer.send, exact: true }).click();
    await page.getByRole('heading', { name: wayBack.sent.title }).waitFor();
    const way = (await page.getByTestId('way-back').textContent()) ?? '';
    expect(await page.getByText(wayBack.sent.keepRefused).isVisible()).toBe(true);
    const { body } = await callAs(owner.page, 'GET', '/api/messages');
    expect(body).toMatchObject([{ content }]);
    await page.goto(way.slice(way.indexOf('/r/')));
    await page.getByText(content).waitFor();
    await page.goto('/');
    await page.getByRole('link', { name: home.hero.create }).click();
    await page.getByRole('button', { name: auth.register.submit }).waitFor();
    await Promise.all([context.close(), owner.context.close()]);
  });
});
