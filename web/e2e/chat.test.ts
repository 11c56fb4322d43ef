import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestSystem, type TestSystem } from '@najwa/dev-env';
import type { Browser, Locator, Page } from 'playwright-core';
import {
  answering,
  type OpenAiStandIn,
  startOpenAiStandIn,
} from '../../services/chatbot/tests/component/openai-stand-in.js';
import {
  accessibilityFaults,
  type Language,
  LANGUAGES,
  launchBrowser,
  newPerson,
  takeShots,
  WORDS,
} from './browser.js';
import { fillRegistration, submitRegistration } from './helpers.js';

const PHOTOGRAPH = new URL('../../services/media/tests/samples/photo-rotated.jpg', import.meta.url).pathname;

const QUESTIONS = { ar: 'هل يظهر اسمي إذا أرسلت رسالة؟', en: 'Does my name show when I send a message?' };
const ANSWERS = { ar: 'لا يرى صاحب الصفحة اسمك', en: 'The page owner does not see your name' };
const BLIND = { ar: 'لا أستطيع رؤية الصور', en: "I can't see pictures" };
const TEXT_FILE = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('notes') };
const HUGE_FILE = { name: 'huge.png', mimeType: 'image/png', buffer: Buffer.alloc(5 * 1024 * 1024 + 1) };

let system: TestSystem;
let browser: Browser;

beforeAll(async () => {
  system = await startTestSystem();
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser.close();
  await system.stop();
});

async function openAssistant(page: Page, language: Language): Promise<Locator> {
  await page.getByRole('button', { name: WORDS[language].chat.open }).click();
  const panel = page.getByRole('dialog', { name: WORDS[language].chat.title });
  await panel.waitFor();
  return panel;
}

async function ask(panel: Locator, language: Language, question: string): Promise<void> {
  await panel.getByLabel(WORDS[language].chat.question, { exact: true }).fill(question);
  await panel.getByRole('button', { name: WORDS[language].chat.send, exact: true }).click();
}

const lastReply = (panel: Locator): Locator => panel.getByTestId('chat-reply').last();

