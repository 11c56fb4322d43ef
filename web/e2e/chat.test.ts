// Long run: the assistant in the browser.
import { describe, expect, test } from '@jest/globals';
import { JOURNEY_LANGUAGES, launchBrowser, newPerson, takeShots, WORDS, system } from './browser.js';
import { ANSWERS, ask, expectFocus, lastReply, newOwner, openAssistant, PHOTOGRAPHS, QUESTIONS } from './helpers.js';

const BLIND = { ar: 'لا أستطيع رؤية الصور', en: "I can't see pictures" };
const TEXT_FILE = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('notes') };
const HUGE_FILE = { name: 'huge.png', mimeType: 'image/png', buffer: Buffer.alloc(5 * 1024 * 1024 + 1) };

const browser = await launchBrowser();

describe.each(JOURNEY_LANGUAGES)('assistant in automatic mode (%s)', (language) => {
  const words = WORDS[language].chat;

  test('the assistant answers, and shows an error while its service is down', async () => {
    const { context, page } = await newPerson(browser, system.url, language, { outages: true });
    await page.goto('/');
    const panel = await openAssistant(page, language);
    await panel.getByText(words.greeting, { exact: true }).waitFor();
    const field = panel.getByLabel(words.question, { exact: true });
    await expectFocus(field);
    expect(await panel.getByRole('button', { name: words.send, exact: true }).isDisabled()).toBe(true);
    expect(await panel.getByTestId('chat-mode').count()).toBe(0);
    await takeShots(page, 'chat-greeting', language, { screenOnly: true });

    await ask(panel, language, QUESTIONS[language]);
    await panel.getByText(QUESTIONS[language], { exact: true }).waitFor();
    await lastReply(panel).getByText(ANSWERS[language]).waitFor();
    expect(await panel.getByTestId('chat-mode').textContent()).toBe(words.mode.local);
    await lastReply(panel).getByRole('button', { name: words.copy }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(ANSWERS[language]);
    await takeShots(page, 'chat-answer', language, { screenOnly: true });

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
    await file.setInputFiles(PHOTOGRAPHS.rotated);
    await panel.getByAltText(words.picture.chosen).waitFor();
    await takeShots(page, 'chat-attached', language, { screenOnly: true });
    await panel.getByRole('button', { name: words.send, exact: true }).click();
    await panel.getByAltText(words.picture.alt).waitFor();
    await lastReply(panel).getByText(BLIND[language]).waitFor();

    const typing = panel.getByTestId('chat-typing');
    await page.route('**/api/chat', async (route) => {
      await typing.waitFor();
      await route.fulfill({ status: 503, json: { code: 'unavailable', message: 'chatbot is not available.' } });
    });
    await ask(panel, language, QUESTIONS[language]);
    await lastReply(panel).getByText(words.failed, { exact: true }).waitFor();
    await page.getByText(WORDS[language].common.assistant.failedText, { exact: true }).first().waitFor();
    expect(await panel.getByTestId('chat-mode').textContent()).toBe(words.mode.local);
    await takeShots(page, 'chat-failed', language, { screenOnly: true });

    // Escape closes the topmost layer first: the toast, then the panel.
    await page.keyboard.press('Escape');
    await page.getByTestId('toast').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
      WORDS[language].common.assistant.open,
    );

    await page.reload();
    await openAssistant(page, language);
    await panel.getByText(QUESTIONS[language], { exact: true }).first().waitFor();
    await panel.getByRole('img', { name: words.picture.missing }).waitFor();
    await context.close();
  });

  test("the assistant keeps an account's conversation and pictures until logout", async () => {
    const { common } = WORDS[language];
    const { context, page } = await newOwner(browser, language, 'talker');
    const panel = await openAssistant(page, language);
    await panel.getByTestId('image-file').setInputFiles(PHOTOGRAPHS.rotated);
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

  test('the assistant fills a phone screen and traps the focus', async () => {
    const { context, page } = await newPerson(browser, system.url, language, { screen: 'phone' });
    await page.goto('/auth');
    await page.evaluate(() => {
      window.scrollTo(0, document.documentElement.scrollHeight);
    });
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
    await expectFocus(page.getByRole('button', { name: WORDS[language].common.assistant.open }));
    await page.getByLabel(WORDS[language].auth.field.username, { exact: true }).focus();
    await page.getByRole('button', { name: WORDS[language].common.assistant.open }).waitFor({ state: 'hidden' });
    await context.close();
  });

  test("the assistant's button avoids controls on a phone, and shows at the end of the page", async () => {
    const { context, page } = await newPerson(browser, system.url, language, { screen: 'phone' });
    await page.goto('/auth');
    const button = page.getByRole('button', { name: WORDS[language].common.assistant.open });
    const scrollTo = (top: number) =>
      page.evaluate((to) => {
        window.scrollTo(0, to);
      }, top);
    const end = await page.evaluate(() => document.documentElement.scrollHeight);
    await page.getByLabel(WORDS[language].auth.field.username, { exact: true }).evaluate((field) => {
      window.scrollBy(0, field.getBoundingClientRect().top - window.innerHeight + 50);
    });
    await button.waitFor({ state: 'hidden' });
    await scrollTo(end);
    await button.waitFor();
    await context.close();
  });

  test("the assistant's button pulses for 1.5 seconds every five, unless reduced motion is set", async () => {
    const { context, page } = await newPerson(browser, system.url, language);
    await page.goto('/');
    const button = page.getByRole('button', { name: WORDS[language].common.assistant.open });
    const pulse = () =>
      button.evaluate((element) =>
        element
          .getAnimations({ subtree: true })
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
