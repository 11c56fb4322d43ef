// Long run: a bad line, late scripts and phones of many sizes.
import { describe, expect, test } from '@jest/globals';
import { get } from 'node:http';
import { RETENTION } from '@najwa/proto/http/client';
import type { Locator, Page } from 'playwright-core';
import {
  JOURNEY_LANGUAGES,
  type Language,
  LANGUAGES,
  launchBrowser,
  newPerson,
  system,
  takeShots,
  WORDS,
} from './browser.js';
import {
  createStaff,
  fillRegistrationHere,
  LONGEST_NAMES,
  longestUsername,
  PHOTOGRAPHS,
  STAFF_PASSWORD,
  usernameFrom,
  WRITTEN,
} from './helpers.js';
import { call, sessionOf } from './states/sweep.js';
import { lookAt } from './watch.js';

const browser = await launchBrowser();

const idsOf = async ({ cookie }: { cookie: string }): Promise<number[]> =>
  (await call<{ id: number }[]>('GET', '/api/messages', cookie)).map(({ id }) => id);

const isWide = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);

/** A page that takes too long to render is empty without scripts. */
async function openRendered(page: Page, path: string): Promise<void> {
  await system.eventually(async () => {
    await page.goto(path);
    expect(await page.locator('#root[data-rendered]').count()).toBe(1);
  });
}

/** Bytes of the first response. */
const bytesOf = (path: string, language: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { 'accept-encoding': 'gzip, deflate, br', cookie: `language=${language}` };
    get(new URL(path, system.url), { headers }, (answer) => {
      let bytes = JSON.stringify(answer.rawHeaders).length;
      answer.on('data', (piece: Buffer) => (bytes += piece.length)).on('end', () => resolve(bytes));
    }).on('error', reject);
  });

