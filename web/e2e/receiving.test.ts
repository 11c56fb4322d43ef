// Long run: closed pages in the browser.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { JOURNEY_LANGUAGES, launchBrowser, newPerson, system, takeShots, WORDS } from './browser.js';
import { FIRST_PASSWORD, newOwner } from './helpers.js';

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});

afterAll(() => browser.close());

describe.each(JOURNEY_LANGUAGES)('receiving rules (%s)', (language) => {
  test('an owner pauses the page with a word, opens it to accounts, and to all again', async () => {
    const { auth, closed, receiving, settings, publicPage } = WORDS[language];
    const notice = language === 'ar' ? 'أستريح قليلًا من الكلام.' : 'Taking a little rest from words.';
    const { page: owner, username } = await newOwner(browser, language, 'receiving');
    await owner.goto('/settings');
    await owner.getByRole('link', { name: settings.sections.receiving, exact: true }).click();

    const choose = async (label: string): Promise<void> => {
      await owner.getByText(label, { exact: true }).click();
      const answer = owner.waitForResponse((response) => response.request().method() === 'PATCH');
      await owner.getByRole('button', { name: receiving.save }).click();
      expect((await answer).status()).toBe(200);
      await owner.getByText(receiving.saved, { exact: true }).first().waitFor();
    };
    const composerOf = (page: Page): Locator =>
      page.getByRole('textbox', { name: publicPage.composer.label, exact: true });
    /** The gateway's copy of the page changes within a second. */
    const openUntil = (page: Page, shown: Locator): Promise<void> =>
      system.eventually(async () => {
        await page.goto(`/m/${username}`);
        expect(await shown.count()).toBe(1);
      });
    await owner.getByLabel(receiving.notice).fill(notice);
    await choose(receiving.from.nobody);
    await takeShots(owner, 'settings-receiving', language);

    const { page: visitor } = await newPerson(browser, system.url, language, { screen: 'phone' });
    await openUntil(visitor, visitor.getByRole('heading', { name: closed.paused }));
    await visitor.getByText(notice, { exact: true }).waitFor();
    expect(await composerOf(visitor).count()).toBe(0);
    await takeShots(visitor, 'public-paused', language);

    await choose(receiving.from.accounts);
    await openUntil(visitor, visitor.locator('main').getByRole('link', { name: closed.signIn, exact: true }));
    await takeShots(visitor, 'public-accounts', language);

    const { page: newcomer, username: newName } = await newOwner(browser, language, 'newcomer');
    // Signing in to write leads back to the page. The inbox would show the user as online.
    const { page: signedOut } = await newPerson(browser, system.url, language, { screen: 'phone' });
    await openUntil(signedOut, signedOut.locator('main').getByRole('link', { name: closed.signIn, exact: true }));
    await signedOut.locator('main').getByRole('link', { name: closed.signIn, exact: true }).click();
    await signedOut.getByLabel(auth.field.username, { exact: true }).fill(newName);
    await signedOut.getByLabel(auth.field.password, { exact: true }).fill(FIRST_PASSWORD);
    await signedOut.getByRole('button', { name: auth.login.submit, exact: true }).click();
    await composerOf(signedOut).waitFor();
    expect(new URL(signedOut.url()).pathname).toBe(`/m/${username}`);

    await openUntil(newcomer, composerOf(newcomer));
    await choose(receiving.from.established);
    await openUntil(newcomer, newcomer.getByRole('heading', { name: closed.tooNew }));
    await takeShots(newcomer, 'public-too-new', language);

    await choose(receiving.from.everyone);
    const composer = composerOf(visitor);
    await openUntil(visitor, composer);
    await composer.fill('أول رسالة');
    // The text stays when the page is paused, and the refusal says why.
    await choose(receiving.from.nobody);
    await visitor.getByRole('button', { name: publicPage.composer.send }).click();
    await visitor.getByText(WORDS[language].common.error.receiving_paused).first().waitFor();
    expect(await composer.inputValue()).toBe('أول رسالة');
  });
});
