// Long run: two tabs.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { JOURNEY_LANGUAGES, launchBrowser, system, WORDS } from './browser.js';
import { look, newPersonOf, PHOTOGRAPHS, unfold } from './helpers.js';
import { call } from './states/sweep.js';

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});

afterAll(() => browser.close());

describe.each(JOURNEY_LANGUAGES)('two tabs of an owner (%s)', (language) => {
  const { messages, wayBack } = WORDS[language];

  test('a tab shows what another one publishes, deletes and discards', async () => {
    const owner = await system.newAccount();
    await call('PUT', '/api/filters', owner.cookie, { words: ['aside'], lists: [] });
    for (const content of ['alpha', 'omega', 'aside']) await system.sendMessage(owner.id, { content });
    const { page: first, context } = await newPersonOf(owner, browser, language);
    await first.goto('/profile');
    const second = await context.newPage();
    await second.goto('/profile');
    const [here, there] = [first.getByTestId('message'), second.getByTestId('message')];
    await there.filter({ hasText: 'omega' }).waitFor();
    const alpha = await unfold(here.filter({ hasText: 'alpha' }));
    await alpha.getByRole('button', { name: messages.action.publish, exact: true }).click();
    await there.filter({ hasText: 'alpha' }).getByText(messages.badge.published, { exact: true }).waitFor();
    const omega = await unfold(here.filter({ hasText: 'omega' }));
    await omega.getByRole('button', { name: messages.action.deleteThis, exact: true }).click();
    await first.getByRole('button', { name: messages.remove.confirm, exact: true }).click();
    await there.filter({ hasText: 'omega' }).waitFor({ state: 'detached' });

    for (const page of [first, second]) {
      await page.getByRole('button', { name: messages.aside.title }).click();
      await page.getByTestId('aside-message').waitFor();
    }
    await first.getByTestId('aside-message').getByRole('button', { name: messages.action.delete }).click();
    await second.getByRole('heading', { name: messages.aside.nothing }).waitFor();
    expect(await second.getByTestId('aside-message').count()).toBe(0);
    await context.close();
  });

  test('an owner answers in a conversation, and what its sender writes next shows there', async () => {
    const account = await system.newAccount();
    const imageUrl = `data:image/jpeg;base64,${await readFile(PHOTOGRAPHS.withPlace, 'base64')}`;
    const { id, wayBack: path = '' } = await system.sendMessage(account.id, { content: 'alpha', imageUrl });
    const follow = (content: string) =>
      call('POST', `/api/ways-back/${path.slice('/r/'.length)}/messages`, undefined, { content });
    await call('POST', '/api/replies', account.cookie, { messageId: id, content: 'beta' });
    await follow('gamma');
    const { page: owner, context } = await newPersonOf(account, browser, language, { screen: 'phone' });

    const { conversation } = messages;
    await system.eventually(async () => {
      await owner.goto('/profile');
      await owner.getByTestId('message').first().waitFor();
      expect(await owner.getByRole('button', { name: conversation.open }).count()).toBe(1);
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
    await context.close();
  });
});