// In English the same journey goes through Firefox.
describe.each(JOURNEY_LANGUAGES)('without scripts (%s)', (language) => {
  const { publicPage, wayBack, site } = WORDS[language];
  const { composer } = publicPage;
  const [content = ''] = WRITTEN[language].messages;
  const { reply } = WRITTEN[language];

  test('a stranger writes with a picture, reads the reply, and deletes another message', async () => {
    const owner = await system.newAccount();
    const { context, page } = await newPerson(browser, system.url, language, { screen: 'phone', scripts: false });
    await openRendered(page, `/m/${owner.username}`);
    expect(await page.getByText(site.form.plain).isVisible()).toBe(true);
    expect(await page.getByRole('button', { name: composer.emoji, exact: true }).isVisible()).toBe(false);
    expect(await isWide(page)).toBe(false);
    await takeShots(page, 'door-plain', language);

    await page.getByLabel(composer.label, { exact: true }).fill(content);
    await page.getByTestId('image-file').setInputFiles(PHOTOGRAPHS.withPlace);
    await page.getByRole('button', { name: composer.send, exact: true }).click();
    await page.waitForURL(/\/r\/[\w-]{22}$/);
    expect(await page.getByText(wayBack.plain.title, { exact: true }).isVisible()).toBe(true);
    expect(await page.getByText(content, { exact: true }).isVisible()).toBe(true);
    expect(await page.getByRole('listitem').getByText(wayBack.steps.unread, { exact: true }).isVisible()).toBe(true);
    await system.eventually(async () => {
      const width = await page
        .getByTestId('message-image')
        .first()
        .evaluate((image) => (image as HTMLImageElement).naturalWidth);
      expect(width).toBeGreaterThan(0);
    });
    expect(await isWide(page)).toBe(false);
    await takeShots(page, 'door-way-back', language);

    const [messageId] = await idsOf(owner);
    await call('POST', '/api/replies', owner.cookie, { messageId, content: reply });
    await page.reload();
    expect(await page.getByText(reply, { exact: true }).isVisible()).toBe(true);
    expect(await page.getByRole('button', { name: wayBack.remove.action, exact: true }).count()).toBe(0);

    await openRendered(page, `/m/${owner.username}`);
    await page.getByLabel(composer.label, { exact: true }).fill(content);
    await page.getByLabel(site.form.later, { exact: true }).check();
    await page.getByRole('button', { name: composer.send, exact: true }).click();
    await page.waitForURL(/\/r\/[\w-]{22}$/);
    expect(await page.getByRole('heading', { name: wayBack.status.later, exact: true }).isVisible()).toBe(true);
    expect(await page.getByText(wayBack.remove.untilArrival, { exact: true }).isVisible()).toBe(true);
    const way = page.url();
    await page.getByRole('button', { name: wayBack.remove.action, exact: true }).click();
    expect(await page.getByText(wayBack.remove.title).isVisible()).toBe(true);
    expect(await idsOf(owner)).toHaveLength(1);
    await takeShots(page, 'door-deleting', language);
    await page.getByRole('button', { name: wayBack.remove.action, exact: true }).click();
    expect(await page.getByText(wayBack.remove.done, { exact: true }).isVisible()).toBe(true);
    await takeShots(page, 'door-deleted', language);
    expect(await idsOf(owner)).toEqual([messageId]);
    expect((await page.goto(way))?.status()).toBe(404);
    expect(await page.getByText(wayBack.gone.title, { exact: true }).isVisible()).toBe(true);
    await context.close();
  });

  test('a message needs only the first response, of 25 kB', async () => {
    const { username } = await system.newAccount();
    const { context, page } = await newPerson(browser, system.url, language, { screen: 'phone', scripts: false });
    await openRendered(page, `/m/${username}`);
    for (const each of LANGUAGES) expect(await bytesOf(`/m/${username}`, each)).toBeLessThanOrEqual(25_000);
    await context.clearCookies({ name: 'najwa_visitor' });
    // Neither fonts, nor pictures, nor anything else.
    await page.route('**/*', async (route) => {
      if (route.request().isNavigationRequest()) await route.continue();
      else await route.abort();
    });
    await page.reload();
    await page.getByLabel(composer.label, { exact: true }).fill(content);
    await page.getByRole('button', { name: composer.send, exact: true }).click();
    await page.waitForURL(/\/r\/[\w-]{22}$/);
    await context.close();
  });

  test('a refused message keeps its text next to the reason', async () => {
    const { username, cookie } = await system.newAccount();
    const { context, page } = await newPerson(browser, system.url, language, { screen: 'phone', scripts: false });
    await openRendered(page, `/m/${username}`);
    await page.getByLabel(composer.label, { exact: true }).fill(content);
    await call('PATCH', '/api/users/receiving', cookie, { from: 'nobody' });
    await page.getByRole('button', { name: composer.send, exact: true }).click();
    await page.getByTestId('unsent').waitFor();
    expect(await page.getByTestId('unsent').textContent()).toMatch(
      new RegExp(`^${site.form.unsent}\\s+.+\\s+${site.form.kept}$`),
    );
    expect(await page.getByLabel(composer.label, { exact: true }).inputValue()).toBe(content);
    await takeShots(page, 'door-unsent', language);
    await call('PATCH', '/api/users/receiving', cookie, { from: 'everyone' });
    await page.getByRole('button', { name: composer.send, exact: true }).click();
    await page.waitForURL(/\/r\/[\w-]{22}$/);
    await context.close();
  });
});

describe.each(JOURNEY_LANGUAGES)('before the scripts arrive (%s)', (language) => {
  const { publicPage, wayBack } = WORDS[language];
  const { composer } = publicPage;

  test('Send works before the scripts, which then hydrate the way back', async () => {
    const owner = await system.newAccount();
    const { context, page } = await newPerson(browser, system.url, language, { screen: 'phone' });
    const assets = '**/assets/*.js';
    await page.route(assets, () => undefined);
    await system.eventually(async () => {
      await page.goto(`/m/${owner.username}`, { waitUntil: 'commit' });
      await page.locator('#root').waitFor({ state: 'attached' });
      expect(await page.locator('#root[data-rendered]').count()).toBe(1);
    });
    await page.getByLabel(composer.label, { exact: true }).fill('pressed early');
    await page.getByRole('button', { name: composer.send, exact: true }).click();
    await page.waitForURL(/\/r\/[\w-]{22}$/, { waitUntil: 'commit' });
    expect(await idsOf(owner)).toHaveLength(1);
    await page.unroute(assets);
    await page.reload();
    await page.getByText('pressed early', { exact: true }).waitFor();
    await page.getByRole('button', { name: wayBack.remove.action, exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: wayBack.remove.action }).click();
    await page.getByText(wayBack.remove.done, { exact: true }).first().waitFor();
    expect(await idsOf(owner)).toEqual([]);
    await context.close();
  });
});