describe.each(LANGUAGES)('assistant in automatic mode (%s)', (language) => {
  const words = WORDS[language].chat;

  test('answers, and shows an error while the service is down', async () => {
    const { context, page } = await newPerson(browser, system.url, language);
    await page.goto('/');
    const panel = await openAssistant(page, language);
    await panel.getByText(words.greeting, { exact: true }).waitFor();
    const field = panel.getByLabel(words.question, { exact: true });
    await system.eventually(async () =>
      expect(await field.evaluate((element) => element === document.activeElement)).toBe(true),
    );
    expect(await panel.getByRole('button', { name: words.send, exact: true }).isDisabled()).toBe(true);
    expect(await panel.getByTestId('chat-mode').textContent()).toBe(words.mode.ai);
    await takeShots(page, 'chat-greeting', language, { screenOnly: true });

    await ask(panel, language, QUESTIONS[language]);
    await panel.getByText(QUESTIONS[language], { exact: true }).waitFor();
    await lastReply(panel).getByText(ANSWERS[language]).waitFor();
    expect(await panel.getByTestId('chat-mode').textContent()).toBe(words.mode.local);
    await lastReply(panel).getByRole('button', { name: words.copy }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(ANSWERS[language]);
    await takeShots(page, 'chat-answer', language, { screenOnly: true });
    expect(await accessibilityFaults(page)).toEqual([]);

    const suggestion = panel.getByRole('list').last().getByRole('button').first();
    const next = (await suggestion.textContent()) ?? '';
    await suggestion.click();
    await panel.getByTestId('chat-question').getByText(next, { exact: true }).waitFor();
    await system.eventually(async () => expect(await panel.getByTestId('chat-reply').count()).toBe(3));

    const file = panel.getByTestId('image-file');
    await file.setInputFiles(TEXT_FILE);
    await page.getByText(words.picture.wrongFileText, { exact: true }).waitFor();
    await file.setInputFiles(HUGE_FILE);
    await page.getByText(words.picture.tooLargeText, { exact: true }).waitFor();
    await file.setInputFiles(PHOTOGRAPH);
    await panel.getByAltText(words.picture.chosen).waitFor();
    await takeShots(page, 'chat-attached', language, { screenOnly: true });
    await panel.getByRole('button', { name: words.send, exact: true }).click();
    await panel.getByAltText(words.picture.alt).waitFor();
    await lastReply(panel).getByText(BLIND[language]).waitFor();

    await system.kill('chatbot');
    await ask(panel, language, QUESTIONS[language]);
    await panel.getByTestId('chat-typing').waitFor();
    await lastReply(panel).getByText(words.failed, { exact: true }).waitFor();
    await page.getByText(words.connection.failedText, { exact: true }).waitFor();
    expect(await panel.getByTestId('chat-mode').textContent()).toBe(words.mode.local);
    await takeShots(page, 'chat-failed', language, { screenOnly: true });
    await system.restart('chatbot');

    // Escape closes the topmost layer first: the toast, then the panel.
    await page.keyboard.press('Escape');
    await page.getByTestId('toast').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(words.open);

    await page.reload();
    await openAssistant(page, language);
    await panel.getByText(QUESTIONS[language], { exact: true }).first().waitFor();
    await panel.getByRole('img', { name: words.picture.missing }).waitFor();
    await context.close();
  });

  test("keeps an account's conversation and pictures until logout", async () => {
    const { common } = WORDS[language];
    const { context, page } = await newPerson(browser, system.url, language);
    await fillRegistration(page, language, `talker-${language}-${Date.now().toString(36)}`);
    await submitRegistration(page, language);
    const panel = await openAssistant(page, language);
    await panel.getByTestId('image-file').setInputFiles(PHOTOGRAPH);
    await panel.getByAltText(words.picture.chosen).waitFor();
    await ask(panel, language, QUESTIONS[language]);
    await lastReply(panel).getByText(ANSWERS[language]).waitFor();

    await page.reload();
    await openAssistant(page, language);
    const picture = panel.getByAltText(words.picture.alt);
    expect(await picture.getAttribute('src')).toMatch(/^\/api\/image\//);
    await system.eventually(async () =>
      expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0),
    );
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: common.header.accountMenu }).click();
    await page.getByRole('menuitem', { name: common.header.logOut }).click();
    await page.waitForURL(`${system.url}/`);
    await openAssistant(page, language);
    await panel.getByText(words.greeting, { exact: true }).waitFor();
    expect(await panel.getByTestId('chat-question').count()).toBe(0);
    expect(await page.evaluate(() => localStorage.getItem('conversations') ?? '')).not.toContain('isVisitor":false');
    await context.close();
  });

  test('fills a phone screen and traps the focus', async () => {
    const { context, page } = await newPerson(browser, system.url, language, { screen: 'phone' });
    await page.goto('/auth');
    const panel = await openAssistant(page, language);
    await system.eventually(async () =>
      expect(await panel.boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 }),
    );
    await panel.getByTestId('image-file').setInputFiles(TEXT_FILE);
    const toast = await page.getByTestId('toast').boundingBox();
    const form = await panel.locator('form').boundingBox();
    expect((toast?.y ?? 0) + (toast?.height ?? 0)).toBeLessThan(form?.y ?? 0);
    const portfolio =
      (await panel.getByRole('link', { name: WORDS[language].chat.portfolio }).getAttribute('href')) ?? '';
    expect(await (await page.request.get(portfolio)).text()).toContain(WORDS[language].common.brand.name);
    for (let presses = 0; presses < 12; presses += 1) {
      await page.keyboard.press('Tab');
      expect(await panel.evaluate((element) => element.contains(document.activeElement))).toBe(true);
    }
    await panel.getByRole('button', { name: WORDS[language].common.action.close }).click();
    await panel.waitFor({ state: 'detached' });
    await page.getByLabel(WORDS[language].auth.field.username, { exact: true }).focus();
    await page.getByRole('button', { name: words.open }).waitFor({ state: 'hidden' });
    await context.close();
  });

  test('pulses for 1.5 seconds every five seconds, unless reduced motion is set', async () => {
    const { context, page } = await newPerson(browser, system.url, language);
    await page.goto('/');
    const button = page.getByRole('button', { name: words.open });
    const pulse = () =>
      button.evaluate((element) =>
        element
          .getAnimations()
          .map((animation) => [
            animation.effect?.getTiming().duration,
            (animation.effect as KeyframeEffect).getKeyframes().map(({ offset }) => offset),
          ]),
      );
    expect(await pulse()).toEqual([]);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    expect(await pulse()).toEqual([[5000, [0, 0.3, 1]]]);
    await context.close();
  });
});

describe('assistant with a language model', () => {
  let standIn: OpenAiStandIn;
  let knowing: TestSystem;

  beforeAll(async () => {
    standIn = await startOpenAiStandIn();
    knowing = await startTestSystem({ env: { OPENAI_API_KEY: 'a key', OPENAI_BASE_URL: standIn.url } });
  });

  afterAll(async () => {
    await knowing.stop();
    await standIn.stop();
  });

  test.each(LANGUAGES)("shows the AI mode and treats lists in a model's reply as plain text (%s)", async (language) => {
    const words = WORDS[language].chat;
    const { context, page } = await newPerson(browser, knowing.url, language);
    await page.goto('/');
    const panel = await openAssistant(page, language);
    standIn.behave(answering('It is simple.\n\nYou can:\n• one\n• two'));
    await ask(panel, language, QUESTIONS[language]);
    await lastReply(panel).getByText('• two').waitFor();
    expect(await panel.getByTestId('chat-mode').textContent()).toBe(words.mode.ai);
    await panel.getByTestId('image-file').setInputFiles(PHOTOGRAPH);
    await panel.getByAltText(words.picture.chosen).waitFor();
    standIn.behave(answering(ANSWERS[language]));
    await ask(panel, language, QUESTIONS[language]);
    await lastReply(panel).getByText(ANSWERS[language]).waitFor();
    expect(JSON.stringify(standIn.requests.at(-1)?.messages)).toContain('data:image/');
    await takeShots(page, 'chat-model', language, { screenOnly: true });
    expect(await accessibilityFaults(page)).toEqual([]);
    await context.close();
  });
});
