// Long run: the home page, and pages about the site.
import { describe, expect, test } from '@jest/globals';
import { COOKIES, ROUTES } from '@najwa/proto/http/client';
import type { Page } from 'playwright-core';
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
import { newOwner } from './helpers.js';
import { lookAt, overflowOf } from './watch.js';

const browser = await launchBrowser();

describe.each(JOURNEY_LANGUAGES)('pages about the site (%s)', (language) => {
  const { guide, privacy, site, auth, common, notFound } = WORDS[language];
  const titles = {
    about: guide.about,
    faq: guide.faq,
    help: guide.help,
    terms: guide.terms,
    privacy: privacy.privacy,
    cookies: privacy.cookies,
    contact: guide.contact,
  };

  test('information pages are linked from the footer, and readable without scripts', async () => {
    const { context, page } = await newPerson(browser, system.url, language);
    const plain = await newPerson(browser, system.url, language, { scripts: false, screen: 'phone' });
    await page.goto('/');
    for (const [name, { title }] of Object.entries(titles)) {
      await page
        .getByRole('navigation', { name: site.footer.links })
        .getByRole('link', { name: site.footer[name as keyof typeof titles], exact: true })
        .click();
      await page.waitForURL(`**/${name}`);
      await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
      await takeShots(page, `info-${name}`, language);
      if (name === 'faq') {
        await page.getByRole('link', { name: guide.faq.trouble.title }).click();
        await system.eventually(async () =>
          expect(await page.evaluate(() => document.activeElement?.id)).toBe('trouble'),
        );
      }
      // The sweep of states hydrates each.
      await plain.page.goto(`/${name}`);
      expect(await plain.page.getByRole('heading', { level: 1 }).textContent()).toBe(title);
      expect(await plain.page.title()).toContain(title);
    }
    await Promise.all([context.close(), plain.context.close()]);
  });

  test('an unknown address says so and leaves by itself, also one like the address of another page', async () => {
    const { context, page } = await newPerson(browser, system.url, language);
    const calls: string[] = [];
    page.on('request', (request) => calls.push(new URL(request.url()).pathname));
    await page.route(`${system.url}/`, (route) => route.abort('aborted'));
    for (const path of ['/no/such/page', '/m/%zz', '/m/%D9%86%D9%88%D8%B1%D8%A9', '/r/%zz']) {
      // By a full load, after some seconds.
      const leaving = page.waitForRequest(
        (request) => request.isNavigationRequest() && request.url() === `${system.url}/`,
      );
      expect((await page.goto(path))?.status()).toBe(404);
      await page.getByRole('heading', { level: 1, name: notFound.title }).waitFor();
      await leaving;
      expect(await page.locator('#stalled').isVisible()).toBe(false);
    }
    expect(calls.filter((call) => /^\/api\/(users|ways-back)\//.test(call))).toEqual([]);
    await takeShots(page, 'not-found', language);
    await page.unroute(`${system.url}/`);
    await page.getByRole('link', { name: common.action.backHome }).click();
    await page.waitForURL(`${system.url}/`);
    await context.close();
  });

  test('terms and privacy open from registration, and help leads to messages sent from this device', async () => {
    const { context, page } = await newPerson(browser, system.url, language);
    await page.goto('/auth');
    const linkTo = (index: number) => page.getByRole('link', { name: auth.field.terms.split(/[[\]]/)[index]! });
    expect([await linkTo(3).getAttribute('href'), await linkTo(3).getAttribute('target')]).toEqual([
      '/privacy',
      '_blank',
    ]);
    const opened = context.waitForEvent('page');
    await linkTo(1).click();
    await (await opened).waitForURL('**/terms');
    await page.goto('/help');
    await page.locator('#sent').getByRole('link').click();
    await page.waitForURL('**/r');
    await context.close();
  });

  test('the site sets exactly the cookies that its page lists', async () => {
    const owner = await system.newAccount();
    const { context, page } = await newOwner(browser, language, 'reader');
    const seen = page.waitForResponse(`**/m/${owner.username}/seen`);
    await page.goto(`/m/${owner.username}`);
    await seen;
    const set = await context.cookies();
    for (const { name, days } of Object.values(COOKIES)) {
      const cookie = set.find((candidate) => candidate.name === name);
      // Set by the test itself.
      if (name !== COOKIES.language.name)
        expect(Math.abs((cookie?.expires ?? 0) - Date.now() / 1000 - days * 86_400)).toBeLessThan(3600);
    }
    expect(set.map(({ name }) => name).sort()).toEqual(
      Object.values(COOKIES)
        .map(({ name }) => name)
        .sort(),
    );
    await page.goto('/cookies');
    // Without prefixes on the loopback interface.
    const listed = await page.getByRole('rowheader').allTextContents();
    expect(listed.map((name) => name.replace('__Host-', ''))).toEqual(Object.values(COOKIES).map(({ name }) => name));
    await context.close();
  });
});

test('the API is described on a page without scripts', async () => {
  const { context, page } = await newPerson(browser, system.url, 'en', { scripts: false });
  const response = await page.goto('/api/docs');
  expect(response?.status()).toBe(200);
  expect(response?.headers()['content-security-policy']).toContain("script-src 'self'");
  expect(await page.locator('script').count()).toBe(0);
  const headings = await page.getByRole('heading').allTextContents();
  const calls = Object.values(ROUTES).map(({ method, path }) => `${method} ${path}`);
  expect(calls.filter((each) => !headings.includes(each))).toEqual([]);
  const dead = await page
    .locator('main a')
    .evaluateAll((links) =>
      links
        .map((link) => link.getAttribute('href') ?? '')
        .filter((to) => document.querySelectorAll(`[id="${to.slice(1)}"]`).length !== 1),
    );
  expect(dead).toEqual([]);
  await context.close();

  // axe is a script. It sees a few of each kind: all have one template.
  const person = await newPerson(browser, system.url, 'en');
  await person.page.goto('/api/docs', { waitUntil: 'commit' });
  await person.page.waitForLoadState();
  for (const width of [390, 1280]) {
    await person.page.setViewportSize({ width, height: 844 });
    expect(await overflowOf(person.page)).toBe(0);
  }
  await person.page.evaluate(() => {
    const more = document.querySelectorAll('article:nth-of-type(n + 4), nav ul ul li:nth-child(n + 4)');
    for (const each of more) each.remove();
  });
  for (const colorScheme of ['light', 'dark'] as const) {
    await person.page.emulateMedia({ colorScheme });
    await takeShots(person.page, `api-docs-${colorScheme}`, 'en', { screenOnly: true });
    await lookAt(person.page);
  }
  await person.page.setViewportSize({ width: 390, height: 844 });
  await person.context.close();
});

const REVIEWS = 20;

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
