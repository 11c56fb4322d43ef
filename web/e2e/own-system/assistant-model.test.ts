import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestSystem, type TestSystem } from '@najwa/dev-env';
import type { Browser } from 'playwright-core';
import {
  answering,
  type OpenAiStandIn,
  startOpenAiStandIn,
} from '../../../services/chatbot/tests/component/openai-stand-in.js';
import { LANGUAGES, launchBrowser, newPerson, takeShots, WORDS } from '../browser.js';
import { ANSWERS, ask, lastReply, openAssistant, PHOTOGRAPHS, QUESTIONS } from '../helpers.js';

describe('assistant with a language model', () => {
  let standIn: OpenAiStandIn;
  let system: TestSystem;
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchBrowser();
    standIn = await startOpenAiStandIn();
    system = await startTestSystem({ env: { OPENAI_API_KEY: 'a key', OPENAI_BASE_URL: standIn.url } });
  });

  afterAll(async () => {
    await browser.close();
    await system.stop();
    await standIn.stop();
  });

  test.each(LANGUAGES)("shows the AI mode and treats lists in a model's reply as plain text (%s)", async (language) => {
    const words = WORDS[language].chat;
    const { context, page } = await newPerson(browser, system.url, language);
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
  });
});
