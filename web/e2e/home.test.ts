// Long run: the home page in the browser.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import {
  JOURNEY_LANGUAGES,
  LANGUAGES,
  launchBrowser,
  newPerson,
  SCREENS,
  system,
  takeShots,
  WORDS,
} from './browser.js';

const REVIEWS = 20;

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});

afterAll(() => browser.close());

const isInView = (page: Page, id: string) =>
  page.locator(`#${id}`).evaluate((section) => Math.abs(section.getBoundingClientRect().top - 96) < 2);

const heightsOf = (page: Page, testId: string): Promise<number[]> =>
  page.getByTestId(testId).evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().height));

/** Ends the timer without waiting for it. */
const finishReview = (page: Page) =>
  page.getByTestId('testimonial-clock').evaluate((clock) =>
    clock.getAnimations().forEach((animation) => {
      animation.finish();
    }),
  );

describe.each(JOURNEY_LANGUAGES)('home page (%s)', (language) => {
  const words = WORDS[language].home;

  test('the home page shows all sections in both colour schemes', async () => {
    const { context, page } = await newPerson(browser, system.url, language);
    await page.goto('/');
    await page.getByRole('heading', { name: words.testimonials.title }).waitFor();
    await takeShots(page, 'home', language);
    await page.emulateMedia({ colorScheme: 'dark' });

    await page.getByRole('link', { name: words.hero.more }).click();
    await system.eventually(async () => expect(await isInView(page, 'how-it-works')).toBe(true));
    await page.getByRole('link', { name: words.closing.explore }).click();
    await system.eventually(async () => expect(await isInView(page, 'features')).toBe(true));
    await page.goto('/#testimonials-section');
    await page.reload();
    await system.eventually(async () => expect(await isInView(page, 'testimonials-section')).toBe(true));
    await context.close();
  });
});

// Heights depend on language and width.
describe.each(LANGUAGES)('home page (%s)', (language) => {
  const words = WORDS[language].home;

  test.each(SCREENS)('rotating reviews do not move the content below them (%s)', async (screen) => {
    const { context, page } = await newPerson(browser, system.url, language, { screen });
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.goto('/');
    const featured = page.getByTestId('featured-testimonial');
    const first = await featured.textContent();
    const duration = () =>
      page.getByTestId('testimonial-clock').evaluate((clock) => clock.getAnimations()[0]?.effect?.getTiming().duration);
    await system.eventually(async () => expect(await duration()).toBe(5000));
    await page.evaluate(async () => {
      await document.fonts.ready;
    });
    const heights = new Set<number>();
    const cards = new Set<number>();
    for (let turn = 0; turn < REVIEWS; turn += 1) {
      for (const height of await heightsOf(page, 'featured-testimonial')) heights.add(height);
      for (const height of await heightsOf(page, 'testimonial')) cards.add(height);
      const before = await featured.textContent();
      await finishReview(page);
      await system.eventually(async () => expect(await featured.textContent()).not.toBe(before));
      await page.getByRole('button', { name: words.testimonials.next }).dispatchEvent('click');
    }
    expect(await featured.textContent()).toBe(first);
    const plays = () =>
      page.getByTestId('testimonial-clock').evaluate((clock) => getComputedStyle(clock).animationPlayState);
    await page.getByTestId('testimonial').first().click();
    expect(await plays()).toBe('paused');
    await page.mouse.move(0, 0);
    await system.eventually(async () => expect(await plays()).toBe('running'));
    expect([...heights]).toHaveLength(1);
    expect([...cards]).toHaveLength(1);
    await context.close();
  });
});