/** Makes the line of a page so slow that a picture takes some seconds, and good again. */
async function holdLine(page: Page) {
  const session = await page.context().newCDPSession(page);
  const become = (uploadThroughput: number) =>
    session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    });
  return { slow: () => become(20_000), mend: () => become(-1) };
}

/** Waits until a part of an upload has gone. */
const untilUnderWay = (page: Page) =>
  page.waitForFunction(() => {
    const bar = document.querySelector('[data-testid=upload] [role=progressbar]');
    return Number(bar?.getAttribute('aria-valuenow') ?? 0) > 0;
  });

describe.each(JOURNEY_LANGUAGES)('on a bad line (%s)', (language) => {
  const { publicPage, outbox, wayBack } = WORDS[language];
  const { composer } = publicPage;
  const [content] = WRITTEN[language].messages;

  /** A stranger with a text and a picture, ready to go. */
  async function openWithPicture(username: string, origin = system.url) {
    const { context, page } = await newPerson(browser, origin, language, { screen: 'phone' });
    // The worker would send a waiting message before a test could see it.
    await context.addInitScript(() => {
      Object.defineProperty(navigator, 'serviceWorker', { value: undefined });
    });
    await page.goto(`/m/${username}`);
    // From now on the page shows progress and stores what does not arrive.
    await page.getByTestId('outbox').waitFor({ state: 'attached' });
    const attach = async () => {
      await page.getByLabel(composer.label, { exact: true }).fill(content);
      await page.getByTestId('image-file').setInputFiles(PHOTOGRAPHS.withPlace);
      await page.getByAltText(composer.attached).waitFor();
    };
    await attach();
    const send = page.getByRole('button', { name: composer.send, exact: true });
    return { context, page, attach, send, upload: page.getByTestId('upload'), line: await holdLine(page) };
  }

  test('the upload of a picture shows its progress and can be cancelled, and the form stays', async () => {
    const owner = await system.newAccount();
    const { context, page, send, upload, line } = await openWithPicture(owner.username);
    const keys: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/api/messages')) keys.push(request.headers()['idempotency-key']);
    });
    await line.slow();
    await send.click();
    await untilUnderWay(page);
    await takeShots(page, 'door-upload', language);
    await upload.getByRole('button', { name: outbox.upload.cancel, exact: true }).click();
    await upload.waitFor({ state: 'detached' });
    await send.waitFor();
    expect(await page.getByLabel(composer.label, { exact: true }).inputValue()).toBe(content);
    expect(await page.getByAltText(composer.attached).isVisible()).toBe(true);
    expect(await page.getByTestId('waiting').count()).toBe(0);
    expect(await idsOf(owner)).toEqual([]);
    await line.mend();
    await send.click();
    await page.getByRole('heading', { name: wayBack.sent.title }).waitFor();
    expect(await idsOf(owner)).toHaveLength(1);
    expect(keys).toEqual([keys[0], keys[0]]);
    await context.close();
  });

  test('a picture whose connection breaks waits on the device, and arrives once', async () => {
    const owner = await system.newAccount();
    const connection = await system.openLine();
    const { context, page, send, line } = await openWithPicture(owner.username, `http://${connection.host}`);
    const keys: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/api/messages')) keys.push(request.headers()['idempotency-key']);
    });
    await line.slow();
    await send.click();
    await untilUnderWay(page);
    connection.become({ state: 'cut' });
    await page.getByTestId('waiting').waitFor();
    expect(await idsOf(owner)).toEqual([]);
    await line.mend();
    connection.become({ state: 'good' });
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await page.getByTestId('waiting').waitFor({ state: 'detached' });
    expect(await idsOf(owner)).toHaveLength(1);
    expect(new Set(keys).size).toBe(1);
    await context.close();
    connection.close();
  });

  test('a network that answers its own page, nothing or another address has not sent a picture', async () => {
    const owner = await system.newAccount();
    const { context, page, send, attach } = await openWithPicture(owner.username);
    for (const [index, answer] of [
      { status: 200, contentType: 'text/html', body: '<h1>Sign in to this network</h1>' },
      { status: 200, contentType: 'application/json', body: '' },
      { status: 302, headers: { location: '/about' } },
    ].entries()) {
      if (index > 0) await attach();
      await page.route('**/api/messages', (route) => route.fulfill(answer));
      await send.click();
      await page.getByTestId('waiting').waitFor();
      expect(await page.getByRole('heading', { name: wayBack.sent.title }).count()).toBe(0);
      await page.unroute('**/api/messages');
      await page.evaluate(() => dispatchEvent(new Event('online')));
      await page.getByTestId('waiting').waitFor({ state: 'detached' });
      expect(await idsOf(owner)).toHaveLength(index + 1);
    }
    await context.close();
  });
});

