// Long run: a long public page in both languages.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { type Language, LANGUAGES, launchBrowser, LONGEST_WAIT_MS, newPerson, system } from './browser.js';
import { callAs, newOwner, ownIdOf, sendTo } from './helpers.js';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

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

describe.each(LANGUAGES)('on the way back (%s)', (language) => {
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
