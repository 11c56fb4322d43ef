// Long run: Firefox.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page as ChromiumPage } from 'playwright-core';
import puppeteer, { type Browser, type ElementHandle, type Page } from 'puppeteer-core';
import { JOURNEY_LANGUAGES, type Language, LONGEST_WAIT_MS, SHOTS, system, WIDTHS, WORDS } from './browser.js';
import { FIRST_PASSWORD, PHOTOGRAPHS, plural, sendTo, WRITTEN } from './helpers.js';
import { LONGEST_SWEEP_MS } from './states/sweep.js';
import { accessibilityFaults, overflowOf } from './watch.js';

/* The main journey in Firefox. The others run in Chromium by Playwright, which cannot drive a release of Firefox. */

function launch(settings: Record<string, unknown>): Promise<Browser> {
  const executablePath = process.env['FIREFOX_BIN'];
  if (executablePath === undefined)
    throw new Error('No Firefox was found: run the tests through npm test, which installs it.');
  const extraPrefsFirefox = { 'ui.prefersReducedMotion': 1, ...settings };
  return puppeteer.launch({ browser: 'firefox', executablePath, extraPrefsFirefox });
}

let browser: Browser;

beforeAll(async () => {
  // A microphone with a tone, without a permission prompt.
  browser = await launch({ 'media.navigator.streams.fake': true, 'media.navigator.permission.disabled': true });
});

afterAll(() => browser.close());

/** In a new context. `faults` are its console's errors. */
async function newPerson(language: Language, place = browser): Promise<{ page: Page; faults: string[] }> {
  const context = await place.createBrowserContext();
  await context.setCookie({ name: 'language', value: language, domain: new URL(system.url).hostname, path: '/' });
  const page = await context.newPage();
  page.setDefaultTimeout(LONGEST_WAIT_MS);
  await page.setViewport(WIDTHS.phone);
  const faults: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warn'].includes(message.type())) faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  return { page, faults };
}

type Role = 'button' | 'heading' | 'image' | 'radio' | 'textbox';

const named = (role: Role, name: string): string => `::-p-aria([name="${name}"][role="${role}"])`;

async function open(page: Page, path: string): Promise<void> {
  await page.goto(new URL(path, system.url).href);
  await page.waitForSelector('#root:not([data-rendered])');
}

const fill = (page: Page, label: string, text: string) => page.locator(named('textbox', label)).fill(text);

/** Once no toast can be above the button and take the click. */
async function press(page: Page, name: string): Promise<void> {
  await page.waitForSelector('[data-testid=toast]', { hidden: true });
  await page.locator(named('button', name)).click();
}

/** The only checkbox that a form has. */
const agree = (page: Page) => page.locator('main input[type=checkbox]').click();

async function waitFor(page: Page, selector: string): Promise<ElementHandle> {
  const found = await page.waitForSelector(selector, { visible: true });
  if (found === null) throw new Error(`Nothing is ${selector}.`);
  return found;
}

const waitForText = (page: Page, place: string, text: string) => waitFor(page, `${place} ::-p-text(${text})`);

async function expectWellBuilt(page: Page): Promise<void> {
  // Both only evaluate functions in the page, which works alike.
  const likewise = page as unknown as ChromiumPage;
  expect(await overflowOf(likewise)).toBe(0);
  expect(await accessibilityFaults(likewise)).toEqual([]);
}

