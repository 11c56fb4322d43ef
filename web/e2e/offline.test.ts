// Long run: a device without a connection.
import { describe, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { JOURNEY_LANGUAGES, launchBrowser, newPerson, system, takeShots, WORDS } from './browser.js';
import { look, newPersonOf, PHOTOGRAPHS } from './helpers.js';
import { call } from './states/sweep.js';

const VOICE = new URL('../../services/media/tests/samples/speech-en-man-1034.wav', import.meta.url).pathname;

const browser = await launchBrowser({ microphone: VOICE });

/** The worker has to load before the connection is lost. */
const workerReady = (page: Page) =>
  page.waitForFunction(async () => (await navigator.serviceWorker.getRegistration())?.active?.state === 'activated');

/** Waits until the page can store a message, before the connection is lost. */
const ready = async (page: Page): Promise<void> => {
  await page.getByTestId('outbox').waitFor({ state: 'attached' });
  await page.waitForLoadState('networkidle');
};

const received = ({ cookie }: { cookie: string }) =>
  call<{ content: string; imageUrl: string | null; audioUrl: string | null }[]>('GET', '/api/messages', cookie);

describe.each(JOURNEY_LANGUAGES)('without a connection (%s)', (language) => {
  const { outbox, publicPage, recorder, wayBack } = WORDS[language];
  const content = language === 'ar' ? 'تابعت صورك منذ سنتين' : 'I have followed your photos for two years';
  const afterPlaceholder = (text: string) => text.split(/[“«]?\{\{\w+\}\}[”»]?/)[1]?.trim() ?? '';

  test('a text with a picture and a voice wait on the device, and are sent once when online', async () => {
    const owner = await system.newAccount();
    const { page: visitor } = await newPerson(browser, system.url, language, { screen: 'phone' });
    const context = visitor.context();
    await visitor.goto(`/m/${owner.username}`);
    await ready(visitor);
    const field = visitor.getByLabel(publicPage.composer.label);
    // The recorder loads when writing or recording begins.
    const voice = visitor.getByRole('button', { name: publicPage.composer.voice, exact: true });
    await voice.click();
    await visitor.getByRole('button', { name: recorder.start, exact: true }).waitFor();
    await voice.click();
    await workerReady(visitor);

    await context.setOffline(true);
    const band = visitor.getByText(outbox.offline, { exact: true });
    await band.waitFor();
    const topOf = async (part: Locator) => (await part.boundingBox())?.y ?? Number.NaN;
    expect(await topOf(band)).toBeLessThan(await topOf(visitor.locator('#composer-title')));
    await field.fill(content);
    await visitor.getByTestId('image-file').setInputFiles(PHOTOGRAPHS.withPlace);
    await visitor.getByAltText(publicPage.composer.attached).waitFor();
    await visitor.getByRole('button', { name: outbox.sendLater }).click();
    await visitor.getByTestId('waiting').getByText(afterPlaceholder(outbox.goes)).waitFor();
    expect(await field.inputValue()).toBe('');
    await look(visitor, 'outbox-waiting', language);

    await voice.click();
    await visitor.getByRole('button', { name: recorder.start, exact: true }).click();
    await visitor.waitForFunction(() => /[1-9١-٩]/.test(document.querySelector('[role=timer]')?.textContent ?? ''));
    await visitor.getByRole('button', { name: recorder.stop, exact: true }).click();
    await visitor.getByRole('radio', { name: recorder.female }).check({ force: true });
    await visitor.getByRole('button', { name: recorder.send, exact: true }).click();
    await system.eventually(async () => expect(await visitor.getByTestId('waiting').count()).toBe(2));
    expect(await received(owner)).toEqual([]);

    // A second tab of the device sends concurrently.
    const other = await context.newPage();
    await context.setOffline(false);
    await Promise.all([other.goto(`/m/${owner.username}`), visitor.evaluate(() => dispatchEvent(new Event('online')))]);
    await system.eventually(async () => expect(await received(owner)).toHaveLength(2));
    await visitor.getByRole('link', { name: outbox.wayBack, exact: true }).first().waitFor();
    await system.eventually(async () => expect(await visitor.getByTestId('waiting').count()).toBe(0));
    const messages = await received(owner);
    expect(messages).toHaveLength(2);
    expect(messages.filter(({ audioUrl }) => audioUrl !== null)).toHaveLength(1);
    expect(messages.find(({ content: text }) => text === content)?.imageUrl).not.toBeNull();
    await look(visitor, 'outbox-sent', language);

    await visitor.goto('/r');
    await visitor.getByRole('link', { name: content }).waitFor();
    await visitor.getByRole('button', { name: wayBack.list.forget }).click();
    await visitor.getByRole('alertdialog').getByRole('button', { name: wayBack.list.forget }).click();
    await visitor.getByText(wayBack.list.empty, { exact: true }).waitFor();

    // The worker is active by now, and serves no page.
    const { controlled, text } = await visitor.evaluate(async () => {
      return { controlled: navigator.serviceWorker.controller !== null, text: await (await fetch('/sw.js')).text() };
    });
    expect(controlled).toBe(true);
    expect(text).toContain('sync');
    expect((await visitor.goto('/r'))?.fromServiceWorker()).toBe(false);
  });

  test('a page that is loaded again says that there is no line, and comes back with it', async () => {
    const { page, context } = await newPersonOf(await system.newAccount(), browser, language, { outages: true });
    await page.goto('/profile');
    // An active worker answers once it has claimed its pages.
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await context.setOffline(true);
    await page.reload({ waitUntil: 'commit' });
    for (const title of ['لا اتصال بالإنترنت', 'You are offline'])
      await page.getByRole('heading', { name: title }).waitFor();
    await takeShots(page, 'offline-page', language);
    await context.setOffline(false);
    await page.getByRole('link').first().click();
    await page.getByTestId('bell').waitFor();
    await context.close();
  });

  test('a text without an answer times out, waits on the device, and arrives once', async () => {
    const owner = await system.newAccount();
    const { page: visitor } = await newPerson(browser, system.url, language);
    await visitor.clock.install();
    await visitor.goto(`/m/${owner.username}`);
    await ready(visitor);
    let arrived: () => void = () => undefined;
    const first = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    await visitor.route(
      '**/api/messages',
      async (route) => {
        await route.fetch();
        arrived();
      },
      { times: 1 },
    );
    const field = visitor.getByLabel(publicPage.composer.label);
    await field.fill(content);
    await visitor.getByRole('button', { name: publicPage.composer.send, exact: true }).click();
    await first;
    await visitor.getByRole('button', { name: publicPage.composer.sending, exact: true }).waitFor();
    expect(await visitor.getByTestId('waiting').count()).toBe(0);
    await visitor.clock.fastForward('03:00');
    await visitor.getByTestId('waiting').waitFor();
    expect(await field.inputValue()).toBe('');
    await visitor.clock.fastForward('00:30');
    await visitor.getByTestId('waiting').waitFor({ state: 'detached' });
    expect((await received(owner)).map((message) => message.content)).toEqual([content]);
  });

  test('a text to a page paused meanwhile is given back with the reason', async () => {
    const owner = await system.newAccount();
    const { page: visitor } = await newPerson(browser, system.url, language, { screen: 'phone' });
    await visitor.goto(`/m/${owner.username}`);
    await ready(visitor);
    const field = visitor.getByLabel(publicPage.composer.label);
    await field.focus();
    await workerReady(visitor);
    await visitor.context().setOffline(true);
    await visitor.getByText(outbox.offline, { exact: true }).waitFor();
    await call('PATCH', '/api/users/receiving', owner.cookie, { from: 'nobody' });
    await system.eventually(async () => {
      const { status } = await system.request('POST', '/api/messages', {
        body: { userId: owner.id, content: 'too late' },
      });
      expect(status).toBe(403);
    });
    await field.fill(content);
    await visitor.getByRole('button', { name: outbox.sendLater }).click();
    await visitor.getByTestId('waiting').waitFor();
    await visitor.context().setOffline(false);
    await visitor.getByText(outbox.refused.title, { exact: true }).waitFor();
    await visitor.getByRole('button', { name: outbox.copy, exact: true }).click();
    await visitor.getByText(outbox.copied, { exact: true }).waitFor();
    expect(await visitor.evaluate(() => navigator.clipboard.readText())).toBe(content);
    await look(visitor, 'outbox-refused', language);
    await visitor.getByRole('button', { name: outbox.remove, exact: true }).click();
    await visitor.getByTestId('waiting').waitFor({ state: 'detached' });
    expect((await received(owner)).map((message) => message.content)).not.toContain(content);
  });
});
