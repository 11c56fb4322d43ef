// Long run: a long public page and an inbox of several pages, in both languages.
import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type Language, LANGUAGES, launchBrowser, LONGEST_WAIT_MS, newPerson, system, WORDS } from './browser.js';
import { callAs, expectFocus, newOwner, ownIdOf, sendTo } from './helpers.js';

const browser = await launchBrowser();

const LONG = 'a line of a long message, about the sea and the evening there. '.repeat(7);

const heightOf = (page: Page) => page.evaluate(() => window.scrollY);

async function expectHeight(page: Page, height: number): Promise<void> {
  await system.eventually(async () => expect(Math.abs((await heightOf(page)) - height)).toBeLessThan(2));
}

/** Scrolls, and waits for what the page loads there. @returns the height */
async function goDown(page: Page, to: number): Promise<number> {
  await system.eventually(async () => {
    await page.evaluate((top) => {
      window.scrollTo({ top, behavior: 'instant' });
    }, to);
    expect(await heightOf(page)).toBe(to);
  });
  return to;
}

/** As a press on a link in view, without a scroll to it. */
const follow = (page: Page, path: string) =>
  page.evaluate((to) => {
    document.querySelector<HTMLElement>(`a[href="${to}"]`)?.click();
  }, path);

/** An owner of published messages. */
async function newWriter(language: Language) {
  const owner = await newOwner(browser, language, 'back', { screen: 'phone' });
  const id = await ownIdOf(owner.page);
  for (let count = 0; count < 15; count += 1) {
    const message = await sendTo(system, id, `${String(count)} ${LONG}`);
    await callAs(owner.page, 'PATCH', `/api/messages/${String(message)}`, { isPublic: true });
  }
  return owner;
}

/** A message of the inbox and its place in the window: the first one below the header, or a certain one. */
const placeOf = (page: Page, wanted?: string) =>
  page.evaluate((id) => {
    const cards = [...document.querySelectorAll<HTMLElement>('[data-message-id]')];
    const topOf = (card: HTMLElement) => card.getBoundingClientRect().top;
    const card = cards.find((each) => (id === undefined ? topOf(each) > 60 : each.dataset['messageId'] === id));
    return { id: card?.dataset['messageId'] ?? '', top: card === undefined ? Number.NaN : topOf(card) };
  }, wanted);

describe.each(LANGUAGES)('on the way back (%s)', (language) => {
  const { common, publicPage } = WORDS[language];

  test.each([
    ['phone', 'reduce'],
    ['phone', 'no-preference'],
    ['desktop', 'reduce'],
  ] as const)(
    'a message of an inbox is where it was left (%s, motion: %s)',
    async (screen, reducedMotion) => {
      const { page, context } = await newOwner(browser, language, 'inbox', { screen });
      await page.emulateMedia({ reducedMotion });
      const owner = await ownIdOf(page);
      for (let count = 0; count < 45; count += 1)
        await sendTo(system, owner, `${String(count)} ${LONG.slice(0, 40 * (count % 9))}`);
      await page.reload();
      await page.getByTestId('message').first().waitFor();
      await goDown(page, 3_000);
      let left = { id: '', top: 0 };
      await system.eventually(async () => {
        const before = left;
        left = await placeOf(page);
        expect(left).toEqual(before);
      });
      const isThere = () =>
        system.eventually(async () =>
          expect(Math.abs((await placeOf(page, left.id)).top - left.top)).toBeLessThanOrEqual(2),
        );
      const name = screen === 'phone' ? common.header.menu : common.header.accountMenu;
      const menu = page.getByRole('button', { name, exact: true });
      const place = { name: common.header.settings, exact: true };
      const settings = page.getByRole('link', place).or(page.getByRole('menuitem', place)).first();
      await menu.click();
      await settings.waitFor();
      await page.keyboard.press('Escape');
      await expectFocus(menu);
      await isThere();
      await menu.click();
      await settings.click();
      await page.waitForURL('**/settings');
      await page.goBack();
      await isThere();
      await context.close();
    },
    2 * LONGEST_WAIT_MS,
  );

  test('a picture that a tab has no room for is there again after a reload, until it is removed', async () => {
    const { username } = await system.newAccount();
    const { page, context } = await newPerson(browser, system.url, language, { screen: 'phone' });
    await page.goto(`/m/${username}`);
    await page.getByLabel(publicPage.composer.label).fill('look');
    const picture = page.getByAltText(publicPage.composer.attached);
    const kept = () =>
      page.evaluate(async () => {
        // Opening would make an empty one.
        if (!(await indexedDB.databases()).some(({ name }) => name === 'pictures')) return 0;
        return new Promise<number>((resolve) => {
          const opening = indexedDB.open('pictures');
          opening.onsuccess = () => {
            const store = opening.result;
            const counting = store.transaction('kept').objectStore('kept').count();
            counting.onsuccess = () => {
              store.close();
              resolve(counting.result);
            };
          };
        });
      });
    const buffer = Buffer.alloc(4_000_000, 1);
    await page.getByTestId('image-file').setInputFiles({ name: 'sea.png', mimeType: 'image/png', buffer });
    await picture.waitFor();
    await system.eventually(async () => expect(await kept()).toBe(1));
    await page.reload();
    await picture.waitFor();
    await page.getByRole('button', { name: publicPage.composer.removeImage }).click();
    await system.eventually(async () => expect(await kept()).toBe(0));
    await page.reload();
    await page.getByText('look').waitFor();
    expect(await picture.count()).toBe(0);
    await context.close();
  });

  test.each(['reduce', 'no-preference'] as const)(
    'a public page is where it was left, with motion: %s',
    async (reducedMotion) => {
      const { context, username } = await newWriter(language);
      const { page, context: others } = await newPerson(browser, system.url, language, { screen: 'phone' });
      await page.emulateMedia({ reducedMotion });
      await page.goto(`/m/${username}`);
      await page.getByTestId('public-message').nth(9).waitFor();
      const read = await goDown(page, 2_400);
      await follow(page, '/help');
      await page.waitForURL('**/help');
      await expectHeight(page, 0);
      await goDown(page, 700);
      await page.goBack();
      await expectHeight(page, read);
      await others.close();
      await context.close();
    },
    2 * LONGEST_WAIT_MS,
  );
});
