import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { JOURNEY_LANGUAGES, launchBrowser, system, takeShots, WORDS } from './browser.js';
import { look, newOwner, ownIdOf, sendTo } from './helpers.js';
import { promptly } from './watch.js';

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});

afterAll(() => browser.close());

const shown = (page: Page): Promise<string[]> => page.getByTestId('message-text').allTextContents();

describe.each(JOURNEY_LANGUAGES)('a long inbox (%s)', (language) => {
  const { messages } = WORDS[language];

  test('is searched, and messages are deleted by keyboard and come back', async () => {
    const { page, context } = await newOwner(browser, language, 'tools', { screen: 'phone' });
    const owner = await ownIdOf(page);
    const texts = ['صورةُ البحر', 'A photo by the sea', 'رسالة أخرى'];
    for (const text of texts) await sendTo(system, owner, text);
    await page.reload();

    const field = page.getByRole('searchbox', { name: messages.search.label });
    await field.fill('بحر صور');
    await system.eventually(async () => expect(await shown(page)).toEqual([texts[0]]));
    expect(await page.locator('mark').allTextContents()).toEqual(['صورةُ', 'البحر']);
    await look(page, 'inbox-search', language);
    await page.getByRole('button', { name: messages.search.clear }).press('Enter');
    await system.eventually(async () => expect(await shown(page)).toEqual(texts.toReversed()));

    await page.getByRole('button', { name: messages.select.begin, exact: true }).press('Enter');
    const boxes = page.getByRole('checkbox', { name: messages.select.one });
    await boxes.nth(0).press('Space');
    await boxes.nth(1).focus();
    await page.keyboard.press('Shift+Space');
    const bar = page.getByRole('toolbar', { name: messages.bulk.label });
    await look(page, 'inbox-select', language);
    await bar.getByRole('button', { name: messages.bulk.delete }).press('Enter');
    await system.eventually(async () => expect(await shown(page)).toEqual([texts[0]]));

    // Ten seconds do not leave time for more.
    await promptly(page, () => page.getByRole('button', { name: messages.undo.action, exact: true }).click());
    await page.getByTestId('toast').filter({ hasText: messages.undo.done }).waitFor();
    await system.eventually(async () => expect(await shown(page)).toEqual(texts.toReversed()));

    await page.getByRole('button', { name: messages.select.begin, exact: true }).click();
    await boxes.nth(0).check();
    await bar.getByRole('button', { name: messages.bulk.delete }).click();
    await page.getByRole('button', { name: messages.undo.action, exact: true }).waitFor();
    await takeShots(page, 'inbox-undo', language, { screenOnly: true });
    await context.close();
  });
});
