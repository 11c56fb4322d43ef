import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { get } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { JOURNEY_LANGUAGES, LANGUAGES, launchBrowser, newPerson, system, takeShots, WORDS } from './browser.js';
import { callAs, newOwner, PHOTOGRAPHS, WRITTEN } from './helpers.js';

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});

afterAll(() => browser.close());

const idsOf = async (owner: Page): Promise<number[]> =>
  ((await callAs(owner, 'GET', '/api/messages')).body as { id: number }[]).map(({ id }) => id);

const isWide = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);

/** A page that takes too long to render is nothing without scripts. */
async function openRendered(page: Page, path: string): Promise<void> {
  await system.eventually(async () => {
    await page.goto(path);
    expect(await page.locator('#root[data-rendered]').count()).toBe(1);
  });
}

/** Bytes of the first answer, as a browser gets it. */
const bytesOf = (path: string, language: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { 'accept-encoding': 'gzip, deflate, br', cookie: `language=${language}` };
    get(new URL(path, system.url), { headers }, (answer) => {
      let bytes = JSON.stringify(answer.rawHeaders).length;
      answer.on('data', (piece: Buffer) => (bytes += piece.length)).on('end', () => resolve(bytes));
    }).on('error', reject);
  });

describe.each(LANGUAGES)('without scripts (%s)', (language) => {
  const { publicPage, wayBack, site } = WORDS[language];
  const { composer } = publicPage;
  const [content = ''] = WRITTEN[language].messages;
  const { reply } = WRITTEN[language];

  test('a stranger writes with a picture, reads the reply, and deletes another message', async () => {
    const { context: own, page: owner, username } = await newOwner(browser, language, 'door');
    const { context, page } = await newPerson(browser, system.url, language, { screen: 'phone', scripts: false });
    await openRendered(page, `/m/${username}`);
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
    await callAs(owner, 'POST', '/api/replies', { messageId, content: reply });
    await page.reload();
    expect(await page.getByText(reply, { exact: true }).isVisible()).toBe(true);
    expect(await page.getByRole('button', { name: wayBack.remove.action, exact: true }).count()).toBe(0);

    await openRendered(page, `/m/${username}`);
    await page.getByLabel(composer.label, { exact: true }).fill(content);
    await page.getByRole('button', { name: composer.send, exact: true }).click();
    await page.waitForURL(/\/r\/[\w-]{22}$/);
    const way = page.url();
    await page.getByRole('button', { name: wayBack.remove.action, exact: true }).click();
    expect(await page.getByText(wayBack.remove.title).isVisible()).toBe(true);
    expect(await idsOf(owner)).toHaveLength(2);
    await takeShots(page, 'door-deleting', language);
    await page.getByRole('button', { name: wayBack.remove.action, exact: true }).click();
    expect(await page.getByText(wayBack.remove.done, { exact: true }).isVisible()).toBe(true);
    await takeShots(page, 'door-deleted', language);
    expect(await idsOf(owner)).toEqual([messageId]);
    expect((await page.goto(way))?.status()).toBe(404);
    expect(await page.getByText(wayBack.gone.title, { exact: true }).isVisible()).toBe(true);
    await Promise.all([context.close(), own.close()]);
  });

  test('the first answer is all that a message needs, in 25 kB', async () => {
    const { context: own, username } = await newOwner(browser, language, 'door');
    const { context, page } = await newPerson(browser, system.url, language, { screen: 'phone', scripts: false });
    await openRendered(page, `/m/${username}`);
    expect(await bytesOf(`/m/${username}`, language)).toBeLessThanOrEqual(25_000);
    // Neither fonts, nor pictures, nor anything else.
    await page.route('**/*', async (route) => {
      if (route.request().isNavigationRequest()) await route.continue();
      else await route.abort();
    });
    await page.reload();
    await page.getByLabel(composer.label, { exact: true }).fill(content);
    await page.getByRole('button', { name: composer.send, exact: true }).click();
    await page.waitForURL(/\/r\/[\w-]{22}$/);
    await Promise.all([context.close(), own.close()]);
  });

  test('a refused message keeps its text, beside the reason', async () => {
    const { context: own, page: owner, username } = await newOwner(browser, language, 'door');
    const { context, page } = await newPerson(browser, system.url, language, { screen: 'phone', scripts: false });
    await openRendered(page, `/m/${username}`);
    await page.getByLabel(composer.label, { exact: true }).fill(content);
    await callAs(owner, 'PATCH', '/api/users/receiving', { from: 'nobody' });
    await page.getByRole('button', { name: composer.send, exact: true }).click();
    await page.getByTestId('unsent').waitFor();
    expect(await page.getByTestId('unsent').textContent()).toMatch(
      new RegExp(`^${site.form.unsent} · .+ · ${site.form.kept}$`),
    );
    expect(await page.getByLabel(composer.label, { exact: true }).inputValue()).toBe(content);
    await takeShots(page, 'door-unsent', language);
    await callAs(owner, 'PATCH', '/api/users/receiving', { from: 'everyone' });
    await page.getByRole('button', { name: composer.send, exact: true }).click();
    await page.waitForURL(/\/r\/[\w-]{22}$/);
    await Promise.all([context.close(), own.close()]);
  });
});

