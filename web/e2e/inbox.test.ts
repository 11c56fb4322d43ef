// Long run: an inbox of hundreds, pins, and two tabs.
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { JOURNEY_LANGUAGES, LANGUAGES, launchBrowser, newPerson, system, takeShots, WORDS } from './browser.js';
import {
  callAs,
  expectFocus,
  look,
  newOwner,
  newPersonOf,
  openTool,
  ownIdOf,
  PHOTOGRAPHS,
  plural,
  sendTo,
  unfold,
  WRITTEN,
} from './helpers.js';
import { call } from './states/sweep.js';
import { promptly } from './watch.js';

const browser = await launchBrowser();

const shown = (page: Page): Promise<string[]> => page.getByTestId('message-text').allTextContents();

describe.each(JOURNEY_LANGUAGES)('a long inbox (%s)', (language) => {
  const { messages } = WORDS[language];

  test('a long inbox is searched, and messages are deleted by keyboard and restored', async () => {
    const owner = await system.newAccount();
    const texts = ['صورةُ البحر', 'A photo by the sea', 'رسالة أخرى'];
    // With ten messages a search comes.
    for (let count = texts.length; count < 10; count += 1) await sendTo(system, owner.id, 'رسالة قديمة');
    for (const text of texts) await sendTo(system, owner.id, text);
    const { page, context } = await newPersonOf(owner, browser, language, { screen: 'phone' });
    await page.goto('/profile');

    const field = page.getByRole('searchbox', { name: messages.search.label });
    await field.fill('بحر صور');
    await system.eventually(async () => expect(await shown(page)).toEqual([texts[0]]));
    expect(await page.locator('mark').allTextContents()).toEqual(['صورةُ', 'البحر']);
    await look(page, 'inbox-search', language);
    await page.getByRole('button', { name: messages.search.clear }).press('Enter');
    await system.eventually(async () => expect((await shown(page)).slice(0, 3)).toEqual(texts.toReversed()));

    await openTool(page, language, 'select');
    const boxes = page.getByRole('checkbox', { name: messages.select.one });
    await boxes.nth(0).press('Space');
    await boxes.nth(1).focus();
    await page.keyboard.press('Shift+Space');
    const bar = page.getByRole('toolbar', { name: messages.bulk.label });
    await look(page, 'inbox-select', language);
    await bar.getByRole('button', { name: messages.bulk.delete }).press('Enter');
    await system.eventually(async () => expect((await shown(page))[0]).toEqual(texts[0]));

    // There is no time for more within ten seconds.
    await promptly(page, () => page.getByRole('button', { name: messages.undo.action, exact: true }).click());
    await page.getByTestId('toast').filter({ hasText: messages.undo.done }).waitFor();
    await system.eventually(async () => expect((await shown(page)).slice(0, 3)).toEqual(texts.toReversed()));

    await openTool(page, language, 'select');
    await boxes.nth(0).check();
    await bar.getByRole('button', { name: messages.bulk.delete }).click();
    await page.getByRole('button', { name: messages.undo.action, exact: true }).waitFor();
    await takeShots(page, 'inbox-undo', language, { screenOnly: true });
    await context.close();
  });
});

const nextFrames = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

