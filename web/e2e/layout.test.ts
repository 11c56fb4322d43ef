// Long run: every page at every width.
import { describe, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { JOURNEY_LANGUAGES, LANGUAGES, launchBrowser, newPerson, WORDS, system } from './browser.js';
import { fillRegistrationHere, look, newPersonOf, usernameFrom, WRITTEN } from './helpers.js';
import { call } from './states/sweep.js';

const browser = await launchBrowser();

const scrollTo = (page: Page, offset: number) =>
  page.evaluate(async (top) => {
    window.scrollTo(0, top);
    await new Promise(requestAnimationFrame);
  }, offset);

/** That overflow their card or the page. */
const overreaching = (page: Page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const buttons = [...document.querySelectorAll('article')].flatMap((card) => {
      const { left, right } = card.getBoundingClientRect();
      return [...card.querySelectorAll('button')].filter((button) => {
        const box = button.getBoundingClientRect();
        return button.checkVisibility() && (box.left < left || box.right > right);
      });
    });
    return [...(scrollWidth > clientWidth ? ['page'] : []), ...buttons.map(({ textContent }) => textContent)];
  });

describe.each(JOURNEY_LANGUAGES)('layout (%s)', (language) => {
  const { auth, common, home, messages, profile, publicPage, site, wayBack } = WORDS[language];

  test('a part of a page that cannot be loaded is reported, and comes with a reload', async () => {
    const { context, page } = await newPerson(browser, system.url, language, { outages: true });
    await page.goto('/');
    await page.waitForLoadState('networkidle');
    const parts = /\/assets\/[^/]*\.js$/;
    await page.route(parts, (route) => route.abort());
    await page.getByRole('link', { name: home.hero.create }).click();
    await page.getByRole('heading', { name: common.failure.page }).waitFor();
    await look(page, 'crash', language);
    await page.unroute(parts);
    await page.getByRole('button', { name: common.failure.reload }).click();
    await page.getByRole('button', { name: auth.register.submit }).waitFor();
    await context.close();
  });

  test('a page of a replaced build reloads at a link, and otherwise offers to', async () => {
    const { context, page } = await newPerson(browser, system.url, language, { outages: true });
    await page.goto('/');
    await page.waitForLoadState('networkidle');
    // The new build has the files named by its own pages.
    let isNew = false;
    page.on('request', (request) => {
      isNew ||= request.isNavigationRequest();
    });
    await page.route(/\/assets\/[^/]*\.js$/, (route) => (isNew ? route.continue() : route.fulfill({ status: 404 })));
    await page.getByTestId('language-toggle').click();
    const toast = page.getByTestId('toast').filter({ hasText: common.failure.replaced });
    await toast.getByRole('button', { name: common.failure.reload }).waitFor();
    await page.getByRole('link', { name: home.hero.create }).click();
    await page.getByRole('button', { name: auth.register.submit }).waitFor();
    await context.close();
  });

  test('a page that never gets its scripts says so by itself, and comes with a reload', async () => {
    const { context, page } = await newPerson(browser, system.url, language, { outages: true });
    // All of them on a page that comes rendered, or only the part with the routes on one that comes empty.
    for (const [path, parts] of [
      ['/about', /\/assets\/[^/]*\.js$/],
      ['/reset', /\/assets\/router-[^/]*\.js$/],
    ] as const) {
      await page.route(parts, (route) => route.abort());
      await page.goto(path, { waitUntil: 'commit' });
      await page.getByRole('alert').filter({ hasText: site.start.failed }).waitFor();
      await look(page, `stalled${path.replace('/', '-')}`, language);
      await page.unroute(parts);
    }
    await page.getByRole('alert').getByRole('link', { name: common.failure.reload }).click();
    await page.locator('#root:not([data-rendered]) h1').waitFor();
    expect(await page.getByText(site.start.failed).isVisible()).toBe(false);
    await context.close();
  });

  test('a text stays and is sent where other parts of the page do not load', async () => {
    const { composer } = publicPage;
    const { username } = await system.newAccount();
    const { context, page } = await newPerson(browser, system.url, language, { outages: true });
    await page.route(/\/assets\/(frame|EmojiPalette)[^/]*\.js$/, (route) => route.abort());
    await page.goto(`/m/${username}`);
    const field = page.getByLabel(composer.label);
    await field.fill(WRITTEN[language].messages[0]);
    await page.getByRole('button', { name: composer.emoji, exact: true }).click();
    await page.getByTestId('toast').filter({ hasText: common.error.offline }).waitFor();
    expect(await field.inputValue()).toBe(WRITTEN[language].messages[0]);
    await page.getByRole('button', { name: composer.send }).click();
    await page.getByRole('heading', { name: wayBack.sent.title }).waitFor();
    await context.close();
  });

  test('the way back shows and is stored where its part of the page does not load', async () => {
    const { composer } = publicPage;
    const { username } = await system.newAccount();
    const { context, page } = await newPerson(browser, system.url, language, { outages: true });
    await page.goto(`/m/${username}`);
    // No part loads any more, as after a deployment. Requests work.
    await page.waitForLoadState('networkidle');
    await page.route(/\/assets\//, (route) => route.abort());
    await page.getByLabel(composer.label).fill(WRITTEN[language].messages[0]);
    await page.getByRole('button', { name: composer.send }).click();
    await page.getByText(composer.way, { exact: true }).waitFor();
    await look(page, 'sent-plainly', language);
    const way = (await page.locator('main a[href^="/r/"]').getAttribute('href')) ?? '';
    await page.unroute(/\/assets\//);
    await page.goto('/r');
    await page.locator(`a[href="${way}"]`).waitFor();
    await page.goto(way);
    await page.getByText(WRITTEN[language].messages[0]).waitFor();
    await context.close();
  });

  test('a dialog and a folder that did not arrive open at a later click, in the same page', async () => {
    const { context, page } = await newPersonOf(await system.newAccount(), browser, language, { outages: true });
    await page.clock.install();
    await page.goto('/profile');
    for (const [part, opener, shown] of [
      [
        'AsideFolder',
        page.getByRole('button', { name: messages.aside.title }),
        page.getByRole('button', { name: messages.aside.back }),
      ],
      [
        'ShareDialog',
        page.getByRole('button', { name: profile.share, exact: true }),
        page.getByRole('dialog', { name: profile.sharing.title }),
      ],
    ] as const) {
      const parts = new RegExp(`/assets/${part}[^/]*\\.js$`);
      await page.route(parts, (route) => route.abort());
      await opener.click();
      const toast = page.getByTestId('toast').filter({ hasText: common.error.offline });
      await toast.waitFor();
      await page.unroute(parts);
      // The failure is kept for a second.
      await page.clock.fastForward(60_000);
      await toast.waitFor({ state: 'detached' });
      await opener.click();
      await shown.waitFor();
    }
    await context.close();
  });

  test('fonts that arrive late replace those of the system, and the other language brings its own', async () => {
    const other = language === 'ar' ? 'en' : 'ar';
    const { context, page } = await newPerson(browser, system.url, other);
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route(/\.woff2$/, async (route) => {
      await released;
      await route.continue();
    });
    await page.goto('/about', { waitUntil: 'commit' });
    await page.getByRole('heading', { level: 1 }).waitFor();
    const devtools = await context.newCDPSession(page);
    await devtools.send('DOM.enable');
    await devtools.send('CSS.enable');
    const fontsOfHeading = async () => {
      const { root } = await devtools.send('DOM.getDocument');
      const { nodeId } = await devtools.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'h1' });
      const { fonts } = await devtools.send('CSS.getPlatformFontsForNode', { nodeId });
      return fonts.map(({ familyName, isCustomFont }) => [familyName, isCustomFont]);
    };
    const expectFonts = (of: typeof language) =>
      system.eventually(async () => {
        const fonts = await fontsOfHeading();
        expect(fonts).toEqual(fonts.map(() => [expect.stringMatching(of === 'ar' ? /^Tajawal/ : /^Inter/), true]));
      });
    expect(await fontsOfHeading()).toContainEqual([expect.anything(), false]);
    release();
    await expectFonts(other);
    await page.getByTestId('language-toggle').click();
    await page.locator(`html[lang="${language}"]`).waitFor({ state: 'attached' });
    await expectFonts(language);
    await context.close();
  });
});

