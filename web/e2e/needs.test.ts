// Long run: larger texts, forced colours and keyboards.
import { describe, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import {
  JOURNEY_LANGUAGES,
  type Language,
  LANGUAGES,
  launchBrowser,
  newPerson,
  system,
  WIDTHS,
  WORDS,
} from './browser.js';
import { expectFocus, FIRST_PASSWORD, newPersonOf, unfold } from './helpers.js';
import { call } from './states/sweep.js';
import { lookAt, overflowOf, promptly } from './watch.js';

const browser = await launchBrowser();

/** With an unread message and a published one with a reply. */
async function newOwnerWithMessages(language: Language) {
  const owner = await system.newAccount();
  const { id: messageId } = await system.sendMessage(owner.id, {
    content: 'ما الكتاب الذي غيّرك؟ أقرأ هذه الأيام كثيرًا.',
  });
  await system.sendMessage(owner.id, { content: 'I have wanted to say this for years: thank you.' });
  await call('POST', '/api/replies', owner.cookie, { messageId, content: 'وصلت، وأسعدتني.' });
  await call('PATCH', `/api/messages/${String(messageId)}`, owner.cookie, { isPublic: true });
  const settings = ['', '/receiving', '/questions', '/access', '/notices', '/data'];
  const paths = [
    '/help',
    '/privacy',
    `/m/${owner.username}`,
    '/profile',
    ...settings.map((path) => `/settings${path}`),
  ];
  return { ...(await newPersonOf(owner, browser, language)), username: owner.username, paths };
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
  await page.waitForLoadState('networkidle');
}

/** Least spacing to support, by success criterion 1.4.12 of WCAG. */
const SPACING = `
  * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
  p { margin-block-end: 2em !important; }
`;

/** Clipped texts. */
const cutTexts = (page: Page) =>
  page.evaluate(() => {
    const isCut = (text: Text): boolean => {
      const range = document.createRange();
      range.selectNodeContents(text);
      const { left, right, top, bottom } = range.getBoundingClientRect();
      for (let box = text.parentElement; box !== null && box !== document.body; box = box.parentElement) {
        const { overflowX, overflowY, textOverflow, webkitLineClamp } = getComputedStyle(box);
        if (/auto|scroll/.test(overflowX + overflowY)) return false;
        if (textOverflow === 'ellipsis' || webkitLineClamp !== 'none') return false;
        const edge = box.getBoundingClientRect();
        // For screen readers only.
        if (edge.width <= 1) return false;
        if (overflowX !== 'visible' && (left < edge.left - 1 || right > edge.right + 1)) return true;
        if (overflowY !== 'visible' && (top < edge.top - 1 || bottom > edge.bottom + 1)) return true;
      }
      return false;
    };
    const cut: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      const shown = text.parentElement?.checkVisibility({ visibilityProperty: true, opacityProperty: true }) === true;
      if (shown && text.textContent?.trim() !== '' && isCut(text as Text)) cut.push(text.textContent ?? '');
    }
    return cut;
  });

/** A focused element that is covered, or has no outline on or around it. */
const unseenFocus = (page: Page) =>
  page.evaluate(() => {
    const focused = document.activeElement;
    if (focused === null || focused === document.body) return null;
    // A heading focused by a script is read, not used.
    if (focused.getAttribute('tabindex') === '-1' && focused.getAttribute('role') === null) return null;
    const around = [focused, ...(focused.parentElement?.children ?? [])];
    for (let box = focused.parentElement; box !== null && around.length < 40; box = box.parentElement) around.push(box);
    const outlined = around.some((element) => {
      const { outlineStyle, outlineWidth, outlineColor, boxShadow } = getComputedStyle(element);
      const isDrawn = outlineColor !== 'rgba(0, 0, 0, 0)' || boxShadow !== 'none';
      return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2 && isDrawn;
    });
    const { left, right, top, bottom, width, height } = focused.getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2];
    const hit = document.elementFromPoint(x, y);
    // A field drawn by another element has no size of its own.
    const isCovered = width > 4 && height > 4 && !(hit !== null && (focused.contains(hit) || hit.contains(focused)));
    if (outlined && !isCovered) return null;
    const [here, there] = [focused, hit].map((element) => element?.outerHTML.slice(0, 200));
    return isCovered ? `${String(here)} is covered by ${String(there)}` : `${String(here)} has no outline`;
  });