const KINDS = ['plain', 'premium'] as const;

/** With a row on phones or with the plate. @returns its path */
async function newPage(kind: (typeof KINDS)[number], language: Language, name?: string): Promise<string> {
  const bio = (language === 'ar' ? 'أكتب وأصوّر وأسأل كثيرًا. ' : 'I write, take pictures and ask a lot. ').repeat(6);
  if (kind === 'plain') {
    const more = name === undefined ? {} : { name, username: longestUsername(language) };
    return `/m/${(await system.newAccount({ bio, ...more })).username}`;
  }
  const username = await createStaff(system, language, {
    name: name === undefined ? 'six' : 'w'.repeat(14),
    isVerified: true,
  });
  const cookie = await sessionOf(username, STAFF_PASSWORD);
  await call('PATCH', '/api/users', cookie, { bio, ...(name !== undefined && { name }) });
  return `/m/${username}`;
}

const edgesOf = async (part: Locator) => {
  const { y, height } = (await part.boundingBox()) ?? { y: Number.NaN, height: 0 };
  return { top: y, bottom: y + height };
};

/** Truncated texts of the identity. */
const cutIn = (page: Page, parts: string): Promise<string[]> =>
  page.evaluate((selector) => {
    const texts = [...document.querySelectorAll(`[data-writing=identity] :is(${selector})`)];
    return texts
      .filter((text) => text.checkVisibility())
      .filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth + 1)
      .map(({ outerHTML }) => outerHTML.slice(0, 120));
  }, parts);

