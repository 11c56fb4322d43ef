import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type Language, launchBrowser, newPerson, system, takeShots, WORDS } from './browser.js';
import { fillRegistration, PHOTOGRAPHS, submitRegistration, unfold } from './helpers.js';

const browser = await launchBrowser();

async function register(page: Page, language: Language, username: string): Promise<void> {
  await fillRegistration(page, language, username);
  await takeShots(page, 'register', language);
  await submitRegistration(page, language);
}

async function pictureStatus(page: Page, source: string): Promise<number> {
  return page.evaluate(async (address) => (await fetch(address, { cache: 'no-store' })).status, source);
}

/** The card changes before the server answers, the public page shortly after. */
async function reloadUntil(page: Page, words: (typeof WORDS)[Language], messages: number): Promise<void> {
  const shown = page.getByTestId('public-message');
  await system.eventually(async () => {
    await page.reload();
    await shown.or(page.getByText(words.publicPage.empty)).first().waitFor();
    expect(await shown.count()).toBe(messages);
  });
}

const PEOPLE = [
  ['ar', 'phone'],
  ['en', 'desktop'],
] as const;

describe.each(PEOPLE)('a message from a stranger to the public page (%s, %s)', (language, screen) => {
  test('a message reveals nothing about its sender', async () => {
    const words = WORDS[language];
    const username = `noura-${language}-${Date.now().toString(36)}`;
    const owner = await newPerson(browser, system.url, language, { screen });
    await register(owner.page, language, username);

    await owner.page.getByRole('button', { name: words.profile.ready.copy, exact: true }).click();
    const link = await owner.page.evaluate(() => navigator.clipboard.readText());
    expect(link).toBe(`${system.url}/m/${username}`);
    await takeShots(owner.page, 'profile-ready', language);

    const stranger = await newPerson(browser, system.url, language, { screen });
    const answers: string[] = [];
    stranger.page.on('response', (response) => {
      if (response.url().includes('/api/'))
        void response.text().then(
          (text) => answers.push(text),
          () => undefined,
        );
    });
    await stranger.page.goto(link);
    await stranger.page.getByLabel(words.publicPage.composer.label).fill('أتابع صورك منذ سنتين ولم أجرؤ على الكتابة.');
    await stranger.page.getByTestId('image-file').setInputFiles(PHOTOGRAPHS.withPlace);
    await stranger.page.getByAltText(words.publicPage.composer.attached).waitFor();
    await takeShots(stranger.page, 'public-composing', language);
    await stranger.page.getByRole('button', { name: words.publicPage.composer.send }).click();
    await stranger.page.getByTestId(/^sent-/).waitFor();

    await owner.page.reload();
    const card = owner.page.getByTestId('message');
    await card.getByText('أتابع صورك منذ سنتين ولم أجرؤ على الكتابة.').waitFor();
    expect(await card.getAttribute('data-state')).toBe('unread');
    const place = await unfold(card);
    await place.getByTestId('message-image').scrollIntoViewIfNeeded();
    await takeShots(owner.page, 'profile-new', language);
    const openPicture = async () => {
      await place.getByRole('button', { name: words.common.message.openImage }).click();
      await owner.page.getByRole('dialog').locator('img').waitFor();
    };
    await openPicture();
    await owner.page.keyboard.press('Escape');
    const source = (await place.getByTestId('message-image').getAttribute('src')) ?? '';
    expect(await pictureStatus(stranger.page, source)).toBe(404);

    // A desk has the field under the message.
    if (screen === 'phone') await place.getByRole('button', { name: words.messages.action.reply, exact: true }).click();
    const answering = screen === 'phone' ? owner.page.getByRole('dialog') : place;
    await answering.getByRole('textbox').fill('شكرًا لك، كائنًا من كنت.');
    await takeShots(owner.page, 'profile-reply', language);
    await owner.page.getByRole('button', { name: words.messages.reply.send }).click();
    await owner.page.getByText(words.messages.reply.done, { exact: true }).waitFor();
    await owner.page.locator('[data-testid=message][data-state=read]').waitFor();
    await place.getByRole('button', { name: words.messages.action.publish, exact: true }).click();
    await place.getByText(words.messages.badge.published, { exact: true }).waitFor();
    await takeShots(owner.page, 'profile-published', language);

    const published = stranger.page.getByTestId('public-message');
    await reloadUntil(stranger.page, words, 1);
    await published.getByText('أتابع صورك منذ سنتين ولم أجرؤ على الكتابة.').waitFor();
    await published.getByText('شكرًا لك، كائنًا من كنت.').waitFor();
    await published.getByTestId('message-image').scrollIntoViewIfNeeded();
    await stranger.page.waitForFunction(() => {
      const image = document.querySelector<HTMLImageElement>('[data-testid=message-image]');
      return image !== null && image.complete && image.naturalWidth > 0;
    });
    await takeShots(stranger.page, 'public', language);
    expect(answers.join('\n')).not.toMatch(/sender|ipAddress|userAgent|127\.0\.0\.1/i);

    await place.getByRole('button', { name: words.messages.action.unpublish }).click();
    await place.getByText(words.messages.badge.private, { exact: true }).waitFor();
    await system.eventually(async () => expect(await pictureStatus(stranger.page, source)).toBe(404));
    await reloadUntil(stranger.page, words, 0);
    // Last: other widths may close what is open.
    await openPicture();
    await takeShots(owner.page, 'profile-viewer', language);
    await Promise.all([owner.context.close(), stranger.context.close()]);
  });
});
