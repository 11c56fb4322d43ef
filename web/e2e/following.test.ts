// Long run: two tabs.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { JOURNEY_LANGUAGES, launchBrowser, newPerson, system, WORDS } from './browser.js';
import { callAs, look, newOwner, ownIdOf, PHOTOGRAPHS, sendTo } from './helpers.js';

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});

afterAll(() => browser.close());

describe.each(JOURNEY_LANGUAGES)('two tabs of an owner (%s)', (language) => {
  const { messages, publicPage, wayBack } = WORDS[language];

  test('a tab shows what another one publishes, deletes and discards', async () => {
    const { page: first, context, username } = await newOwner(browser, language, 'tabs');
    const ownerId = await ownIdOf(first);
    await sendTo(system, ownerId, 'alpha');
    await sendTo(system, ownerId, 'omega');
    await callAs(first, 'PUT', '/api/filters', { words: ['aside'], lists: [] });
    const { page: sender, context: other } = await newPerson(browser, system.url, language);
    await sender.goto(`/m/${username}`);
    await sender.getByLabel(publicPage.composer.label).fill('aside');
    await sender.getByRole('button', { name: publicPage.composer.send }).click();
    await sender.getByRole('heading', { name: wayBack.sent.title }).waitFor();

    await first.reload();
    const second = await context.newPage();
    await second.goto('/profile');
    const [here, there] = [first.getByTestId('message'), second.getByTestId('message')];
    await there.filter({ hasText: 'omega' }).waitFor();
    await here.filter({ hasText: 'alpha' }).getByRole('button', { name: messages.action.publish, exact: true }).click();
    await there.filter({ hasText: 'alpha' }).getByText(messages.badge.published, { exact: true }).waitFor();
    await here.filter({ hasText: 'omega' }).getByRole('button', { name: messages.action.delete, exact: true }).click();
    await first.getByRole('button', { name: messages.remove.confirm, exact: true }).click();
    await there.filter({ hasText: 'omega' }).waitFor({ state: 'detached' });

    for (const page of [first, second]) {
      await page.getByRole('button', { name: messages.aside.title }).click();
      await page.getByTestId('aside-message').waitFor();
    }
    await first.getByTestId('aside-message').getByRole('button', { name: messages.action.delete }).click();
    await second.getByRole('heading', { name: messages.aside.nothing }).waitFor();
    expect(await second.getByTestId('aside-message').count()).toBe(0);
    await Promise.all([context.close(), other.close()]);
  });

  test('an owner answers in a conversation, and what its sender writes next shows there', async () => {
    const { page: owner, context } = await newOwner(browser, language, 'talk', { screen: 'phone' });
    const { page: sender, context: other } = await newPerson(browser, system.url, language);
    await sender.goto('/');
    const userId = await ownIdOf(owner);
    const imageUrl = `data:image/jpeg;base64,${await readFile(PHOTOGRAPHS.withPlace, 'base64')}`;
    const { body } = await callAs(sender, 'POST', '/api/messages', { userId, content: 'alpha', imageUrl });
    const { id, wayBack: path } = body as { id: number; wayBack: string };
    const follow = (content: string) =>
      callAs(sender, 'POST', `/api/ways-back/${path.slice('/r/'.length)}/messages`, { content });
    await callAs(owner, 'POST', '/api/replies', { messageId: id, content: 'beta' });
    await follow('gamma');

    const { conversation } = messages;
    await system.eventually(async () => {
      await owner.reload();
      await owner.getByRole('button', { name: conversation.open }).waitFor({ timeout: 2000 });
    });
    expect(await owner.getByTestId('message').count()).toBe(1);
    await owner.getByRole('button', { name: conversation.open }).press('Enter');
    const dialog = owner.getByRole('dialog');
    await dialog.getByText(wayBack.talk.yours, { exact: true }).waitFor();
    await dialog.getByTestId('message-image').waitFor();
    await look(owner, 'conversation', language);
    await dialog.getByRole('textbox').fill('delta');
    await dialog.getByRole('button', { name: conversation.send, exact: true }).click();
    await dialog.getByText(wayBack.talk.waiting, { exact: true }).waitFor();
    await follow('epsilon');
    await dialog.getByText('epsilon', { exact: true }).waitFor();
    await dialog.getByText(wayBack.talk.yours, { exact: true }).waitFor();
    expect(
      await dialog
        .getByTestId('turn')
        .evaluateAll((turns) => turns.map((turn) => turn.querySelector('p')?.textContent)),
    ).toEqual(['alpha', 'beta', 'gamma', 'delta', 'epsilon']);
    await dialog.getByRole('button', { name: conversation.back }).click();
    await dialog.waitFor({ state: 'detached' });
    await Promise.all([context.close(), other.close()]);
  });
});
