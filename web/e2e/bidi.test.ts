// Long run: texts of both directions at every width.
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type Language, LANGUAGES, launchBrowser, takeShots, system } from './browser.js';
import { callAs, newOwner, ownIdOf, sendTo, unfold } from './helpers.js';

/** Unclosed overrides and isolates, and closing characters without an opening one. */
const BEGIN = '\u202e\u2067\u202b';
const END = '\u2069\u202c\u2069\u2069';

const TEXT = 'قالت لي: read this, then 123 اكتب لي.';
const REPLY = 'Thank you، شكرًا 456.';
const NAME = 'Noura نورة';

/** So that two messages sent a minute apart show the same relative time. */
const LATER_MS = 90 * 60_000;

interface Word {
  word: string;
  /** Relative to the top-left corner of the containing part. */
  x: number;
  y: number;
  width: number;
}

const browser = await launchBrowser();

/** The position of every word except those of the message and the reply, grouped by part. */
function wordsIn(page: Page, part: string): Promise<Word[][]> {
  return page.locator(part).evaluateAll((parts) =>
    parts.map((holder) => {
      const corner = holder.getBoundingClientRect();
      const walker = document.createTreeWalker(holder, NodeFilter.SHOW_TEXT);
      const found: Word[] = [];
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const isForeign = node.parentElement?.closest('[data-testid=message-text], [data-testid=reply] p') != null;
        for (const match of isForeign ? [] : (node.textContent ?? '').matchAll(/[^\s\u2066-\u2069\u202a-\u202e]+/g)) {
          const range = document.createRange();
          range.setStart(node, match.index);
          range.setEnd(node, match.index + match[0].length);
          const { x, y, width } = range.getBoundingClientRect();
          found.push({
            word: match[0],
            x: Math.round(x - corner.x),
            y: Math.round(y - corner.y),
            width: Math.round(width),
          });
        }
      }
      return found;
    }),
  );
}

/** Fallback fonts with the control characters change heights by a fraction of a pixel. */
const UNNOTICED_PX = 2;

function expectSamePlaces(actual: Word[][] | undefined, expected: Word[][] | undefined): void {
  const words = (parts: Word[][] = []) => parts.map((part) => part.map(({ word }) => word));
  expect(words(actual)).toEqual(words(expected));
  const moved = (actual ?? []).flat().filter(({ x, y, width }, index) => {
    const place = (expected ?? []).flat()[index];
    const distances = place === undefined ? [] : [x - place.x, y - place.y, width - place.width];
    return distances.some((distance) => Math.abs(distance) > UNNOTICED_PX);
  });
  expect(moved).toEqual([]);
}

async function openPublicPage(page: Page, username: string, name: string): Promise<void> {
  await system.eventually(async () => {
    const { body } = await callAs(page, 'GET', `/api/users/${username}`);
    expect(body).toMatchObject({ name, isOnline: true });
  });
  await page.goto(`/m/${username}`);
  await page.getByTestId('public-message').nth(1).waitFor();
}

async function writeAndPublish(page: Page, ownerId: number, wrap: (text: string) => string): Promise<void> {
  const id = await sendTo(system, ownerId, wrap(TEXT));
  await callAs(page, 'POST', '/api/replies', { messageId: id, content: wrap(REPLY) });
  await callAs(page, 'PATCH', `/api/messages/${id}`, { isPublic: true });
}

const hostile = (text: string) => `${BEGIN}${text}${END}${BEGIN}`;

test.each(LANGUAGES)(
  'bidi control characters in a text or a name do not move the words around them (%s)',
  async (language: Language) => {
    const { context, page, username } = await newOwner(browser, language, 'bidi');
    // Below a desk's width several cards are open at the same time.
    await page.setViewportSize({ width: 1000, height: 800 });
    const openCards = async () => {
      await page.getByTestId('message').nth(1).waitFor();
      for (const card of await page.getByTestId('message').all()) await unfold(card);
      await page.getByTestId('reply').nth(1).waitFor();
    };
    const ownerId = await ownIdOf(page);
    await writeAndPublish(page, ownerId, (text) => text);
    await writeAndPublish(page, ownerId, hostile);
    await page.clock.setFixedTime(Date.now() + LATER_MS);

    // Presence changes once, shortly after the first visit. Wait for that change.
    await system.eventually(async () =>
      expect((await callAs(page, 'GET', '/api/user')).body).toMatchObject({ isOnline: true }),
    );

    // Some weights are optional: the first page with letters of the other language may show without them.
    await callAs(page, 'PATCH', '/api/users', { name: NAME });
    for (const path of ['/profile', `/m/${username}`]) {
      await page.goto(path);
      if (path === '/profile') await openCards();
      else await page.getByTestId('public-message').nth(1).waitFor();
      await page.evaluate(() => document.fonts.ready);
    }

    const lookOf = async (name: string): Promise<Word[][]> => {
      await callAs(page, 'PATCH', '/api/users', { name });
      await page.goto('/profile');
      await openCards();
      const [dashboard, inboxCards] = [
        await wordsIn(page, 'main section, main aside'),
        await wordsIn(page, '[data-testid=message]'),
      ];
      await takeShots(page, `bidi-profile-${name === NAME ? 'plain' : 'hostile'}`, language);
      await openPublicPage(page, username, name);
      const [publicPage, publicCards] = [
        await wordsIn(page, 'main section'),
        await wordsIn(page, '[data-testid=public-message]'),
      ];
      await takeShots(page, `bidi-public-${name === NAME ? 'plain' : 'hostile'}`, language);
      for (const [first, second] of [inboxCards, publicCards]) expectSamePlaces(first && [first], second && [second]);
      return [...dashboard, ...publicPage];
    };
    // On a busy machine an optional font may come too late for one of the pages.
    await system.eventually(async () => {
      const plain = await lookOf(NAME);
      expect(plain.flat().length).toBeGreaterThan(50);
      expectSamePlaces(await lookOf(hostile(NAME)), plain);
    });
    await context.close();
  },
);