describe.each(LANGUAGES)('the first minute on a phone (%s)', (language) => {
  const { publicPage, wayBack, site } = WORDS[language];
  const { composer } = publicPage;

  /** Focuses the form, opens the keyboard, and looks at what is left above it. */
  async function seeBesideKeyboard(page: Page, openKeyboard: () => Promise<unknown>): Promise<void> {
    await page.waitForLoadState('networkidle');
    const field = page.getByLabel(composer.label, { exact: true });
    const nameless = page.getByText(composer.nameless, { exact: true });
    expect(await nameless.isVisible()).toBe(false);
    await field.focus();
    await openKeyboard();
    const send = page.getByRole('button', { name: composer.send });
    const counter = page.getByTestId('counter');
    const expectInView = (parts: Locator[]) =>
      system.eventually(async () => {
        for (const part of parts) {
          const { top, bottom } = await edgesOf(part);
          expect(top).toBeGreaterThanOrEqual(0);
          expect(bottom).toBeLessThanOrEqual(400);
        }
      });
    await expectInView([page.locator('#composer-title'), send, counter, nameless]);
    expect((await edgesOf(field)).top).toBeLessThan(60);
    const emoji = page.getByRole('button', { name: composer.emoji, exact: true });
    expect([await emoji.isVisible(), await page.getByTestId('who-sees').isVisible()]).toEqual([false, false]);
    await page.keyboard.insertText(`${WRITTEN[language].messages[0]} `.repeat(20));
    await expectInView([send, counter]);
    expect(await isWide(page)).toBe(false);
    await page.getByRole('button', { name: composer.tools, exact: true }).click();
    await expectInView([emoji, send, counter]);
  }

  test.each(KINDS)('the sheet and Send are in view without scrolling, also beside a keyboard (%s)', async (kind) => {
    const { context, page } = await newPerson(browser, system.url, language, { screen: 'phone' });
    await page.goto(await newPage(kind, language));
    const sheet = page.locator('section[aria-labelledby=composer-title]');
    const field = page.getByLabel(composer.label, { exact: true });
    const send = page.getByRole('button', { name: composer.sendEmpty, exact: true });
    await page.getByTestId('who-sees').waitFor();
    await page.locator('[data-writing=identity] summary:visible').waitFor();
    expect((await edgesOf(sheet)).top).toBeLessThanOrEqual(150);
    expect((await edgesOf(send)).bottom).toBeLessThanOrEqual(560);
    await takeShots(page, `door-public-${kind}`, language);

    await page.setViewportSize({ width: 360, height: 640 });
    const { top, bottom } = await edgesOf(field);
    const line = await field.evaluate((sheetOfPaper) => Number.parseFloat(getComputedStyle(sheetOfPaper).lineHeight));
    expect(bottom - top).toBeGreaterThanOrEqual(3 * line);
    expect((await edgesOf(page.locator('#composer-title'))).top).toBeGreaterThan(0);
    expect((await edgesOf(send)).bottom).toBeLessThanOrEqual(640);

    // A tablet has room for the plate, and the identity stands in a row there as well.
    await page.setViewportSize({ width: 768, height: 1024 });
    expect((await edgesOf(sheet)).top).toBeLessThanOrEqual(kind === 'plain' ? 200 : 450);

    await page.setViewportSize({ width: 390, height: 844 });
    await seeBesideKeyboard(page, () => page.setViewportSize({ width: 360, height: 400 }));
    await takeShots(page, `door-keyboard-${kind}`, language, { screenOnly: true });
    await context.close();
  });

  test('a keyboard that lies over the page leaves Send, the counter and the words in view', async () => {
    const { context, page } = await newPerson(browser, system.url, language, { screen: 'phone' });
    // Test browsers have no on-screen keyboard.
    await page.addInitScript(() => {
      const shown = Object.assign(new EventTarget(), { height: 844, offsetTop: 0 });
      Object.defineProperty(window, 'visualViewport', { value: shown });
    });
    // Each kind once.
    await page.goto(await newPage(language === 'ar' ? 'plain' : 'premium', language));
    await seeBesideKeyboard(page, () =>
      page.evaluate(() => {
        Object.assign(visualViewport as object, { height: 400 });
        visualViewport?.dispatchEvent(new Event('resize'));
      }),
    );
    await context.close();
  });

  test.each(KINDS)('nothing of the longest name is lost on the narrowest phones (%s)', async (kind) => {
    const { context, page } = await newPerson(browser, system.url, language, { screen: 'phone' });
    await page.goto(await newPage(kind, language, LONGEST_NAMES[language]));
    const more = page.locator('[data-writing=identity] summary:visible');
    for (const width of [320, 360]) {
      await page.setViewportSize({ width, height: 640 });
      await more.waitFor();
      await lookAt(page, 'whole');
      // Otherwise it ends with an ellipsis, and a press shows the rest.
      expect(await cutIn(page, 'ul, dl, summary, [data-writing=identity]')).toEqual([]);
      await more.click();
      expect(await cutIn(page, 'h1, h1 *, p, p *, bdi, ul, dl, summary')).toEqual([]);
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain(LONGEST_NAMES[language]);
      await takeShots(page, `door-longest-${kind}-${String(width)}`, language);
      await more.click();
    }
    await context.close();
  });

  test('the form says who sees what, and after sending everything is in one view', async () => {
    const { context, page } = await newPerson(browser, system.url, language, { screen: 'phone' });
    await page.goto(await newPage('plain', language));
    const sees = page.getByTestId('who-sees');
    await sees.locator('summary').click();
    for (const who of ['owner', 'staff', 'others'] as const)
      expect(await sees.getByText(site.sees[who], { exact: true }).isVisible()).toBe(true);
    await sees
      .getByText(new Intl.NumberFormat(language === 'ar' ? 'ar-EG' : language).format(RETENTION.trackingDays))
      .waitFor();
    await takeShots(page, 'door-who', language);
    // It is aria-disabled, for which Playwright would wait.
    await page.getByRole('button', { name: composer.sendEmpty, exact: true }).click({ force: true });
    expect(await page.getByLabel(composer.label).evaluate((field) => field === document.activeElement)).toBe(true);
    await page.getByLabel(composer.label).fill('words of a stranger');
    await page.getByRole('button', { name: composer.send, exact: true }).click();
    await page.getByRole('heading', { name: wayBack.sent.title }).waitFor();
    await page.waitForFunction((title) => document.title.includes(title), wayBack.plain.title);
    const [name = ''] = wayBack.ornament.label.split(':');
    await page.getByTestId('sent-notice').getByRole('img', { name }).waitFor();
    const strip = page.getByRole('link', { name: wayBack.sent.door });
    // As drawn, or a line more if the font came too late.
    expect((await edgesOf(strip)).bottom).toBeLessThanOrEqual(490);
    await takeShots(page, 'door-sent', language);
    await page.getByRole('button', { name: wayBack.sent.again }).click();
    await page.getByLabel(composer.label).waitFor();
    expect(await page.title()).not.toContain(wayBack.plain.title);
    await context.close();
  });
});