const isFocused = (place: Locator) => place.evaluate((element) => element === document.activeElement);

const MOST_STOPS = 90;

/** Tabs until `isThere`, and checks the focus at each stop. The focus alone makes no new state to look at. */
const tabUntil = (page: Page, isThere: (stops: number) => boolean | Promise<boolean>): Promise<void> =>
  promptly(page, async () => {
    for (let stops = 0; !(await isThere(stops)); stops += 1) {
      await page.keyboard.press('Tab');
      expect([page.url(), await unseenFocus(page)]).toEqual([page.url(), null]);
    }
  });

async function tabTo(page: Page, place: Locator): Promise<void> {
  await place.waitFor();
  await tabUntil(page, (stops) => {
    if (stops > MOST_STOPS) throw new Error(`Tab does not lead to ${String(place)}.`);
    return isFocused(place);
  });
}

async function tabAndPress(page: Page, place: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, place);
  await page.keyboard.press(key);
}

async function tabAndType(page: Page, place: Locator, text: string): Promise<void> {
  await tabTo(page, place);
  await page.keyboard.type(text);
}

/** Choices and the focus stay visible. */
async function seeForcedColours(page: Page): Promise<void> {
  await page.setViewportSize(WIDTHS.desktop);
  await page.emulateMedia({ forcedColors: 'active' });
  const alike = await page.evaluate(() => {
    const look = (element: Element) => {
      const { outlineStyle, outlineColor, backgroundColor, borderTopColor } = getComputedStyle(element);
      return [outlineStyle, outlineColor, backgroundColor, borderTopColor].join();
    };
    const chosen = [
      ...document.querySelectorAll(':is([role=radio],[role=tab])[aria-checked=true],[aria-selected=true]'),
    ];
    return chosen.flatMap((element) => {
      const other = element.parentElement?.querySelector('[aria-checked=false],[aria-selected=false]');
      return other && look(other) === look(element) ? [element.outerHTML] : [];
    });
  });
  expect([page.url(), alike]).toEqual([page.url(), []]);
  await tabUntil(page, (stops) => stops === 25);
  await lookAt(page);
  await page.emulateMedia({ forcedColors: 'none' });
}

// Line breaks depend on the language.
describe.each(LANGUAGES)('for a person who needs larger texts (%s)', (language) => {
  test('pages lose nothing with wide-set texts, at double and at fourfold size, and with forced colours', async () => {
    const { page, context, paths } = await newOwnerWithMessages(language);
    for (const path of paths) {
      await open(page, path);
      if (JOURNEY_LANGUAGES.includes(language)) await seeForcedColours(page);
      for (const [width, height, size, spacing] of [
        [1280, 900, '100%', SPACING],
        [390, 844, '100%', SPACING],
        [640, 450, '100%', ''],
        [320, 256, '100%', ''],
        [390, 844, '200%', ''],
      ] as const) {
        await page.setViewportSize({ width, height });
        await page.evaluate(
          ([chosen, rules]) => {
            document.documentElement.style.fontSize = chosen;
            const sheet = new CSSStyleSheet();
            sheet.replaceSync(rules);
            document.adoptedStyleSheets = [sheet];
          },
          [size, spacing] as const,
        );
        const state = { path, width, size, spaced: spacing !== '' };
        const [overflow, cut] = [await overflowOf(page), await cutTexts(page)];
        expect({ ...state, overflow, cut }).toEqual({ ...state, overflow: 0, cut: [] });
      }
    }
    await context.close();
  });
});

