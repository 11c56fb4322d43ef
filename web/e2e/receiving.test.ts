// Long run: what an owner lets in and asks for, in the browser.
import { describe, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { JOURNEY_LANGUAGES, launchBrowser, newPerson, system, takeShots, WORDS } from './browser.js';
import { callAs, fillRegistration, FIRST_PASSWORD, newOwner, unfold, usernameFrom } from './helpers.js';

const browser = await launchBrowser();

describe.each(JOURNEY_LANGUAGES)('receiving rules (%s)', (language) => {
  test('an owner pauses the page with a word, opens it to accounts, and to all again', async () => {
    const { auth, closed, receiving, settings, publicPage } = WORDS[language];
    const notice = language === 'ar' ? 'أستريح قليلًا من الكلام.' : 'Taking a little rest from words.';
    const { page: owner, username } = await newOwner(browser, language, 'receiving');
    await owner.goto('/settings');
    await owner.getByRole('link', { name: settings.sections.receiving, exact: true }).click();

    const choose = async (label: string): Promise<void> => {
      await owner.getByText(label, { exact: true }).click();
      const answer = owner.waitForResponse((response) => response.request().method() === 'PATCH');
      await owner.getByRole('button', { name: receiving.save }).click();
      expect((await answer).status()).toBe(200);
      await owner.getByText(receiving.saved, { exact: true }).first().waitFor();
    };
    const composerOf = (page: Page): Locator =>
      page.getByRole('textbox', { name: publicPage.composer.label, exact: true });
    /** The gateway's copy of the page changes within a second. */
    const openUntil = (page: Page, shown: Locator): Promise<void> =>
      system.eventually(async () => {
        await page.goto(`/m/${username}`);
        expect(await shown.count()).toBe(1);
      });
    await owner.getByLabel(receiving.notice).fill(notice);
    await choose(receiving.from.nobody);
    await takeShots(owner, 'settings-receiving', language);

    const { page: visitor } = await newPerson(browser, system.url, language, { screen: 'phone' });
    await openUntil(visitor, visitor.getByRole('heading', { name: closed.paused }));
    await visitor.getByText(notice, { exact: true }).waitFor();
    expect(await composerOf(visitor).count()).toBe(0);
    await takeShots(visitor, 'public-paused', language);

    await choose(receiving.from.accounts);
    await openUntil(visitor, visitor.locator('main').getByRole('link', { name: closed.signIn, exact: true }));
    await takeShots(visitor, 'public-accounts', language);

    const { page: newcomer, username: newName } = await newOwner(browser, language, 'newcomer');
    // Signing in to write leads back to the page. The inbox would show the user as online.
    const { page: signedOut } = await newPerson(browser, system.url, language, { screen: 'phone' });
    await openUntil(signedOut, signedOut.locator('main').getByRole('link', { name: closed.signIn, exact: true }));
    await signedOut.locator('main').getByRole('link', { name: closed.signIn, exact: true }).click();
    await signedOut.getByLabel(auth.field.username, { exact: true }).fill(newName);
    await signedOut.getByLabel(auth.field.password, { exact: true }).fill(FIRST_PASSWORD);
    await signedOut.getByRole('button', { name: auth.login.submit, exact: true }).click();
    await composerOf(signedOut).waitFor();
    expect(new URL(signedOut.url()).pathname).toBe(`/m/${username}`);

    await openUntil(newcomer, composerOf(newcomer));
    await choose(receiving.from.established);
    await openUntil(newcomer, newcomer.getByRole('heading', { name: closed.tooNew }));
    await takeShots(newcomer, 'public-too-new', language);

    await choose(receiving.from.everyone);
    const composer = composerOf(visitor);
    await openUntil(visitor, composer);
    await composer.fill('أول رسالة');
    // The text stays when the page is paused, and the refusal says why.
    await choose(receiving.from.nobody);
    await visitor.getByRole('button', { name: publicPage.composer.send }).click();
    await visitor.getByText(WORDS[language].common.error.receiving_paused).first().waitFor();
    expect(await composer.inputValue()).toBe('أول رسالة');
  });
});

interface Received {
  content: string;
  prompt?: { id: number; content: string };
}

const received = async (owner: Page) => (await callAs(owner, 'GET', '/api/messages')).body as Received[];

describe.each(JOURNEY_LANGUAGES)('a question of the owner (%s)', (language) => {
  const {
    messages,
    outbox,
    publicPage,
    receiving: { questions },
    settings,
  } = WORDS[language];
  const question = language === 'ar' ? 'ماذا أقرأ بعد؟' : 'What should I read next?';
  const answer = language === 'ar' ? 'موسم الهجرة إلى الشمال' : 'Season of Migration to the North';
  const later = language === 'ar' ? 'ثلاثية غرناطة' : 'The Granada trilogy';

  test('the link of a question asks it, and answers arrive with it, also after a lost connection', async () => {
    const { page: owner, username } = await newOwner(browser, language, 'asks');
    await owner.goto('/settings');
    await owner.getByRole('link', { name: settings.sections.questions, exact: true }).click();
    await owner.getByLabel(questions.new, { exact: true }).fill(question);
    await owner.getByRole('button', { name: questions.add, exact: true }).click();
    await owner.getByTestId('prompt').getByText(question, { exact: true }).waitFor();
    await takeShots(owner, 'settings-questions', language);
    const [{ id }] = (await callAs(owner, 'GET', '/api/prompts')).body as [{ id: number }];
    const { page: visitor } = await newPerson(browser, system.url, language, { screen: 'phone', outages: true });
    const asked = visitor.getByTestId('asked-question');
    // The gateway's copy of the page changes within a second.
    await system.eventually(async () => {
      await visitor.goto(`/m/${username}?ask=${String(id)}`);
      expect(await asked.count()).toBe(1);
    });
    expect(await (await visitor.request.get(`/m/${username}?ask=${String(id)}`)).text()).toContain(
      publicPage.composer.answer,
    );
    await visitor.locator('#root:not([data-rendered])').waitFor();
    await asked.waitFor();
    await takeShots(visitor, 'public-prompt', language);

    const field = visitor.getByLabel(publicPage.composer.label);
    await field.fill(answer);
    await visitor.getByRole('button', { name: publicPage.composer.send, exact: true }).click();
    await system.eventually(async () => {
      expect(await received(owner)).toMatchObject([{ content: answer, prompt: { id, content: question } }]);
    });

    await visitor.goto(`/m/${username}?ask=${String(id)}`);
    await visitor.getByTestId('outbox').waitFor({ state: 'attached' });
    await visitor.waitForLoadState('networkidle');
    await visitor.context().setOffline(true);
    await visitor.getByText(outbox.offline, { exact: true }).waitFor();
    await field.fill(later);
    await visitor.getByRole('button', { name: outbox.sendLater }).click();
    await visitor.getByTestId('waiting').waitFor();
    await visitor.context().setOffline(false);
    await system.eventually(async () => {
      expect(await received(owner)).toMatchObject([
        { content: later, prompt: { id, content: question } },
        { content: answer, prompt: { id, content: question } },
      ]);
    });

    await owner.goto('/profile');
    const message = await unfold(owner.getByTestId('message').filter({ hasText: answer }));
    await message.getByText(question, { exact: true }).waitFor();
    await takeShots(owner, 'inbox-prompt', language);
    await message.getByRole('button', { name: messages.action.publish, exact: true }).click();
    const published = visitor.getByTestId('public-message').filter({ hasText: answer });
    await system.eventually(async () => {
      await visitor.goto(`/m/${username}`);
      expect(await published.getByText(question, { exact: true }).count()).toBe(1);
    });
    expect(await visitor.getByTestId('public-message').count()).toBe(1);
    await takeShots(visitor, 'public-answered', language);

    await owner.goto('/settings/questions');
    await owner
      .getByTestId('prompt')
      .getByRole('button', { name: new RegExp(questions.remove.split(':')[0] ?? '') })
      .click();
    await owner.getByRole('alertdialog').getByRole('button', { name: questions.confirmDelete, exact: true }).click();
    await owner.getByTestId('prompt').waitFor({ state: 'detached' });
    await system.eventually(async () => {
      await visitor.goto(`/m/${username}?ask=${String(id)}`);
      await visitor.locator('#root:not([data-rendered])').waitFor();
      expect(await asked.count()).toBe(0);
    });
  });

  test('a new account shares the picture of a question with three presses, and no message appears by itself', async () => {
    const { auth, common, profile } = WORDS[language];
    const username = usernameFrom('day', language);
    const { context, page } = await newPerson(browser, system.url, language, { screen: 'phone' });
    await page.addInitScript(() => {
      Object.assign(navigator, {
        canShare: () => true,
        share: ({ files }: ShareData) => {
          document.documentElement.dataset['shared'] = files?.map(({ name }) => name).join(' ');
          return Promise.resolve();
        },
      });
    });
    await fillRegistration(page, language, username);
    await page.getByRole('button', { name: auth.register.submit }).click();
    // The drawing thread loads its fonts first.
    await system.eventually(async () => expect((await page.request.get(`/og/${username}.png`)).status()).toBe(200));
    const first = page.getByTestId('daily-questions').getByRole('button').first();
    const asked = (await first.textContent()) ?? '';
    await first.click();
    const dialog = page.getByRole('dialog', { name: asked });
    await dialog.getByText(profile.questions.asked).waitFor();
    await dialog.getByRole('button', { name: profile.sharing.post, exact: true }).click();
    const [{ id, content }] = (await callAs(page, 'GET', '/api/prompts')).body as [{ id: number; content: string }];
    expect(content).toBe(asked);
    await system.eventually(async () =>
      expect(await page.evaluate(() => document.documentElement.dataset['shared'])).toBe(`najwa-${String(id)}.png`),
    );
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `${system.url}/m/${username}?ask=${String(id)}`,
    );
    const preview = dialog.getByRole('img', { name: profile.sharing.preview.getPromptStory });
    await system.eventually(async () =>
      expect(await preview.evaluate((image: HTMLImageElement) => image.naturalHeight)).toBe(1920),
    );
    await takeShots(page, 'question-asked', language, { screenOnly: true });
    expect(await received(page)).toEqual([]);

    // Asked again, it is the same one.
    await dialog.getByRole('button', { name: common.action.close }).click();
    await first.click();
    await dialog.waitFor();
    expect((await callAs(page, 'GET', '/api/prompts')).body).toHaveLength(1);
    await context.close();
  });
});
