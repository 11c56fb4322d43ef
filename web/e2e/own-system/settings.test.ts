// Long run: a system of its own.
import { afterAll, describe, expect, test } from '@jest/globals';
import { answering, startOpenAiStandIn } from '../../../services/chatbot/tests/component/openai-stand-in.js';
import { browserSide } from '../browser-side.js';
import { JOURNEY_LANGUAGES, launchBrowser, newPerson, takeShots, WORDS } from '../browser.js';
import {
  ANSWERS,
  ask,
  createStaff,
  enter,
  lastReply,
  look,
  openAssistant,
  PHOTOGRAPHS,
  QUESTIONS,
  STAFF_PASSWORD,
} from '../helpers.js';

/* A system with a language model and low limits, which no other suite uses. */

const standIn = await startOpenAiStandIn();
const [system, browser] = await Promise.all([
  browserSide.startSystem({
    env: {
      OPENAI_API_KEY: 'a key',
      OPENAI_BASE_URL: standIn.url,
      RATE_LIMIT_SCALE: '1',
      NETWORK_LIMIT: '10000/60',
      MESSAGE_SENDER_LIMIT: '100/60',
      MESSAGE_SITE_LIMIT: '1/600',
      MESSAGE_WAVE_LIMIT: '3/600',
    },
  }),
  launchBrowser(),
]);

afterAll(async () => {
  await system.stop();
  await standIn.stop();
});

describe('assistant with a language model', () => {
  test.each(JOURNEY_LANGUAGES)(
    "shows the AI mode and treats lists in a model's reply as plain text (%s)",
    async (language) => {
      const words = WORDS[language].chat;
      const { context, page } = await newPerson(browser, system.url, language, { screen: 'phone' });
      await page.goto('/');
      const panel = await openAssistant(page, language);
      standIn.behave(answering('It is simple.\n\nYou can:\n• one\n• two'));
      await ask(panel, language, QUESTIONS[language]);
      await lastReply(panel).getByText('• two').waitFor();
      expect(await panel.getByTestId('chat-mode').textContent()).toBe(words.mode.ai);
      await panel.getByTestId('image-file').setInputFiles(PHOTOGRAPHS.rotated);
      await panel.getByAltText(words.picture.chosen).waitFor();
      standIn.behave(answering(ANSWERS[language]));
      await ask(panel, language, QUESTIONS[language]);
      await lastReply(panel).getByText(ANSWERS[language]).waitFor();
      expect(JSON.stringify(standIn.requests.at(-1)?.messages)).toContain('data:image/');
      await takeShots(page, 'chat-model', language, { screenOnly: true });
      await context.close();
    },
  );
});

describe('an administrator', () => {
  test.each(JOURNEY_LANGUAGES)('an administrator deletes all conversations of the site (%s)', async (language) => {
    const { admin } = WORDS[language];
    standIn.behave(answering(ANSWERS[language]));
    for (const message of ['one', 'two'])
      expect((await system.request('POST', '/api/chat', { body: { message, imageUrl: null } })).status).toBe(200);
    const person = await newPerson(browser, system.url, language);
    await enter(person, await createStaff(system, language, { name: 'salem' }), STAFF_PASSWORD);
    const { page } = person;
    await page.goto('/admin?tab=chatbot');
    await page.getByTestId('row').nth(1).waitFor();
    await page.getByRole('button', { name: admin.chatbot.deleteAll }).click();
    const question = page.getByRole('alertdialog');
    await question.getByRole('heading', { name: admin.remove.allTitle }).waitFor();
    await look(page, 'admin-chatbot-confirm-all', language);
    await question.getByRole('button', { name: admin.remove.confirm }).click();
    await page.getByText(admin.chatbot.empty, { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: admin.chatbot.deleteAll }).isDisabled()).toBe(true);
    await look(page, 'admin-chatbot-empty', language);
    const { body } = await system.request('GET', '/api/admin/chat-bot/messages', {
      cookie: (await person.context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; '),
    });
    expect(body).toEqual([]);
  });
});

describe('a full inbox', () => {
  test.each(JOURNEY_LANGUAGES)(
    'makes the composer solve a proof of work, and then takes the message (%s)',
    async (language) => {
      const { closed, publicPage } = WORDS[language];
      const { composer } = publicPage;
      const owner = await system.newAccount();
      await system.sendMessage(owner.id);
      const { page } = await newPerson(browser, system.url, language, { screen: 'phone' });
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
      await page.getByTestId(/^sent-/).waitFor();
      expect([statuses, workers]).toEqual([[429, 201], 1]);
      const { body } = await system.request('GET', '/api/messages', { cookie: owner.cookie });
      expect((body as { content: string }[]).map(({ content }) => content)).toContain('كلمة بعد الانتظار');
    },
  );

  test.each(JOURNEY_LANGUAGES)(
    'an owner is notified of a burst of messages, pauses the page and resumes it (%s)',
    async (language) => {
      const owner = await system.newAccount();
      const texts = WORDS[language].profile.wave;
      const sender = await newPerson(browser, system.url, language);
      await sender.page.goto(`/m/${owner.username}`);
      // The site's limit requires a proof of work, which the page solves.
      for (let count = 0; count < 3; count += 1) {
        const words = WORDS[language].publicPage.composer;
        await sender.page.getByLabel(words.label).fill(`موجة ${count}`);
        await sender.page.getByRole('button', { name: words.send }).click();
        await sender.page.getByTestId(/^sent-/).waitFor();
        await sender.page.reload();
      }
      const person = await newPerson(browser, system.url, language);
      await enter(person, owner.username, owner.password);
      const { page } = person;
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
    },
  );
});
