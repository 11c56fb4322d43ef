// Long run: the inbox in the browser.
import { describe, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { type Language, JOURNEY_LANGUAGES, LANGUAGES, launchBrowser, takeShots, WORDS, system } from './browser.js';
import {
  createStaff,
  expectFocus,
  newPersonOf,
  openTool,
  PHOTOGRAPHS,
  sendTo,
  STAFF_PASSWORD,
  unfold,
  WRITTEN,
} from './helpers.js';
import { call, sessionOf } from './states/sweep.js';
import { lookAt } from './watch.js';

const TEXTS = [
  'أخبرني عن أجمل يوم في حياتك.',
  'ما الكتاب الذي غيّرك؟',
  'I have wanted to say this for years: thank you.',
  'صوتك يبعث الطمأنينة.',
  'رسالتك الأخيرة أضحكتني، ثم أبكتني.',
];
const RECEIVED = 23;
const SENT = 2;

const browser = await launchBrowser();

const idsOf = (page: Page) =>
  page
    .getByTestId('message')
    .evaluateAll((cards) => cards.map((card) => Number((card as HTMLElement).dataset['messageId'])));

/** Waits for a list of this length. @returns its ids */
async function listed(page: Page, count: number): Promise<number[]> {
  await system.eventually(async () => expect(await idsOf(page)).toHaveLength(count));
  return idsOf(page);
}

const numberIn = (language: Language, value: number) =>
  new Intl.NumberFormat(language === 'ar' ? 'ar-EG' : 'en-GB').format(value);

/** @returns the ids of all received and sent messages, oldest first */
async function fillInbox({ id: ownerId, cookie }: { id: number; cookie: string }): Promise<number[]> {
  const friend = await system.newAccount();
  const ids: number[] = [];
  for (let count = 1; count <= RECEIVED; count += 1)
    ids.push(
      await sendTo(
        system,
        ownerId,
        TEXTS[count % TEXTS.length] ?? '',
        count === RECEIVED - 1 ? PHOTOGRAPHS.withPlace : undefined,
      ),
    );
  for (let count = 1; count <= SENT; count += 1) {
    const content = `كلمة لك وحدك، رقم ${count}.`;
    const { id } = await system.sendMessage(friend.id, { content }, { cookie });
    if (count === SENT)
      await call('POST', '/api/replies', friend.cookie, { messageId: id, content: 'وصلت، وأسعدتني.' });
    ids.push(id);
  }
  await call('PATCH', `/api/messages/${ids[0]}`, cookie, { isRead: true });
  return ids;
}

describe.each(JOURNEY_LANGUAGES)('dashboard (%s)', (language) => {
  const words = WORDS[language];

  test('the dashboard lists, filters, sorts and counts messages', async () => {
    const owner = await system.newAccount();
    const ids = await fillInbox(owner);
    const { page, context } = await newPersonOf(owner, browser, language);
    // Its list goes on when it is asked to.
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'connection', { value: { saveData: true } });
    });
    await page.goto('/profile');
    const newestFirst = [...ids].reverse();

    // Ten received messages and the sent ones between them.
    expect(await listed(page, 10 + SENT)).toEqual(newestFirst.slice(0, 10 + SENT));
    // A message that arrives between two pages causes neither a gap nor a duplicate: it is offered, and moves nothing.
    const fresh = await sendTo(system, owner.id, 'وصلتُ بينما كنتَ تقرأ.');
    const more = page.getByRole('button', { name: words.common.action.loadMore });
    await more.click();
    await system.eventually(async () => expect((await idsOf(page)).filter((id) => id !== fresh)).toEqual(newestFirst));
    await more.waitFor({ state: 'detached' });
    await takeShots(page, 'dashboard', language);
    const all = await idsOf(page);
    expect(new Set(all).size).toBe(all.length);

    await page.reload();
    const filter = (name: keyof typeof words.messages.filter) =>
      page.getByRole('radio', {
        name: new RegExp(`^${words.messages.filter[name]}( ${numberIn(language, RECEIVED)})?$`),
      });
    for (const [name, shown] of [
      ['unread', 10],
      ['read', 1],
      ['received', 10],
      ['sent', SENT],
      ['all', 10 + SENT],
    ] as const) {
      await filter(name).click();
      await listed(page, shown);
    }
    await filter('sent').click();
    await (await unfold(page.locator('[data-state="sent"]'))).getByText('وصلت، وأسعدتني.').waitFor();
    await takeShots(page, 'dashboard-sent', language);
    await page.getByTestId('account-row').locator('[aria-haspopup="dialog"]').click();
    expect(await page.getByTestId('stats-received').textContent()).toBe(numberIn(language, RECEIVED + 1));
    expect(await page.getByTestId('stats-unread').textContent()).toBe(numberIn(language, RECEIVED));
    await page.keyboard.press('Escape');

    await filter('all').click();
    await openTool(page, language, 'oldest');
    await system.eventually(async () => expect((await idsOf(page))[0]).toBe(ids[0]));
    expect(await listed(page, 10)).toEqual(ids.slice(0, 10));
    await context.close();
  });

  test('a change shows at once and is rolled back when the service does not answer', async () => {
    const owner = await system.newAccount();
    const id = await sendTo(system, owner.id, TEXTS[0] ?? '');
    const { page, context } = await newPersonOf(owner, browser, language, { screen: 'phone', outages: true });
    await page.goto('/profile');
    const card = page.locator(`[data-message-id="${id}"]`);
    await card.locator('summary').click();
    await card.getByRole('button', { name: words.messages.action.publish, exact: true }).waitFor();

    const changes = `**/api/messages/${id}`;
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    await page.route(changes, async (route) => {
      await answered;
      await route.fulfill({ status: 503, json: { code: 'unavailable', message: 'messages is not available.' } });
    });
    await card.getByRole('button', { name: words.messages.action.publish, exact: true }).press('Enter');
    await card.getByText(words.messages.badge.published, { exact: true }).waitFor();
    expect(await page.getByTestId('toast').count()).toBe(0);
    answer();
    const failed = words.messages.update.failed.replace('{{text}}', '');
    await page.getByTestId('toast').filter({ hasText: failed }).waitFor();
    await card.getByText(words.messages.badge.private, { exact: true }).waitFor();
    await takeShots(page, 'dashboard-rollback', language);

    await page.unroute(changes);
    await card.getByRole('button', { name: words.messages.action.publish, exact: true }).click();
    await page.getByTestId('toast').filter({ hasText: words.messages.update.done }).waitFor();
    await card.getByRole('button', { name: words.messages.action.unpublish, exact: true }).click();
    await card.getByText(words.messages.badge.private, { exact: true }).waitFor();
    await context.close();
  });

  test('the keyboard alone replies, opens a picture and deletes', async () => {
    const owner = await system.newAccount();
    const older = await sendTo(system, owner.id, TEXTS[1] ?? '');
    const newer = await sendTo(system, owner.id, TEXTS[2] ?? '', PHOTOGRAPHS.withPlace);
    const { page, context } = await newPersonOf(owner, browser, language);
    await page.goto('/profile');
    const row = (id: number) => page.locator(`[data-message-id="${id}"] > button`);
    const pane = page.getByTestId('reading');
    const press = async (place: Locator) => {
      await place.focus();
      await page.keyboard.press('Enter');
    };
    await row(newer).click();

    const picture = pane.getByRole('button', { name: words.common.message.openImage });
    const widthOf = (image: Locator) =>
      image.evaluate((element) =>
        (element as HTMLImageElement).decode().then(() => (element as HTMLImageElement).naturalWidth),
      );
    await picture.scrollIntoViewIfNeeded();
    expect(await widthOf(pane.getByTestId('message-image'))).toBe(760);
    expect(
      await typesOf(page, (await pane.getByTestId('message-image').getAttribute('src')) ?? '', [
        'image/webp',
        'image/jpeg',
        'image/webp',
      ]),
    ).toEqual(['image/webp', 'image/jpeg', 'image/webp']);
    await press(picture);
    expect(await widthOf(page.getByTestId('image-viewer').getByRole('img'))).toBe(1600);
    await takeShots(page, 'dashboard-viewer', language);
    await page.keyboard.press('Escape');
    await expectFocus(picture);

    await press(row(newer));
    await expectFocus(pane.getByRole('textbox', { name: words.messages.reply.title }));
    await page.keyboard.type('شكرًا لك، كائنًا من كنت.');
    await takeShots(page, 'dashboard-reply', language);
    await press(pane.getByRole('button', { name: words.messages.reply.send }));
    const toast = page.getByTestId('toast');
    await toast
      .filter({ hasText: words.messages.reply.done })
      .filter({ hasText: words.messages.reply.doneText })
      .waitFor();
    await pane.getByTestId('reply').waitFor();
    await pane.getByText(words.messages.badge.read, { exact: true }).waitFor();
    await expectFocus(pane.getByRole('button', { name: words.messages.reply.send }));

    await row(older).click();
    await press(pane.getByRole('button', { name: words.messages.action.markRead }));
    await toast.filter({ hasText: words.messages.update.done }).waitFor();
    await expectFocus(row(older));

    await row(newer).click();
    await press(pane.getByRole('button', { name: words.messages.action.deleteThis, exact: true }));
    await page.getByRole('alertdialog').waitFor();
    await takeShots(page, 'dashboard-delete', language);
    await press(page.getByRole('button', { name: words.messages.remove.confirm }));
    await toast.filter({ hasText: words.messages.remove.done }).waitFor();
    expect(await listed(page, 1)).toEqual([older]);
    await expectFocus(row(older));
    await context.close();
  });

  test('a verified administrator sees the premium banner and an empty unread list', async () => {
    const username = await createStaff(system, language, { name: 'premium', isVerified: true });
    const cookie = await sessionOf(username, STAFF_PASSWORD);
    const { id: ownId } = await call<{ id: number }>('GET', '/api/user', cookie);
    const id = await sendTo(system, ownId, TEXTS[0] ?? '');
    await call('PATCH', `/api/messages/${id}`, cookie, { isRead: true });
    const { page, context } = await newPersonOf({ cookie }, browser, language, { screen: 'phone' });
    await page.goto('/profile');
    await page.getByTestId('premium-banner').locator('[aria-haspopup]').click();
    await page.getByRole('dialog').getByText('VERIFIED ACCOUNT').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('radio', { name: words.messages.filter.unread, exact: true }).click();
    await page.getByText(words.messages.empty.unread, { exact: true }).waitFor();
    await takeShots(page, 'dashboard-premium', language);
    await context.close();
  });
});