describe.each(JOURNEY_LANGUAGES)('for other accessibility needs (%s)', (language) => {
  const { common, messages, publicPage } = WORDS[language];

  test('nothing moves under reduced motion', async () => {
    const { page, context, username } = await newOwnerWithMessages(language);
    const moved: string[] = [];
    await page.exposeFunction('tellMotion', (what: string) => {
      moved.push(what);
    });
    await page.addInitScript(() => {
      const { tellMotion } = globalThis as unknown as { tellMotion: (what: string) => void };
      for (const kind of ['animationstart', 'transitionrun'])
        document.addEventListener(kind, ({ target }) => {
          tellMotion(`${kind} ${(target as Element).outerHTML.slice(0, 120)}`);
        });
    });
    await page.goto('/');
    await page.goto(`/m/${username}`);
    await page.getByLabel(publicPage.composer.label).fill('hello');
    await page.goto('/profile');
    const card = await unfold(page.getByTestId('message'));
    await card.getByRole('button', { name: messages.action.more }).click();
    await page.getByRole('menu').waitFor();
    await page.keyboard.press('Escape');
    await card.getByRole('button', { name: messages.action.markRead }).click();
    await page.getByTestId('toast').first().waitFor();
    await page.getByRole('button', { name: common.assistant.open }).click();
    await page.getByRole('dialog').waitFor();
    expect(moved).toEqual([]);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.goto('/profile');
    await unfold(page.getByTestId('message'));
    await page.getByRole('button', { name: messages.action.more }).first().click();
    await system.eventually(async () => {
      await page.getByRole('menu').waitFor();
      expect(moved).not.toEqual([]);
    });
    await context.close();
  });
});

/** Each direction and each width once. */
describe.each([
  ['ar', 390],
  ['en', 1280],
] as const)('for a person without a pointer (%s, %i pixels)', (language, width) => {
  const { auth, messages, profile, publicPage } = WORDS[language];

  test('everything works by keyboard', async () => {
    const username = `keys${String(width)}-${language}-${Date.now().toString(36)}`;
    const owner = await newPerson(browser, system.url, language);
    const { page } = owner;
    await page.setViewportSize({ width, height: 844 });
    await page.goto('/auth');
    await tabAndType(page, page.getByLabel(auth.field.name, { exact: true }), 'Noura');
    await tabAndType(page, page.getByLabel(auth.field.username, { exact: true }), username);
    await tabAndType(page, page.getByLabel(auth.field.password, { exact: true }), FIRST_PASSWORD);
    await tabAndType(page, page.getByLabel(auth.field.confirmPassword, { exact: true }), FIRST_PASSWORD);
    const terms = page.getByRole('checkbox', { name: auth.field.terms.replace(/[[\]]/g, '') });
    await tabAndPress(page, terms, 'Space');
    await tabAndPress(page, page.getByRole('button', { name: auth.register.submit }));
    await page.waitForURL('**/profile');
    await expectFocus(page.getByRole('heading', { level: 1, name: profile.ready.title }));
    const file = page.waitForEvent('download');
    await tabAndPress(page, page.getByRole('button', { name: profile.codes.save }));
    await file;

    const visitor = await newPerson(browser, system.url, language);
    await visitor.page.setViewportSize({ width, height: 844 });
    await visitor.page.goto(`/m/${username}`);
    await tabAndType(visitor.page, visitor.page.getByLabel(publicPage.composer.label), 'hello');
    await tabAndPress(visitor.page, visitor.page.getByRole('button', { name: publicPage.composer.send }));
    await visitor.page.getByTestId(/^sent-/).waitFor();
    expect(await unseenFocus(visitor.page)).toBeNull();

    await page.reload();
    const isDesk = width >= 1100;
    const card = page.getByTestId('message');
    const place = isDesk ? page.getByTestId('reading') : card;
    const button = (name: string) => place.getByRole('button', { name, exact: true });
    await tabAndPress(page, card.locator(isDesk ? '> button' : 'summary'));
    if (!isDesk) await tabAndPress(page, button(messages.action.reply));
    await expectFocus(page.getByLabel(isDesk ? messages.reply.title : messages.reply.label));
    await page.keyboard.type('thank you');
    await tabAndPress(page, page.getByRole('button', { name: messages.reply.send }));
    await place.getByTestId('reply').waitFor();
    await expectFocus(button(isDesk ? messages.reply.send : messages.action.reply));
    await tabAndPress(page, button(messages.action.publish), 'Space');
    await place.getByText(messages.badge.published, { exact: true }).waitFor();
    await tabAndPress(page, button(messages.action.more));
    await page.getByRole('menu').waitFor();
    await page.keyboard.press('End');
    await expectFocus(page.getByRole('menuitem', { name: messages.action.deleteThis }));
    await page.keyboard.press('Enter');
    await tabAndPress(page, page.getByRole('alertdialog').getByRole('button', { name: messages.remove.confirm }));
    await card.waitFor({ state: 'detached' });
    await expectFocus(page.getByRole('heading', { name: messages.list.title, exact: true }));
    await Promise.all([owner.context.close(), visitor.context.close()]);
  });
});