/** From the middle of the card. */
async function swipe(page: Page, card: Locator, { along = 0, down = 0 }: { along?: number; down?: number }) {
  const { x, y, width, height } = (await card.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const from = { x: x + width / 2, y: y + height / 2 };
  const input = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
    input.send('Input.dispatchTouchEvent', { type, touchPoints });
  await touch('touchStart', [from]);
  for (let step = 1; step <= 8; step += 1)
    await touch('touchMove', [{ x: from.x + (along * step) / 8, y: from.y + (down * step) / 8 }]);
  await touch('touchEnd', []);
  await input.detach();
}

describe.each(LANGUAGES)('a swipe over a message (%s)', (language) => {
  const { messages } = WORDS[language];
  /** Towards the inline end. */
  const forward = language === 'ar' ? -1 : 1;

  test('a long enough swipe marks a message as read, without effects that others see', async () => {
    const owner = await system.newAccount();
    for (let count = 0; count < 8; count += 1) await sendTo(system, owner.id, `صورة البحر ${String(count)}`);
    const { page, context } = await newPersonOf(owner, browser, language, { screen: 'phone' });
    await page.goto('/profile');
    const changes: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PATCH' || request.url().endsWith('/bulk')) changes.push(request.postData() ?? '');
    });
    const card = page.getByTestId('message').first();
    await card.waitFor();
    const id = Number(await card.getAttribute('data-message-id'));

    await swipe(page, card, { along: 60 * forward });
    await swipe(page, card, { along: -60 * forward });
    expect(await card.evaluate(({ style }) => style.translate)).toBe('');
    await swipe(page, page.getByTestId('message').nth(2), { along: 30 * forward, down: -260 });
    await system.eventually(async () => expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(100));
    expect(changes).toEqual([]);
    expect(await page.locator('details[open]').count()).toBe(0);

    // Scrolling has momentum after a touch ends.
    await system.eventually(async () => {
      await page.evaluate(() => {
        window.scrollTo(0, 0);
      });
      await nextFrames(page);
      expect(await page.evaluate(() => window.scrollY)).toBe(0);
    });
    await swipe(page, card, { along: 140 * forward });
    await system.eventually(async () => expect(await card.getAttribute('data-state')).toBe('read'));
    for (const along of [140, -140]) await swipe(page, card, { along: along * forward });
    await page.getByRole('button', { name: messages.undo.action }).click();
    await system.eventually(async () => expect(await card.getAttribute('data-state')).toBe('unread'));
    const zoomed = page.getByTestId('message').nth(1);
    const input = await context.newCDPSession(page);
    await input.send('Emulation.setPageScaleFactor', { pageScaleFactor: 2 });
    await system.eventually(async () => expect(await zoomed.evaluate(({ style }) => style.touchAction)).toBe('auto'));
    await swipe(page, zoomed, { along: 60 * forward });
    await input.send('Emulation.setPageScaleFactor', { pageScaleFactor: 1 });
    await system.eventually(async () => expect(await zoomed.evaluate(({ style }) => style.touchAction)).toBe(''));
    expect(changes.map((change) => JSON.parse(change) as unknown)).toEqual([{ ids: [id], action: 'read' }]);
    expect(await page.locator('details[open]').count()).toBe(0);
    await context.close();
  });
});

/** The first message below the header, and its position. */
const firstInView = (page: Page) =>
  page.evaluate(() => {
    for (const card of document.querySelectorAll<HTMLElement>('[data-message-id]')) {
      const { top } = card.getBoundingClientRect();
      if (top > 56) return { id: card.dataset['messageId'] ?? '', top };
    }
    return { id: '', top: 0 };
  });

/** The position once nothing moves. */
async function restingPlace(page: Page) {
  let last = await firstInView(page);
  await system.eventually(async () => {
    const before = last;
    await nextFrames(page);
    last = await firstInView(page);
    expect(last).toEqual(before);
    expect(last.id).not.toBe('');
  });
  return last;
}

