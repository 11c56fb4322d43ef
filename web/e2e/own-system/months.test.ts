// Long run: a system of its own.
import { afterAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { browserSide } from '../browser-side.js';
import { LANGUAGES, launchBrowser, takeShots, WORDS } from '../browser.js';
import { look, newOwner, openTool, ownIdOf, sendTo } from '../helpers.js';

/* Needs the database: no call sends messages in the past. */

const [system, browser] = await Promise.all([browserSide.startSystem(), launchBrowser()]);

afterAll(() => system.stop());

/** Changes the time of messages. */
async function moveInTime(times: ReadonlyMap<number, Date>): Promise<void> {
  const database = await system.openDatabase('messages');
  const messages = database.collection('messages');
  await Promise.all([...times].map(([id, createdAt]) => messages.updateOne({ id }, { $set: { createdAt } })));
  await database.close();
}

const shown = (page: Page): Promise<string[]> => page.getByTestId('message-text').allTextContents();

describe.each(LANGUAGES)('months of an inbox (%s)', (language) => {
  const { messages } = WORDS[language];
  const locale = language === 'ar' ? 'ar-EG' : 'en-GB';

  test('months are offered with their counts, and lead to their messages', async () => {
    const { page, context } = await newOwner(browser, language, 'months', {
      origin: system.url,
      screen: 'phone',
    });
    const owner = await ownIdOf(page);
    const days = [
      '2025-12-10',
      '2025-12-11',
      '2025-12-12',
      '2025-12-13',
      '2025-12-14',
      '2025-12-20',
      '2026-08-05',
      '2026-09-06',
      '2026-09-07',
      '2026-09-08',
    ];
    const ids: number[] = [];
    for (const day of days) ids.push(await sendTo(system, owner, `رسالة ${day}`));
    await moveInTime(new Map(ids.map((id, place) => [id, new Date(`${days[place] ?? ''}T12:00:00Z`)])));
    await page.reload();
    await system.eventually(async () => expect(await shown(page)).toHaveLength(days.length));

    await openTool(page, language, 'month');
    const monthName = (month: string, full: boolean) =>
      new Intl.DateTimeFormat(locale, { month: 'long', ...(full && { year: 'numeric' }) }).format(new Date(month));
    const items = page.getByRole('menuitem');
    await items.nth(2).waitFor();
    expect(await items.allTextContents()).toEqual(
      [
        ['2026-09', 3],
        ['2026-08', 1],
        ['2025-12', 6],
      ].map(
        ([month, count]) => `${monthName(String(month), false)}${new Intl.NumberFormat(locale).format(Number(count))}`,
      ),
    );
    await takeShots(page, 'inbox-months', language, { screenOnly: true });
    await items.nth(1).click();
    const textsOf = (places: number[]) => places.map((place) => `رسالة ${days[place] ?? ''}`);
    await system.eventually(async () => expect(await shown(page)).toEqual(textsOf([6, 5, 4, 3, 2, 1, 0])));
    expect(await page.getByRole('heading', { level: 3 }).allTextContents()).toEqual(
      ['2026-08', '2025-12'].map((month) => monthName(month, true)),
    );

    // Earlier messages join above them.
    const before = page.getByRole('button', { name: messages.month.before });
    await before.click();
    await system.eventually(async () => expect(await shown(page)).toEqual(textsOf([9, 8, 7, 6, 5, 4, 3, 2, 1, 0])));
    expect(await page.getByRole('heading', { level: 3 }).allTextContents()).toEqual(
      ['2026-09', '2026-08', '2025-12'].map((month) => monthName(month, true)),
    );
    expect(await before.isVisible()).toBe(false);

    // In the other order the list begins with the month's first message.
    await openTool(page, language, 'oldest');
    await system.eventually(async () => expect(await shown(page)).toEqual(textsOf([6, 7, 8, 9])));
    await look(page, 'inbox-month', language);
    await page.getByRole('button', { name: messages.month.back }).click();
    await system.eventually(async () => expect(await shown(page)).toEqual(textsOf([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])));
    await context.close();
  });

  test('a list at a month grows while scrolling back, and moves nothing', async () => {
    const { page, context } = await newOwner(browser, language, 'scroll', { origin: system.url, screen: 'phone' });
    const owner = await ownIdOf(page);
    const NUMBER = 30;
    const times = new Map<number, Date>();
    for (const month of ['2026-07', '2026-08'])
      for (let place = 0; place < NUMBER; place += 1)
        times.set(await sendTo(system, owner, `رسالة ${month}`), new Date(`${month}-10T12:00:00Z`));
    await moveInTime(times);
    await page.reload();
    await openTool(page, language, 'month');
    await page.getByRole('menuitem').nth(1).click();
    const before = page.getByRole('button', { name: messages.month.before });
    await before.waitFor();
    await system.eventually(async () => {
      await page.evaluate(() => {
        window.scrollTo({ top: document.body.scrollHeight, behavior: 'instant' });
      });
      expect(await page.locator(`[aria-posinset="${String(NUMBER)}"]`).isVisible()).toBe(true);
    });

    /** The first message in view, its painted position, and its place in the list. */
    const first = (id?: string) =>
      page.evaluate(async (wanted) => {
        const cards = [...document.querySelectorAll<HTMLElement>('[data-message-id]')];
        const isInView = ({ top }: DOMRect) => top > 60 && top < window.innerHeight;
        const card = cards.find((each) =>
          wanted === undefined ? isInView(each.getBoundingClientRect()) : each.dataset['messageId'] === wanted,
        );
        if (card === undefined) throw new Error('The message is not in the document.');
        // Between two frames the list has not yet corrected for heights of cards added above.
        const { top } = await new Promise<DOMRectReadOnly>((resolve) => {
          const painted = new IntersectionObserver(([entry]) => {
            painted.disconnect();
            if (entry !== undefined) resolve(entry.boundingClientRect);
          });
          painted.observe(card);
        });
        return {
          id: card.dataset['messageId'],
          top: Math.round(top),
          place: Number(card.closest('[role=listitem]')?.getAttribute('aria-posinset')),
        };
      }, id);
    let release: () => void = () => undefined;
    const isMeasured = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/api\/messages\?.*sort=oldest/, async (route) => {
      await isMeasured;
      await route.continue();
    });
    // Near enough to load, and out of sight.
    await before.evaluate((button) => {
      window.scrollBy({ top: button.getBoundingClientRect().bottom + 400, behavior: 'instant' });
    });
    let seen: Awaited<ReturnType<typeof first>> | undefined;
    // The list follows a scroll a frame later.
    await system.eventually(async () => {
      seen = await first();
    });
    const { id, top = Number.NaN, place = Number.NaN } = seen ?? {};
    release();
    await system.eventually(async () => expect((await first(id)).place).toBe(place + NUMBER));
    expect(Math.abs((await first(id)).top - top)).toBeLessThanOrEqual(2);
    await context.close();
  });
});