describe.each(LANGUAGES)('before the scripts arrive (%s)', (language) => {
  const { publicPage, wayBack } = WORDS[language];
  const { composer } = publicPage;

  test('Send works at once, and the way back is taken over by them', async () => {
    const { context: own, page: owner, username } = await newOwner(browser, language, 'door');
    const { context, page } = await newPerson(browser, system.url, language, { screen: 'phone' });
    const assets = '**/assets/*.js';
    await page.route(assets, () => undefined);
    await system.eventually(async () => {
      await page.goto(`/m/${username}`, { waitUntil: 'commit' });
      await page.locator('#root[data-rendered]').waitFor({ timeout: 2_000 });
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
    await Promise.all([context.close(), own.close()]);
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

describe.each(JOURNEY_LANGUAGES)('on a bad line (%s)', (language) => {
  const { publicPage, outbox, wayBack } = WORDS[language];
  const { composer } = publicPage;
  const [content] = WRITTEN[language].messages;

  /** A stranger with a text and a picture, ready to go. */
  async function openWithPicture(username: string) {
    const { context, page } = await newPerson(browser, system.url, language, { screen: 'phone' });
    // It would send what waits before anybody could see that it waits.
    await context.addInitScript(() => {
      Object.defineProperty(navigator, 'serviceWorker', { value: undefined });
    });
    await page.goto(`/m/${username}`);
    // The page can say how far it is, and keep what does not arrive.
    await page.getByTestId('outbox').waitFor({ state: 'attached' });
    await page.getByLabel(composer.label, { exact: true }).fill(content);
    await page.getByTestId('image-file').setInputFiles(PHOTOGRAPHS.withPlace);
    await page.getByAltText(composer.attached).waitFor();
    const send = page.getByRole('button', { name: composer.send, exact: true });
    return { context, page, send, upload: page.getByTestId('upload'), line: await holdLine(page) };
  }

  test('a picture says how far it is, stops when asked, and leaves the form as it was', async () => {
    const { context: own, page: owner, username } = await newOwner(browser, language, 'slow');
    const { context, page, send, upload, line } = await openWithPicture(username);
    const keys: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/api/messages')) keys.push(request.headers()['idempotency-key']);
    });
    await line.slow();
    await send.click();
    await page.waitForFunction(() => {
      const bar = document.querySelector('[data-testid=upload] [role=progressbar]');
      return Number(bar?.getAttribute('aria-valuenow') ?? 0) > 0;
    });
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
    await Promise.all([context.close(), own.close()]);
  });

  test.each([
    ['its own page', { status: 200, contentType: 'text/html', body: '<h1>Sign in to this network</h1>' }],
    ['nothing', { status: 200, contentType: 'application/json', body: '' }],
    ['another address', { status: 302, headers: { location: '/about' } }],
  ] as const)('a network that answers %s has not sent a picture', async (_name, answer) => {
    const { context: own, page: owner, username } = await newOwner(browser, language, 'portal');
    const { context, page, send } = await openWithPicture(username);
    await page.route('**/api/messages', (route) => route.fulfill(answer));
    await send.click();
    await page.getByTestId('waiting').waitFor();
    expect(await page.getByRole('heading', { name: wayBack.sent.title }).count()).toBe(0);
    await page.unroute('**/api/messages');
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await page.getByTestId('waiting').waitFor({ state: 'detached' });
    expect(await idsOf(owner)).toHaveLength(1);
    await Promise.all([context.close(), own.close()]);
  });
});

describe.each(LANGUAGES)('the first minute on a phone (%s)', (language) => {
  const { publicPage, wayBack, site } = WORDS[language];
  const { composer } = publicPage;
  const bio =
    language === 'ar' ? 'أكتب وأصوّر وأسأل كثيرًا. '.repeat(6) : 'I write, take pictures and ask a lot. '.repeat(6);

  test('the sheet and Send are in view without scrolling', async () => {
    const { context: own, page: owner, username } = await newOwner(browser, language, 'minute');
    await callAs(owner, 'PATCH', '/api/users', { bio });
    const { context, page } = await newPerson(browser, system.url, language, { screen: 'phone' });
    await page.goto(`/m/${username}`);
    const send = page.getByRole('button', { name: composer.sendEmpty, exact: true });
    await page.getByTestId('who-sees').waitFor();
    const endOf = async () => {
      const box = await send.boundingBox();
      return (box?.y ?? Infinity) + (box?.height ?? 0);
    };
    expect(await endOf()).toBeLessThanOrEqual(560);
    await page.setViewportSize({ width: 360, height: 640 });
    expect(await endOf()).toBeLessThanOrEqual(640);
    expect((await page.getByLabel(composer.label).boundingBox())?.height).toBeGreaterThanOrEqual(120);
    await takeShots(page, 'door-public', language);

    await Promise.all([context.close(), own.close()]);
  });

  test('with the keyboard open, Send and the counter stand above it, and the tools behind a plus', async () => {
    const { context: own, username } = await newOwner(browser, language, 'minute');
    const { context, page } = await newPerson(browser, system.url, language, { screen: 'phone' });
    await page.goto(`/m/${username}`);
    await page.getByLabel(composer.label).focus();
    await page.setViewportSize({ width: 360, height: 400 });
    await page.evaluate(() => {
      window.scrollTo(0, 0);
    });
    const send = await page.getByRole('button', { name: composer.sendEmpty, exact: true }).boundingBox();
    const counter = await page.getByTestId('counter').boundingBox();
    for (const box of [send, counter]) expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThanOrEqual(400);
    const emoji = page.getByRole('button', { name: composer.emoji, exact: true });
    expect([await emoji.isVisible(), await page.getByTestId('who-sees').isVisible()]).toEqual([false, false]);
    await page.getByRole('button', { name: composer.tools, exact: true }).click();
    expect(await emoji.isVisible()).toBe(true);
    await Promise.all([context.close(), own.close()]);
  });

  test('says who sees what, and after sending everything is in one view and goes no further', async () => {
    const { context: own, username } = await newOwner(browser, language, 'minute');
    const { context, page } = await newPerson(browser, system.url, language, { screen: 'phone' });
    await page.goto(`/m/${username}`);
    const sees = page.getByTestId('who-sees');
    await sees.locator('summary').click();
    for (const who of ['owner', 'staff', 'others'] as const)
      expect(await sees.getByText(site.sees[who], { exact: true }).isVisible()).toBe(true);
    await takeShots(page, 'door-who', language);
    // It says that it is disabled, for which Playwright would wait.
    await page.getByRole('button', { name: composer.sendEmpty, exact: true }).click({ force: true });
    expect(await page.getByLabel(composer.label).evaluate((field) => field === document.activeElement)).toBe(true);
    await page.getByLabel(composer.label).fill('words of a stranger');
    await page.getByRole('button', { name: composer.send, exact: true }).click();
    await page.getByRole('heading', { name: wayBack.sent.title }).waitFor();
    const strip = page.getByRole('link', { name: wayBack.sent.door });
    const box = await strip.boundingBox();
    expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThanOrEqual(844);
    await takeShots(page, 'door-sent', language);
    const request = page.waitForRequest((asked) => asked.isNavigationRequest());
    await strip.click();
    const { referer } = (await request).headers();
    expect([(await request).url(), referer]).toEqual([`${system.url}/auth`, undefined]);
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('words of a stranger');
    await Promise.all([context.close(), own.close()]);
  });
});
