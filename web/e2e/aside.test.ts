// Long run: a second journey of moderation.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { JOURNEY_LANGUAGES, launchBrowser, newPerson, system, takeShots, WORDS } from './browser.js';
import { expectFocus, newOwner, ownIdOf, sendTo, unfold } from './helpers.js';

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});

afterAll(() => browser.close());

describe.each(JOURNEY_LANGUAGES)('set-aside messages (%s)', (language) => {
  test('an owner blocks a sender, filters a word, takes a message back, lifts the block and empties the folder', async () => {
    const { messages, receiving, publicPage, wayBack } = WORDS[language];
    const { page: owner, username } = await newOwner(browser, language, 'aside', { screen: 'phone' });
    const ownerId = await ownIdOf(owner);

    const { page: sender } = await newPerson(browser, system.url, language, { screen: 'phone' });
    await sender.goto(`/m/${username}`);
    const write = async (text: string): Promise<void> => {
      await sender.getByLabel(publicPage.composer.label).fill(text);
      await sender.getByRole('button', { name: publicPage.composer.send }).click();
      await sender.getByText(wayBack.sent.more, { exact: true }).click();
      await sender.getByRole('button', { name: wayBack.sent.again }).click();
    };
    await write('الأولى');
    // Two senders in one network: the block applies to the first one alone.
    await sendTo(system, ownerId, 'أرسلي رقمك وخذي ه د ي ة');

    await owner.goto('/profile');
    const unwanted = await unfold(owner.getByTestId('message').filter({ hasText: 'الأولى' }));
    await unwanted.getByRole('button', { name: messages.action.more }).click();
    await owner.getByRole('menuitem', { name: messages.block.action }).click();
    await takeShots(owner, 'block-confirm', language, { screenOnly: true });
    await owner.getByRole('button', { name: messages.block.confirm, exact: true }).click();
    await owner.getByText(messages.block.done, { exact: true }).waitFor();

    // For the sender nothing has changed.
    await write('الثانية');
    await owner.goto('/settings/receiving');
    await owner.getByLabel(receiving.filters.words).last().fill('هدية');
    await owner.getByRole('button', { name: receiving.filters.add, exact: true }).click();
    await owner.getByText(receiving.filters.found_one, { exact: true }).waitFor();
    await owner.getByTestId('block').getByText('الأولى').waitFor();
    await takeShots(owner, 'settings-filters', language);

    await owner.goto('/profile');
    await owner.getByTestId('message').getByText('الأولى').waitFor();
    expect(await owner.getByTestId('message').count()).toBe(1);
    await owner.getByRole('button', { name: messages.aside.title }).click();
    const aside = owner.getByTestId('aside-message');
    await aside.nth(1).waitFor();
    await aside.filter({ hasText: messages.aside.blocked }).getByText('الثانية').waitFor();
    await takeShots(owner, 'inbox-aside', language);

    await aside.filter({ hasText: 'الثانية' }).getByRole('button', { name: messages.aside.restore }).click();
    await owner.getByText(messages.aside.restored, { exact: true }).waitFor();
    await owner.getByRole('button', { name: messages.aside.empty }).click();
    await owner.getByRole('button', { name: messages.aside.emptyConfirm, exact: true }).click();
    await owner.getByRole('heading', { name: messages.aside.nothing }).waitFor();
    await owner.getByRole('button', { name: messages.aside.back }).click();
    await expectFocus(owner.getByRole('button', { name: messages.aside.title }));
    await owner.getByTestId('message').getByText('الثانية').waitFor();

    await owner.goto('/settings/receiving');
    await owner.getByRole('button', { name: receiving.blocks.lift }).click();
    await owner.getByText(receiving.blocks.none, { exact: true }).waitFor();
    await write('الثالثة');
    await owner.goto('/profile');
    await owner.getByTestId('message').getByText('الثالثة').waitFor();
  });
});