// Numerals and line breaks depend on the language.
describe.each(LANGUAGES)('layout in both directions (%s)', (language) => {
  const { auth, common, profile, publicPage } = WORDS[language];

  test('a phone shows the whole registration, its promises, and then a link with all that shares it', async () => {
    const { context, page } = await newPerson(browser, system.url, language, { screen: 'phone' });
    await page.goto('/');
    await page.getByRole('button', { name: common.header.menu }).click();
    await page.getByRole('dialog').getByRole('link', { name: common.header.signUp }).click();
    const submit = page.getByRole('button', { name: auth.register.submit });
    await submit.waitFor();
    await fillRegistrationHere(page, language, usernameFrom('places', language));
    const endOf = async (place: Locator) => {
      const box = await place.boundingBox();
      return (box?.y ?? Infinity) + (box?.height ?? 0);
    };
    await page.evaluate(() => {
      window.scrollTo(0, 0);
    });
    expect(await endOf(submit)).toBeLessThanOrEqual(844);
    const panel = page.locator('aside').filter({ has: page.getByRole('heading', { name: auth.panel.title }) });
    for (const width of [360, 390]) {
      await page.setViewportSize({ width, height: 844 });
      const promises = await panel.boundingBox();
      expect(promises?.height).toBeLessThanOrEqual(200);
      expect(promises?.y).toBeGreaterThan(await endOf(submit));
    }
    await submit.click();
    const copy = page.getByRole('button', { name: profile.ready.copy, exact: true });
    await copy.waitFor();
    expect(await endOf(copy)).toBeLessThanOrEqual(500);
    expect(await endOf(page.getByTestId('codes-row'))).toBeLessThanOrEqual(640);
    await look(page, 'ready', language);
    await context.close();
  });

  test('the header shrinks on scroll; on a tablet the headline is short, and the assistant covers no button and no words', async () => {
    const { username } = await system.newAccount();
    const { context, page } = await newPerson(browser, system.url, language);
    await page.goto('/');
    for (const width of [768, 820]) {
      await page.setViewportSize({ width, height: 900 });
      const lines = await page.locator('h1').evaluate((heading) => {
        return heading.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(heading).lineHeight);
      });
      expect(Math.round(lines)).toBeLessThan(4);
    }
    const looks = () =>
      page.getByRole('banner').evaluate((header) => ({
        height: header.getBoundingClientRect().height,
        shadow: getComputedStyle(header).boxShadow,
      }));
    const before = await looks();
    expect(before.shadow).toBe('none');
    await scrollTo(page, 20);
    expect(await looks()).toEqual(before);
    await scrollTo(page, 21);
    await system.eventually(async () => expect((await looks()).height).toBeLessThan(before.height));
    expect((await looks()).shadow).not.toBe('none');
    const year = new Intl.NumberFormat(language === 'ar' ? 'ar-EG' : 'en-GB', { useGrouping: false }).format(
      new Date().getFullYear(),
    );
    expect(await page.getByRole('contentinfo').textContent()).toContain(year);

    await page.goto(`/m/${username}`);
    const send = page.getByRole('button', { name: publicPage.composer.send, exact: true });
    await page.getByLabel(publicPage.composer.label).fill(WRITTEN[language].messages[0]);
    // It may be hidden already.
    await page.getByRole('button', { name: common.assistant.open, includeHidden: true }).waitFor({ state: 'attached' });
    for (const width of [768, 820]) {
      await page.setViewportSize({ width, height: 900 });
      // The form's button at the end of the window, like the assistant's.
      await send.evaluate((button) => {
        window.scrollBy(0, button.getBoundingClientRect().bottom - window.innerHeight + 22);
      });
      await system.eventually(async () => {
        const isFree = await send.evaluate((button) => {
          const { left, right, top, bottom } = button.getBoundingClientRect();
          return [left + 2, (left + right) / 2, right - 2].every((x) =>
            button.contains(document.elementFromPoint(x, (top + bottom) / 2)),
          );
        });
        expect(isFree).toBe(true);
      });
    }

    await page.setViewportSize({ width: 600, height: 900 });
    await page.goto('/privacy');
    const assistant = page.getByRole('button', { name: common.assistant.open, includeHidden: true });
    await assistant.evaluate((button) => {
      const long = [...document.querySelectorAll('main p')].find((text) => text.getBoundingClientRect().height > 80);
      const { top, height } = button.getBoundingClientRect();
      // Its first line, which is a whole one.
      window.scrollBy(0, (long?.getBoundingClientRect().top ?? 0) - top - height / 4);
    });
    await assistant.waitFor({ state: 'hidden' });
    await context.close();
  });

  test('messages fit a narrow screen, also with text at double size', async () => {
    const owner = await system.newAccount();
    const content = `${'آ'.repeat(200)} ${'W'.repeat(200)}`;
    const { id } = await system.sendMessage(owner.id, { content });
    // An unread, published message has the most buttons.
    await call('PATCH', `/api/messages/${String(id)}`, owner.cookie, { isPublic: true });
    const { context, page } = await newPersonOf(owner, browser, language, { screen: 'phone' });
    for (const path of ['/profile', `/m/${owner.username}`]) {
      await page.goto(path);
      await page.locator('article').getByText('WWW').waitFor();
      for (const [width, size] of [
        [390, '100%'],
        [320, '100%'],
        [390, '200%'],
      ] as const) {
        await page.setViewportSize({ width, height: 844 });
        await page.evaluate((chosen) => {
          document.documentElement.style.fontSize = chosen;
        }, size);
        expect([path, width, size, await overreaching(page)]).toEqual([path, width, size, []]);
      }
    }
    await context.close();
  });
});
