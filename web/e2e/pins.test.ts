// Long run: pins in the browser.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { JOURNEY_LANGUAGES, launchBrowser, newPerson, system, takeShots, WORDS } from './browser.js';
import { callAs, expectFocus, look, newOwner, ownIdOf, sendTo, WRITTEN, unfold } from './helpers.js';

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});

afterAll(() => browser.close());

const published = (page: Page) => page.getByTestId('public-message').getByTestId('message-text').allTextContents();

describe.each(JOURNEY_LANGUAGES)('pinned messages (%s)', (language) => {
  const { messages, publicPage } = WORDS[language];
  const { pin } = messages;
  const texts = WRITTEN[language].messages;
  const [first, second, third, fourth] = texts;

  test('pinned messages are chosen on a phone in a sheet, which an outside tap only closes', async () => {
    const { page: owner, context } = await newOwner(browser, language, 'sheet', { screen: 'phone' });
    await sendTo(system, await ownIdOf(owner), first);
    await owner.reload();
    const button = (await unfold(owner.getByTestId('message'))).getByRole('button', { name: messages.action.more });
    await button.click();
    const sheet = owner.getByRole('menu');
    await system.eventually(async () => {
      const { x, y, width, height } = (await sheet.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      expect([x, y + height, width]).toEqual([0, 844, 390]);
    });
    await takeShots(owner, 'message-menu', language, { screenOnly: true });
    await button.scrollIntoViewIfNeeded();
    await owner.mouse.click(195, 60);
    await sheet.waitFor({ state: 'detached' });
    await expectFocus(button);
    await button.press('Enter');
    await sheet.waitFor();
    await owner.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await expectFocus(button);
    await context.close();
  });

  test('pinned messages are ordered by keyboard, and first on the public page', async () => {
    const { page: owner, context, username } = await newOwner(browser, language, 'pins');
    const ownerId = await ownIdOf(owner);
    for (const text of texts) {
      const id = await sendTo(system, ownerId, text);
      expect((await callAs(owner, 'PATCH', `/api/messages/${String(id)}`, { isPublic: true })).status).toBe(200);
    }
    await owner.reload();

    const card = (text: string) => owner.getByTestId('message').filter({ hasText: text });
    const choose = async (text: string, item: string) => {
      await (await unfold(card(text))).getByRole('button', { name: messages.action.more }).click();
      await owner.getByRole('menuitem', { name: item }).click();
    };
    for (const text of texts.slice(0, 3)) {
      await choose(text, pin.action);
      await card(text).getByText(messages.badge.pinned, { exact: true }).waitFor();
    }

    await choose(fourth, pin.action);
    const dialog = owner.getByRole('dialog', { name: pin.title });
    await dialog.getByText(pin.full, { exact: true }).waitFor();
    await look(owner, 'pins-full', language);
    await owner.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    await choose(first, pin.title);
    const rows = dialog.getByRole('listitem');
    await rows.nth(2).getByText(third, { exact: true }).waitFor();
    await rows.nth(2).getByRole('button', { name: pin.up, exact: true }).press('Enter');
    await rows.nth(1).getByText(third, { exact: true }).waitFor();
    await expectFocus(rows.nth(1).getByRole('button', { name: pin.up, exact: true }));
    await owner.keyboard.press('Space');
    await rows.nth(0).getByText(third, { exact: true }).waitFor();
    await dialog.getByRole('button', { name: pin.done, exact: true }).press('Enter');
    await dialog.waitFor({ state: 'detached' });

    const { page: visitor, context: other } = await newPerson(browser, system.url, language, { screen: 'phone' });
    await system.eventually(async () => {
      await visitor.goto(`/m/${username}`);
      expect(await published(visitor)).toEqual([third, first, second, fourth]);
    });
    const pinned = visitor
      .getByTestId('public-message')
      .filter({ has: visitor.getByText(publicPage.pinned, { exact: true }) });
    expect(await pinned.count()).toBe(3);
    await look(visitor, 'public-pins', language);
    await Promise.all([context.close(), other.close()]);
  });
});