describe.each(JOURNEY_LANGUAGES)('scrolling an inbox on a phone (%s)', (language) => {
  const { messages, common, site } = WORDS[language];
  const MESSAGES = 80;

  test('scrolling shows each of several hundred messages, even if pages arrive late', async () => {
    const owner = await system.newAccount();
    const HUNDREDS = 210;
    const texts = Array.from({ length: HUNDREDS }, (_, place) => `رسالة ${String(place)}`);
    await Promise.all(texts.map((text) => sendTo(system, owner.id, text)));
    const { page, context } = await newPersonOf(owner, browser, language, { screen: 'phone' });
    // Pages load once the end of the list is in view.
    const isAtEnd = () =>
      page.evaluate(() => Math.ceil(window.scrollY + window.innerHeight) >= document.documentElement.scrollHeight);
    await page.route(/api\/messages\?.*before=/, async (route) => {
      await system.eventually(async () => expect(await isAtEnd()).toBe(true));
      await route.continue();
    });
    await page.goto('/profile');
    await page.getByTestId('message').first().waitFor();
    const places = await page.evaluate(
      (number) =>
        new Promise<number>((resolve) => {
          const seen = new Set<string | null>();
          const step = () => {
            const cards = [...document.querySelectorAll('[aria-posinset]')];
            const inView = cards.filter((card) => {
              const { top, bottom } = card.getBoundingClientRect();
              return bottom > 0 && top < window.innerHeight;
            });
            for (const card of inView) seen.add(card.getAttribute('aria-posinset'));
            if (inView.at(-1)?.getAttribute('aria-posinset') === String(number)) resolve(seen.size);
            else requestAnimationFrame(step);
            // Cards mount a frame after they come into view.
            if (inView.length > 0) window.scrollBy({ top: 50, behavior: 'instant' });
          };
          step();
        }),
      HUNDREDS,
    );
    expect(places).toBe(HUNDREDS);
    await context.close();
  });

  test('Back restores the scroll position despite arrivals, and a distant card keeps the focus', async () => {
    const owner = await system.newAccount();
    for (let count = 1; count <= MESSAGES; count += 1)
      await sendTo(system, owner.id, `${'كلام يطول ويقصر. '.repeat(1 + ((count * 7) % 12))}${String(count)}`);
    const { page, context } = await newPersonOf(owner, browser, language, { screen: 'phone' });
    await page.goto('/profile');
    const cards = page.getByTestId('message');
    await cards.first().locator('summary').focus();
    const focused = await cards.first().getAttribute('data-message-id');
    const listed = page.getByRole('listitem').filter({ has: page.getByTestId('message') });
    const last = async () => Number(await listed.last().getAttribute('aria-posinset'));
    await system.eventually(async () => {
      await page.mouse.wheel(0, 1500);
      expect(await last()).toBe(MESSAGES);
    });
    await page.getByRole('button', { name: common.action.loadMore }).waitFor({ state: 'detached' });
    // The first cards are unmounted, except the focused one.
    expect(Number(await listed.nth(1).getAttribute('aria-posinset'))).toBeGreaterThan(2);
    expect(await listed.first().getAttribute('aria-setsize')).toBe(String(MESSAGES));
    expect(
      await page.evaluate(
        () => document.activeElement?.closest<HTMLElement>('[data-message-id]')?.dataset['messageId'],
      ),
    ).toBe(focused);

    await page.mouse.wheel(0, -3100);
    const left = await restingPlace(page);
    const isWhereItWas = () =>
      system.eventually(async () => {
        const { id, top } = await restingPlace(page);
        expect({ id, isThere: Math.abs(top - left.top) < 1 }).toEqual({ id: left.id, isThere: true });
      });
    await sendTo(system, owner.id, 'وصلت بينما تقرأ');
    await page.getByRole('button', { name: plural(messages, 'arrived', language, 1) }).waitFor();
    await isWhereItWas();

    const about = page.locator('footer').getByRole('link', { name: site.footer.about });
    // Playwright's click would scroll to find the link.
    await about.evaluate((link: HTMLElement) => {
      link.click();
    });
    await page.waitForURL('**/about');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await sendTo(system, owner.id, 'وصلت وأنت في صفحة أخرى');
    await page.goBack();
    await page.getByRole('button', { name: plural(messages, 'arrived', language, 2) }).waitFor();
    await isWhereItWas();
    await page.getByRole('button', { name: plural(messages, 'arrived', language, 2) }).click();
    await page.getByText('وصلت وأنت في صفحة أخرى').waitFor();
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
    await context.close();
  });
});

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
    await owner.mouse.click(195, 60);
    await sheet.waitFor({ state: 'detached' });
    await expectFocus(button);
    await button.press('Enter');
    await sheet.waitFor();
    await owner.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await expectFocus(button);
    await button.press('Enter');
    await sheet.waitFor();
    // Last: other widths close what is open.
    await takeShots(owner, 'message-menu', language, { screenOnly: true });
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

