// Long run: pages about the site.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { COOKIES, ROUTES } from '@najwa/proto/http/client';
import type { Browser } from 'playwright-core';
import { JOURNEY_LANGUAGES, launchBrowser, newPerson, takeShots, WORDS, system } from './browser.js';
import { newOwner } from './helpers.js';
import { lookAt, overflowOf } from './watch.js';

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});

afterAll(() => browser.close());

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
