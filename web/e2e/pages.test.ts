// Long run: pages about the site.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { COOKIES, ROUTES } from '@najwa/proto/http/client';
import type { Browser } from 'playwright-core';
import { JOURNEY_LANGUAGES, launchBrowser, newPerson, takeShots, WORDS, system } from './browser.js';
import { newOwner } from './helpers.js';

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});

afterAll(() => browser.close());

describe.each(JOURNEY_LANGUAGES)('pages about the site (%s)', (language) => {
  const { guide, privacy, site, auth } = WORDS[language];
  const titles = {
    about: guide.about,
    faq: guide.faq,
    help: guide.help,
    terms: guide.terms,
    privacy: privacy.privacy,
    cookies: privacy.cookies,
    contact: guide.contact,
  };

  test('information pages are linked from the footer, readable without scripts, and hydrate unchanged', async () => {
    const { context, page } = await newPerson(browser, system.url, language);
    const plain = await newPerson(browser, system.url, language, { scripts: false, screen: 'phone' });
    await page.goto('/about');
    for (const [name, { title }] of Object.entries(titles)) {
      await page
        .getByRole('navigation', { name: site.footer.links })
        .getByRole('link', { name: site.footer[name as keyof typeof titles], exact: true })
        .click();
      await page.waitForURL(`**/${name}`);
      await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
      await page.reload();
      expect(await page.title()).toContain(title);
      await takeShots(page, `info-${name}`, language);

      await plain.page.goto(`/${name}`);
      expect(await plain.page.getByRole('heading', { level: 1 }).textContent()).toBe(title);
    }
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto('/faq');
    await page.getByRole('link', { name: guide.faq.trouble.title }).click();
    await system.eventually(async () => expect(await page.evaluate(() => document.activeElement?.id)).toBe('trouble'));
    await Promise.all([context.close(), plain.context.close()]);
  });

  test.each(['/m/%zz', '/m/%D9%86%D9%88%D8%B1%D8%A9', '/r/%zz'])(
    'the answer of the server to %s stays, which looks like the address of another page',
    async (path) => {
      const { context, page } = await newPerson(browser, system.url, language);
      const calls: string[] = [];
      page.on('request', (request) => calls.push(new URL(request.url()).pathname));
      expect((await page.goto(path))?.status()).toBe(404);
      // Only the not-found page does this, after some seconds.
      await page.waitForURL(`${system.url}/`);
      expect(calls.filter((call) => /^\/api\/(users|ways-back)\//.test(call))).toEqual([]);
      expect(await page.locator('#stalled').isVisible()).toBe(false);
      await context.close();
    },
  );

  test('terms and privacy open from registration, and help leads to messages sent from this device', async () => {
    const { context, page } = await newPerson(browser, system.url, language);
    await page.goto('/auth');
    for (const [index, path] of [
      [1, '/terms'],
      [3, '/privacy'],
    ] as const) {
      const opened = context.waitForEvent('page');
      await page.getByRole('link', { name: auth.field.terms.split(/[[\]]/)[index]! }).click();
      await (await opened).waitForURL(`**${path}`);
    }
    await page.goto('/help');
    await page.locator('#sent').getByRole('link').click();
    await page.waitForURL('**/r');
    await context.close();
  });

  test('the site sets exactly the cookies that its page lists', async () => {
    const owner = await newOwner(browser, language, 'cookies');
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
    await owner.context.close();
    await context.close();
  });
});

test('the API is described on a page without scripts', async () => {
  const { context, page } = await newPerson(browser, system.url, 'en', { scripts: false });
  const response = await page.goto('/api/docs');
  expect(response?.status()).toBe(200);
  expect(response?.headers()['content-security-policy']).toContain("script-src 'self'");
  expect(await page.locator('script').count()).toBe(0);
  for (const { method, path } of Object.values(ROUTES))
    await page.getByRole('heading', { name: `${method} ${path}`, exact: true }).waitFor();
  for (const link of await page
    .locator('main a')
    .evaluateAll((links) => links.map((each) => each.getAttribute('href'))))
    expect(await page.locator(`[id="${String(link).slice(1)}"]`).count()).toBe(1);
  await context.close();

  // axe is a script.
  const person = await newPerson(browser, system.url, 'en');
  for (const colorScheme of ['light', 'dark'] as const) {
    await person.page.emulateMedia({ colorScheme });
    await person.page.goto('/api/docs', { waitUntil: 'commit' });
    await person.page.getByRole('heading', { level: 1 }).waitFor();
    await takeShots(person.page, `api-docs-${colorScheme}`, 'en', { screenOnly: true });
  }
  await person.page.setViewportSize({ width: 390, height: 844 });
  await person.context.close();
});