describe.each(JOURNEY_LANGUAGES)('two tabs of an owner (%s)', (language) => {
  const { messages, wayBack } = WORDS[language];

  test('a tab shows what another one publishes, deletes and discards', async () => {
    const owner = await system.newAccount();
    await call('PUT', '/api/filters', owner.cookie, { words: ['aside'], lists: [] });
    for (const content of ['alpha', 'omega', 'aside']) await system.sendMessage(owner.id, { content });
    const { page: first, context } = await newPersonOf(owner, browser, language);
    await first.goto('/profile');
    const second = await context.newPage();
    await second.goto('/profile');
    const [here, there] = [first.getByTestId('message'), second.getByTestId('message')];
    await there.filter({ hasText: 'omega' }).waitFor();
    const alpha = await unfold(here.filter({ hasText: 'alpha' }));
    await alpha.getByRole('button', { name: messages.action.publish, exact: true }).click();
    await there.filter({ hasText: 'alpha' }).getByText(messages.badge.published, { exact: true }).waitFor();
    const omega = await unfold(here.filter({ hasText: 'omega' }));
    await omega.getByRole('button', { name: messages.action.deleteThis, exact: true }).click();
    await first.getByRole('button', { name: messages.remove.confirm, exact: true }).click();
    await there.filter({ hasText: 'omega' }).waitFor({ state: 'detached' });

    for (const page of [first, second]) {
      await page.getByRole('button', { name: messages.aside.title }).click();
      await page.getByTestId('aside-message').waitFor();
    }
    await first.getByTestId('aside-message').getByRole('button', { name: messages.action.delete }).click();
    await second.getByRole('heading', { name: messages.aside.nothing }).waitFor();
    expect(await second.getByTestId('aside-message').count()).toBe(0);
    await context.close();
  });

  test('an owner answers in a conversation, and what its sender writes next shows there', async () => {
    const account = await system.newAccount();
    const imageUrl = `data:image/jpeg;base64,${await readFile(PHOTOGRAPHS.withPlace, 'base64')}`;
    const { id, wayBack: path = '' } = await system.sendMessage(account.id, { content: 'alpha', imageUrl });
    const follow = (content: string) =>
      call('POST', `/api/ways-back/${path.slice('/r/'.length)}/messages`, undefined, { content });
    await call('POST', '/api/replies', account.cookie, { messageId: id, content: 'beta' });
    await follow('gamma');
    const { page: owner, context } = await newPersonOf(account, browser, language, { screen: 'phone' });

    const { conversation } = messages;
    await system.eventually(async () => {
      await owner.goto('/profile');
      await owner.getByTestId('message').first().waitFor();
      expect(await owner.getByRole('button', { name: conversation.open }).count()).toBe(1);
    });
    expect(await owner.getByTestId('message').count()).toBe(1);
    await owner.getByRole('button', { name: conversation.open }).press('Enter');
    const dialog = owner.getByRole('dialog');
    await dialog.getByText(wayBack.talk.yours, { exact: true }).waitFor();
    await dialog.getByTestId('message-image').waitFor();
    await look(owner, 'conversation', language);
    await dialog.getByRole('textbox').fill('delta');
    await dialog.getByRole('button', { name: conversation.send, exact: true }).click();
    await dialog.getByText(wayBack.talk.waiting, { exact: true }).waitFor();
    await follow('epsilon');
    await dialog.getByText('epsilon', { exact: true }).waitFor();
    await dialog.getByText(wayBack.talk.yours, { exact: true }).waitFor();
    expect(
      await dialog
        .getByTestId('turn')
        .evaluateAll((turns) => turns.map((turn) => turn.querySelector('p')?.textContent)),
    ).toEqual(['alpha', 'beta', 'gamma', 'delta', 'epsilon']);
    await dialog.getByRole('button', { name: conversation.back }).click();
    await dialog.waitFor({ state: 'detached' });
    await context.close();
  });
});