describe.each(JOURNEY_LANGUAGES)('in Firefox, on a phone (%s)', (language) => {
  const { auth, profile, publicPage, wayBack, recorder, player, messages } = WORDS[language];
  const content = language === 'ar' ? 'ما أجمل نصيحة تلقّيتِها في حياتك؟' : 'What is the best advice you ever got?';
  const reply = language === 'ar' ? 'لا تشرحي نفسك لمن قرّر ألّا يفهم.' : 'Do not explain yourself.';

  test(
    'a stranger receives a reply without giving a name in Firefox',
    async () => {
      const username = `fox-${language}-${Date.now().toString(36)}`;
      const { page: owner, faults: ofOwner } = await newPerson(language);
      await open(owner, '/auth');
      await fill(owner, auth.field.name, language === 'ar' ? 'نورة العلي' : 'Noura Alali');
      await fill(owner, auth.field.username, username);
      // Password fields have no role.
      await owner.locator('input[name=password]').fill(FIRST_PASSWORD);
      await owner.locator('input[name=confirmPassword]').fill(FIRST_PASSWORD);
      await agree(owner);
      await expectWellBuilt(owner);
      await press(owner, auth.register.submit);
      await waitFor(owner, named('heading', profile.ready.title));
      await expectWellBuilt(owner);
      await waitFor(owner, named('heading', messages.list.title));
      // An empty list shows a message by itself.
      const ownerId = await owner.evaluate(
        async () => ((await (await fetch('/api/user')).json()) as { id: number }).id,
      );
      const [earlier] = WRITTEN[language].messages;
      await sendTo(system, ownerId, earlier);
      await waitForText(owner, '[data-testid=message]', earlier);

      const { page: stranger, faults: ofStranger } = await newPerson(language);
      await open(stranger, `/m/${username}`);
      await fill(stranger, publicPage.composer.label, content);
      const file = await stranger.waitForSelector<'input'>('input[data-testid=image-file]' as 'input');
      await file?.uploadFile(PHOTOGRAPHS.withPlace);
      await waitFor(stranger, named('image', publicPage.composer.attached));
      await expectWellBuilt(stranger);
      await press(stranger, publicPage.composer.send);
      await waitFor(stranger, named('heading', wayBack.sent.title));
      const back = await stranger.$eval('[data-testid=way-back]', (link) => link.textContent);
      await stranger.click('[data-testid=sent-notice] summary');
      await press(stranger, wayBack.sent.again);

      await press(stranger, publicPage.composer.voice);
      await press(stranger, recorder.start);
      await stranger.waitForFunction(() => /[2٢]/.test(document.querySelector('[role=timer]')?.textContent ?? ''));
      await press(stranger, recorder.stop);
      await stranger.locator(named('radio', recorder.female)).click();
      await waitFor(stranger, '[data-testid=recorder] [data-on=device]');
      await expectWellBuilt(stranger);
      await press(stranger, recorder.send);
      await waitFor(stranger, named('heading', wayBack.sent.title));

      // New messages are offered without a reload, once the tab is in front.
      await owner.bringToFront();
      await press(owner, plural(messages, 'arrived', language, 2));
      await waitForText(owner, '[data-testid=message]', content);
      await owner.locator('[data-testid=message]:has([data-part=wave]) summary').click();
      await press(owner, player.play);
      await owner.waitForFunction(() => (document.querySelector('audio')?.played.length ?? 0) > 0);
      await expectWellBuilt(owner);
      await owner.locator(`[data-testid=message] summary::-p-text(${content})`).click();
      const written = await owner.waitForSelector(`[data-testid=message]:has([data-testid=message-image])`);
      await (await written?.waitForSelector(named('button', messages.action.reply)))?.click();
      await fill(owner, messages.reply.label, reply);
      await press(owner, messages.reply.send);
      await waitForText(owner, '[data-testid=message]', reply);
      await (await written?.waitForSelector(named('button', messages.action.publish)))?.click();
      await waitForText(owner, '[data-testid=message]', messages.badge.published);

      await stranger.bringToFront();
      await open(stranger, back.replace(/^.*\/r\//, '/r/'));
      await waitForText(stranger, 'main', reply);
      await expectWellBuilt(stranger);
      await system.eventually(async () => {
        await open(stranger, `/m/${username}`);
        expect(await stranger.$$('[data-testid=public-message]')).toHaveLength(1);
      });
      await waitForText(stranger, '[data-testid=public-message]', content);
      await waitForText(stranger, '[data-testid=public-message]', reply);
      await stranger.waitForFunction(() => {
        const image = document.querySelector<HTMLImageElement>('[data-testid=message-image]');
        image?.scrollIntoView();
        return image !== null && image.complete && image.naturalWidth > 0;
      });
      await expectWellBuilt(stranger);
      expect([...ofOwner, ...ofStranger]).toEqual([]);
      await Promise.all([owner.browserContext().close(), stranger.browserContext().close()]);
    },
    LONGEST_SWEEP_MS,
  );
});

const textOf = (page: Page): Promise<string> => page.evaluate(() => document.body.innerText);

async function takeShot(page: Page, name: string, language: Language): Promise<void> {
  if (process.env['SCREENSHOTS'])
    await page.screenshot({ path: `${SHOTS}/${name}.${language}.390.png`, fullPage: true });
}

/** A page that takes too long to render is empty without scripts. */
async function openRendered(page: Page, path: string): Promise<void> {
  await system.eventually(async () => {
    await page.goto(new URL(path, system.url).href);
    expect(await page.evaluate(() => document.querySelector('#root[data-rendered]') !== null)).toBe(true);
  });
}

/** The library learns of a new URL later than the page. */
const addressOf = (page: Page) => page.evaluate(() => window.location.href);

/** By keyboard: this library's click waits for a page without scripts. */
async function submit(page: Page, form: string): Promise<void> {
  const button = await page.$(`${form} [type=submit]`);
  await button?.focus();
  await page.keyboard.press('Enter');
}

const waitUntilSaid = (page: Page, text: string) =>
  system.eventually(async () => expect(await textOf(page)).toContain(text));

// In Arabic the same journey goes through Chromium.
describe.each(['en'] as const)('in Firefox without scripts, on a phone (%s)', (language) => {
  const { wayBack } = WORDS[language];
  const [content] = WRITTEN[language].messages;
  const { reply } = WRITTEN[language];
  let place: Browser;

  beforeAll(async () => {
    place = await launch({ 'javascript.enabled': false });
  });

  afterAll(() => place.close());

  test('a stranger without scripts writes with a picture, reads the reply, and deletes another message in Firefox', async () => {
    const { username, cookie } = await system.newAccount();
    const idsOf = async () =>
      ((await system.request('GET', '/api/messages', { cookie })).body as { id: number }[]).map(({ id }) => id);
    const { page } = await newPerson(language, place);
    await openRendered(page, `/m/${username}`);
    await takeShot(page, 'firefox-plain', language);
    await (await page.$('textarea[name=content]'))?.type(content);
    const file = await page.$<'input'>('input[name=image]' as 'input');
    await file?.uploadFile(PHOTOGRAPHS.withPlace);
    await submit(page, '#message-form');
    await waitUntilSaid(page, wayBack.plain.title);
    const way = await addressOf(page);
    expect(way).toMatch(/\/r\/[\w-]{22}$/);
    expect(await textOf(page)).toContain(content);
    await system.eventually(async () => {
      const width = await page.$eval(
        '[data-testid=message-image]',
        (image: Element) => (image as HTMLImageElement).naturalWidth,
      );
      expect(width).toBeGreaterThan(0);
    });
    await takeShot(page, 'firefox-way-back', language);

    const [messageId] = await idsOf();
    await system.request('POST', '/api/replies', { cookie, body: { messageId, content: reply } });
    await page.reload();
    await waitUntilSaid(page, reply);
    await takeShot(page, 'firefox-reply', language);

    await openRendered(page, `/m/${username}`);
    await (await page.$('textarea[name=content]'))?.type(content);
    await submit(page, '#message-form');
    await waitUntilSaid(page, wayBack.plain.title);
    expect(await addressOf(page)).not.toBe(way);
    await submit(page, 'form[action^="/r/"]');
    await waitUntilSaid(page, wayBack.remove.title);
    expect(await idsOf()).toHaveLength(2);
    await takeShot(page, 'firefox-deleting', language);
    await submit(page, 'form[action^="/r/"]');
    await waitUntilSaid(page, wayBack.remove.done);
    expect(await idsOf()).toEqual([messageId]);
    await takeShot(page, 'firefox-deleted', language);
    await page.browserContext().close();
  });
});

test('a stranger writes and reads the reply in Firefox without site data', async () => {
  const language = 'ar';
  const { publicPage, wayBack } = WORDS[language];
  const [content] = WRITTEN[language].messages;
  const { reply } = WRITTEN[language];
  const place = await launch({ 'network.cookie.cookieBehavior': 2 });
  try {
    const { username, cookie } = await system.newAccount();
    const { page, faults } = await newPerson(language, place);
    await open(page, `/m/${username}`);
    await fill(page, publicPage.composer.label, content);
    const file = await page.waitForSelector<'input'>('input[data-testid=image-file]' as 'input');
    await file?.uploadFile(PHOTOGRAPHS.withPlace);
    await waitFor(page, named('image', publicPage.composer.attached));
    await press(page, publicPage.composer.send);
    await waitFor(page, named('heading', wayBack.sent.title));
    await waitForText(page, '[data-testid=sent-notice]', wayBack.sent.keepRefused);
    await takeShot(page, 'firefox-blocked-sent', language);
    const back = await page.$eval('[data-testid=way-back]', (link) => link.textContent);
    const { body } = await system.request('GET', '/api/messages', { cookie });
    const [message] = body as { id: number; content: string }[];
    expect(message?.content).toBe(content);
    await system.request('POST', '/api/replies', { cookie, body: { messageId: message?.id, content: reply } });
    await open(page, back.replace(/^.*\/r\//, '/r/'));
    await waitForText(page, 'main', reply);
    await takeShot(page, 'firefox-blocked-reply', language);
    // Firefox itself says that it refuses one.
    expect(faults.filter((fault) => !fault.includes('ServiceWorker'))).toEqual([]);
  } finally {
    await place.close();
  }
});