const LONG = {
  ar: 'قرأتُ ما كتبته عن أبيك ثلاث مرات. لم أستطع أن أكمل في المرة الأولى، ثم عدت إليه في الليل حين نام البيت، ففهمت أنك كنت تكتبين عن الناس جميعًا، عن كل من لم يقل لأبيه كلمة في وقتها.',
  en: 'I read what you wrote about your father three times. I could not finish the first time; I came back at night when the house was asleep, and saw that you were writing about all of us, and about everyone who never said a word in time.',
};

describe.each(LANGUAGES)('an inbox on a phone (%s)', (language) => {
  const { messages, common, profile } = WORDS[language];

  test("a phone's inbox begins with the newest message, shows five of three lines, and opens one by a press", async () => {
    const owner = await system.newAccount();
    for (let count = 0; count < 10; count += 1) await sendTo(system, owner.id, LONG[language]);
    const { page, context } = await newPersonOf(owner, browser, language, { screen: 'phone' });
    await page.goto('/profile');
    for (const [width, height, firstWords] of [
      [390, 844, 240],
      [360, 640, 240],
      [768, 1024, 290],
    ] as const) {
      await page.setViewportSize({ width, height });
      await listed(page, 10);
      const box = async (place: Locator) => (await place.boundingBox()) ?? { x: 0, y: 0, width: 0, height: Infinity };
      const cards = page.getByTestId('message');
      // Places follow the width a moment later.
      await system.eventually(async () => {
        expect((await box(page.getByTestId('account-row'))).height).toBeLessThanOrEqual(56);
        expect((await box(page.getByTestId('message-text').first())).y).toBeLessThanOrEqual(firstWords);
        if (width < 768) expect((await box(cards.first())).height).toBeLessThanOrEqual(130);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      });
      if (height !== 844) continue;
      // Below the header, with the first one scrolled there.
      const [first, fifth] = [await box(cards.first()), await box(cards.nth(4))];
      expect(fifth.y + fifth.height - first.y).toBeLessThanOrEqual(844 - 56);
    }
    await page.setViewportSize({ width: 320, height: 640 });
    const cut = await page
      .getByTestId('account-row')
      .locator('bdi')
      .evaluateAll(
        (parts) => parts.filter((part) => part.scrollWidth > part.clientWidth && part.clientWidth > 0).length,
      );
    expect(cut).toBe(0);
    await page.setViewportSize({ width: 360, height: 640 });
    // All sections of the dashboard are there, in their order.
    await page.getByTestId('account-row').locator('[aria-haspopup]').click();
    const sheet = page.getByRole('dialog');
    await sheet.getByText(profile.info.unavailable).first().waitFor();
    expect(await sheet.getByRole('heading', { level: 3 }).allTextContents()).toEqual([
      profile.link.title,
      profile.info.title,
      profile.stats.title,
    ]);
    expect(await sheet.getByTestId('stats-received').textContent()).toBe(numberIn(language, 10));
    await lookAt(page);
    await takeShots(page, 'dashboard-sheet', language);
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });

    const card = page.getByTestId('message').first();
    await card.getByText(common.message.more, { exact: true }).waitFor();
    const text = card.getByTestId('message-text');
    const closed = (await text.boundingBox())?.height ?? 0;
    await card.locator('summary').click();
    await card.getByText(common.message.less, { exact: true }).waitFor();
    expect((await text.boundingBox())?.height).toBeGreaterThan(closed);
    await card.getByRole('button', { name: messages.action.more }).waitFor();
    await lookAt(page);
    await takeShots(page, 'dashboard-open', language);
    await card.locator('summary').press('Enter');
    await card.getByRole('button', { name: messages.action.more }).waitFor({ state: 'detached' });
    await card.locator('summary').press('Enter');
    await card.getByRole('button', { name: messages.badge.read, exact: true }).press('Enter');
    await card.and(page.locator('[data-state="read"]')).waitFor();
    await context.close();
  });
});

