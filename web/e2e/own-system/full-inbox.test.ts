import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestSystem, type TestSystem } from '@najwa/dev-env';
import type { Browser } from 'playwright-core';
import { LANGUAGES, launchBrowser, newPerson, WORDS } from '../browser.js';
import { look, signIn } from '../helpers.js';

describe('a full inbox', () => {
  let system: TestSystem;
  let browser: Browser;

  beforeAll(async () => {
    system = await startTestSystem({
      env: {
        RATE_LIMIT_SCALE: '1',
        MESSAGE_SENDER_LIMIT: '100/60',
        MESSAGE_SITE_LIMIT: '1/600',
        MESSAGE_WAVE_LIMIT: '3/600',
      },
    });
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser.close();
    await system.stop();
  });

  test.each(LANGUAGES)(
    'makes the composer solve a proof of work, and then takes the message (%s)',
    async (language) => {
      const { closed, publicPage } = WORDS[language];
      const { composer } = publicPage;
      const owner = await system.newAccount();
      await system.sendMessage(owner.id);
      const { page } = await newPerson(browser, system.url, language);
      const statuses: number[] = [];
      let workers = 0;
      page.on('worker', () => (workers += 1));
      page.on('response', (response) => {
        if (response.request().method() === 'POST' && response.url().endsWith('/api/messages'))
          statuses.push(response.status());
      });
      let goOn = (): void => undefined;
      const seen = new Promise<void>((resolve) => (goOn = resolve));
      await page.route('**/api/messages', async (route) => {
        if (route.request().headers()['proof-of-work'] !== undefined) await seen;
        await route.continue();
      });
      await page.goto(`/m/${owner.username}`);
      await page.getByLabel(composer.label).fill('كلمة بعد الانتظار');
      await page.getByRole('button', { name: composer.send }).click();
      await page.getByText(closed.check, { exact: true }).waitFor();
      await look(page, 'composer-check', language);
      goOn();
      await page.getByText(composer.done, { exact: true }).waitFor();
      expect([statuses, workers]).toEqual([[429, 201], 1]);
      const { body } = await system.request('GET', '/api/messages', { cookie: owner.cookie });
      expect((body as { content: string }[]).map(({ content }) => content)).toContain('كلمة بعد الانتظار');
    },
  );

  test.each(LANGUAGES)('tells its owner of a wave, who pauses the page and goes on (%s)', async (language) => {
    const owner = await system.newAccount();
    const texts = WORDS[language].profile.wave;
    const sender = await newPerson(browser, system.url, language);
    await sender.page.goto(`/m/${owner.username}`);
    // The site's limit asks for a proof of work, which the page solves.
    for (let count = 0; count < 3; count += 1) {
      const words = WORDS[language].publicPage.composer;
      await sender.page.getByLabel(words.label).fill(`موجة ${count}`);
      await sender.page.getByRole('button', { name: words.send }).click();
      await sender.page.getByText(words.done, { exact: true }).waitFor();
      await sender.page.reload();
    }
    const { page } = await newPerson(browser, system.url, language);
    await signIn(page, language, owner.username, owner.password);
    await page.getByText(texts.title, { exact: true }).waitFor();
    await look(page, 'wave', language);
    await page.getByRole('button', { name: texts.pause }).click();
    await page.getByText(texts.paused, { exact: true }).waitFor();
    await look(page, 'wave-paused', language);
    const receiving = async () => {
      const { body } = await system.request('GET', `/api/users/${owner.username}`);
      return (body as { receiving: { from: string } }).receiving.from;
    };
    await system.eventually(async () => expect(await receiving()).toBe('nobody'));
    await page.getByRole('button', { name: texts.resume }).click();
    await page.getByText(texts.title, { exact: true }).waitFor();
    await system.eventually(async () => expect(await receiving()).toBe('everyone'));
  });
});
