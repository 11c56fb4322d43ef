import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { JOURNEY_LANGUAGES, LANGUAGES, launchBrowser, system, takeShots, WORDS } from './browser.js';
import { callAs, newOwner, ownIdOf, sendTo } from './helpers.js';

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser({ ownClipboard: true });
});

afterAll(() => browser.close());

describe.each(JOURNEY_LANGUAGES)('the link of an account (%s)', (language) => {
  const words = WORDS[language];

  test('is shared with three sites and copied to the clipboard', async () => {
    const { page, username, context } = await newOwner(browser, language, 'share');
    const link = `${system.url}/m/${username}`;
    const hrefOf = (name: string) => page.getByRole('link', { name, exact: true }).getAttribute('href');
    const parameterOf = (href: string | null, name: string) => new URL(href ?? '').searchParams.get(name);
    expect(parameterOf(await hrefOf(words.profile.link.facebook), 'u')).toBe(link);
    expect(parameterOf(await hrefOf(words.profile.link.x), 'url')).toBe(link);
    expect(parameterOf(await hrefOf(words.profile.link.whatsapp), 'text')).toBe(link);
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    const toast = page.getByTestId('toast');

    await page.getByRole('button', { name: words.profile.link.instagram }).click();
    await toast.filter({ hasText: words.profile.link.storyText }).waitFor();
    expect(await copied()).toBe(link);
    await page.evaluate(() => navigator.clipboard.writeText(''));
    await page.getByRole('button', { name: words.profile.link.copy }).first().click();
    await toast.filter({ hasText: words.profile.link.copied }).waitFor();
    expect(await copied()).toBe(link);
    await takeShots(page, 'dashboard-copied', language);

    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('Not here.'));
    });
    await page.getByRole('button', { name: words.profile.link.copy }).first().click();
    await toast.filter({ hasText: words.profile.link.copyFailed }).waitFor();
    await context.close();
  });
});

// The pictures have the language.
describe.each(LANGUAGES)('the link of an account, in a dialog (%s)', (language) => {
  const words = WORDS[language];

  test('is a code and pictures, and opens the sheet of the device', async () => {
    const { page, username, context } = await newOwner(browser, language, 'code', { screen: 'phone' });
    const { sharing } = words.profile;
    const id = await sendTo(system, await ownIdOf(page), language === 'ar' ? 'ما رأيك؟' : 'What do you think?');
    await callAs(page, 'PATCH', `/api/messages/${String(id)}`, { isPublic: true });
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'share', {
        value: (data: ShareData) => {
          document.documentElement.dataset['shared'] = data.url;
          return Promise.resolve();
        },
      });
    });
    await page.reload();
    await page.getByRole('button', { name: sharing.title, exact: true }).click();
    const dialog = page.getByRole('dialog', { name: sharing.title });
    const isDrawn = (image: HTMLImageElement) => image.complete && image.naturalWidth > 0;
    await system.eventually(async () => expect(await dialog.getByRole('img').evaluate(isDrawn)).toBe(true));
    const pictures = [sharing.card.ar, sharing.card.en, sharing.page, sharing.story, sharing.question];
    await system.eventually(async () =>
      expect(await dialog.locator('li b').allTextContents()).toEqual(expect.arrayContaining(pictures)),
    );
    await takeShots(page, 'share', language, { screenOnly: true });

    for (const name of ['PNG', 'SVG']) {
      const download = page.waitForEvent('download');
      await dialog.getByRole('link', { name }).click();
      expect((await download).suggestedFilename()).toBe(`najwa-${username}.${name.toLowerCase()}`);
    }
    const card = page.waitForEvent('download');
    await dialog.getByRole('button', { name: sharing.card[language] }).first().click();
    expect((await card).suggestedFilename()).toBe(`najwa-card-${language}.png`);
    await dialog.getByRole('button', { name: sharing.device }).click();
    expect(await page.evaluate(() => document.documentElement.dataset['shared'])).toBe(`${system.url}/m/${username}`);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await context.close();
  });
});