describe.each(LANGUAGES)('an inbox on a desk (%s)', (language) => {
  const { messages } = WORDS[language];

  test('a desk has a list of eight messages in view, a pane that reads, and the keyboard between them', async () => {
    const owner = await system.newAccount();
    const { messages: short } = WRITTEN[language];
    for (let count = 0; count < 14; count += 1)
      await sendTo(system, owner.id, count % 4 === 0 ? LONG[language] : (short[count % 4] ?? ''));
    const { page, context } = await newPersonOf(owner, browser, language);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto('/profile');
    const ids = await listed(page, 14);
    const boxOf = async (place: Locator) => (await place.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const pane = page.getByRole('region', { name: messages.pane.label });
    await pane.getByRole('heading', { name: messages.pane.title }).waitFor();
    const places = async () => ({
      list: await boxOf(page.getByRole('list', { name: messages.list.title, exact: true })),
      pane: await boxOf(pane),
    });
    const empty = await places();
    expect(Math.abs(empty.list.width - 420)).toBeLessThanOrEqual(2);
    expect(Math.abs(empty.pane.width - 688)).toBeLessThanOrEqual(2);
    expect(empty.pane.y + empty.pane.height).toBeLessThanOrEqual(800);
    expect((await boxOf(page.getByTestId('message-text').first())).y).toBeLessThanOrEqual(240);
    await lookAt(page);

    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('j');
    await pane.getByTestId('reading-text').waitFor();
    await expectFocus(page.locator(`[data-message-id="${String(ids[1])}"] > button`));
    expect(await places()).toEqual(empty);
    expect(new URL(page.url()).search).toBe(`?message=${String(ids[1])}`);
    await lookAt(page);
    await takeShots(page, 'dashboard-desk', language);
    await page.keyboard.press('Enter');
    const field = pane.getByRole('textbox');
    await expectFocus(field);
    await page.keyboard.type('jk');
    expect(await field.inputValue()).toBe('jk');
    await page.keyboard.press('Escape');
    for (let count = 0; count < 7; count += 1) await page.keyboard.press('ArrowDown');
    await expectFocus(page.locator(`[data-message-id="${String(ids[8])}"] > button`));

    await page.evaluate(() => {
      const list = document.querySelector('[role="list"]');
      window.scrollBy({ top: (list?.getBoundingClientRect().top ?? 0) - 61, behavior: 'instant' });
    });
    const inView = await page.getByTestId('message').evaluateAll(
      (rows) =>
        rows.filter((each) => {
          const { top, bottom } = each.getBoundingClientRect();
          return top >= 60 && bottom <= window.innerHeight;
        }).length,
    );
    expect(inView).toBeGreaterThanOrEqual(8);

    await page.keyboard.press('Escape');
    await pane.getByRole('heading', { name: messages.pane.title }).waitFor();
    await page.goto(`/profile?message=${String(ids[3])}`);
    await pane.getByTestId('reading-text').waitFor();
    await page.locator(`[data-message-id="${String(ids[3])}"] > button[aria-current]`).waitFor();
    await context.close();
  });
});

/** Content types by Accept header, through the gateway and the browser cache. */
function typesOf(page: Page, source: string, accepted: string[]): Promise<(string | null)[]> {
  return page.evaluate(
    async ([address, kinds]) => {
      const types: (string | null)[] = [];
      for (const accept of kinds)
        types.push((await fetch(address, { headers: { accept } })).headers.get('content-type'));
      return types;
    },
    [source, accepted] as const,
  );
}