describe.each(JOURNEY_LANGUAGES)('an account after a message (%s)', (language) => {
  const { publicPage, wayBack, auth } = WORDS[language];
  const { composer } = publicPage;

  // Threat model: owner-13.
  test('sign-up receives nothing of the message', async () => {
    const words = 'words of a stranger';
    const { context, page } = await newPerson(browser, system.url, language, { screen: 'phone' });
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.goto(`/m/${(await system.newAccount()).username}`);
    await page.getByLabel(composer.label).fill(words);
    const shift = await page.evaluateHandle(() => {
      const all = { value: 0 };
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) all.value += (entry as PerformanceEntry & { value: number }).value;
      }).observe({ type: 'layout-shift' });
      return all;
    });
    await page.getByRole('button', { name: composer.send, exact: true }).click();
    await page.getByRole('heading', { name: wayBack.sent.title }).waitFor();
    // The written sheet leaves at the end of the movement.
    await page.locator('[data-testid=sent-notice] [inert]').first().waitFor({ state: 'detached' });
    expect(await shift.evaluate(({ value }) => value)).toBe(0);
    const token = (await page.getByTestId('way-back').textContent())?.split('/r/')[1] ?? '';
    expect(token).toMatch(/^[\w-]{22}$/);
    const opening = page.waitForRequest((asked) => asked.isNavigationRequest());
    await page.getByRole('link', { name: wayBack.sent.door }).click();
    expect([(await opening).url(), (await opening).headers()['referer']]).toEqual([`${system.url}/auth`, undefined]);
    await page.getByRole('button', { name: auth.register.submit }).waitFor();

    // Only the device's list is left, which no request sends.
    const left = await page.evaluate(() => ({
      referrer: document.referrer,
      state: JSON.stringify(history.state),
      session: JSON.stringify({ ...sessionStorage }),
      local: JSON.stringify({ ...localStorage, 'ways-back': '' }),
      name: window.name,
    }));
    for (const trace of [words, token]) expect(JSON.stringify(left)).not.toContain(trace);
    expect(left.referrer).toBe('');

    const username = usernameFrom('came', language);
    await fillRegistrationHere(page, language, username);
    const registering = page.waitForRequest('**/api/register');
    await page.getByRole('button', { name: auth.register.submit }).click();
    const sent = (await registering).postDataJSON() as Record<string, unknown>;
    expect(
      Object.keys(sent)
        .filter((key) => sent[key] !== '')
        .sort(),
    ).toEqual(['confirmPassword', 'name', 'password', 'terms', 'username']);
    expect((await registering).headers()['referer'] ?? '').not.toMatch(/\/[rm]\//);
    await context.close();
  });
});
