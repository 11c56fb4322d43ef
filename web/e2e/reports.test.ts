// Long run: blocks, filters and reports in the browser.
import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { JOURNEY_LANGUAGES, launchBrowser, newPerson, system, takeShots, WORDS, type Language } from './browser.js';
import {
  createStaff,
  enter,
  expectFocus,
  newOwner,
  newPersonOf,
  ownIdOf,
  sendTo,
  STAFF_PASSWORD,
  unfold,
} from './helpers.js';
import { call } from './states/sweep.js';

const browser = await launchBrowser();

async function newStaff(role: 'moderator' | 'administrator', language: Language): Promise<Page> {
  const person = await newPerson(browser, system.url, language);
  await enter(person, await createStaff(system, language, { name: role.slice(0, 3), role }), STAFF_PASSWORD);
  return person.page;
}

describe.each(JOURNEY_LANGUAGES)('a report (%s)', (language) => {
  const words = WORDS[language];
  const { report, messages, publicPage } = words;
  const { reports } = words.admin;
  // Other suites report and decide concurrently.
  const mark = Date.now().toString(36);
  const content = `${language === 'ar' ? 'سأجدك' : 'I will find you'} ${mark}`;
  const reason = `${language === 'ar' ? 'تهديد صريح' : 'A plain threat'} ${mark}`;

  test('a report of an owner and a visitor reaches a moderator, and its outcome returns', async () => {
    const account = await system.newAccount();
    const { username } = account;
    const { id } = await system.sendMessage(account.id, { content });
    await call('PATCH', `/api/messages/${String(id)}`, account.cookie, { isPublic: true });
    const { page: owner } = await newPersonOf(account, browser, language, { screen: 'phone' });
    await owner.goto('/profile');
    await unfold(owner.getByTestId('message'));
    await owner.getByRole('button', { name: messages.action.more }).click();
    await owner.getByRole('menuitem', { name: messages.action.report, exact: true }).click();
    await owner.getByText(report.reason.threat, { exact: true }).click();
    await owner.getByText(report.danger).waitFor();
    await takeShots(owner, 'report', language, { screenOnly: true });
    await owner.getByRole('dialog').getByRole('textbox').fill('…');
    await owner.getByRole('button', { name: report.send }).click();
    await owner.getByText(report.doneText, { exact: true }).waitFor();

    const { page: visitor } = await newPerson(browser, system.url, language, { screen: 'phone' });
    await visitor.goto(`/m/${username}`);
    await visitor.getByRole('button', { name: publicPage.report }).click();
    await visitor.getByText(report.reason.harassment, { exact: true }).click();
    await takeShots(visitor, 'report-public', language, { screenOnly: true });
    await visitor.getByRole('button', { name: report.send }).click();
    await visitor.getByText(report.doneVisitor, { exact: true }).waitFor();

    const moderator = await newStaff('moderator', language);
    await moderator.goto('/admin');
    await moderator.getByTestId('row').filter({ hasText: content }).click();
    await moderator.getByTestId('detail').getByText(reports.alone).waitFor();
    await moderator.getByTestId('detail').getByText(reports.status.mine, { exact: true }).waitFor();
    await moderator
      .getByRole('radio', { name: `${reports.filter.mine} ${language === 'ar' ? '١' : '1'}`, exact: true })
      .waitFor();
    await takeShots(moderator, 'admin-reports', language);
    await moderator.getByRole('button', { name: reports.action.remove, exact: true }).click();
    await moderator.getByRole('dialog').getByRole('button', { name: reports.action.remove, exact: true }).click();
    await moderator.getByText(reports.reasonFault, { exact: true }).waitFor();
    await takeShots(moderator, 'admin-reports-act', language, { screenOnly: true });
    await moderator.getByLabel(reports.reason, { exact: true }).fill(reason);
    await moderator.getByRole('dialog').getByRole('button', { name: reports.action.remove, exact: true }).click();
    await moderator.getByText(reports.done, { exact: true }).waitFor();

    await visitor.goto(`/m/${username}`);
    await visitor.getByText(publicPage.empty, { exact: true }).waitFor();
    await owner.goto('/settings/receiving');
    await owner.getByTestId('own-report').getByText(report.own.removed, { exact: true }).waitFor();
    await takeShots(owner, 'own-reports', language);

    const administrator = await newStaff('administrator', language);
    await administrator.goto('/admin?tab=reports');
    await administrator.getByRole('radio', { name: reports.filter.closed }).click();
    await administrator.getByTestId('row').filter({ hasText: content }).click();
    await takeShots(administrator, 'admin-reports-closed', language);
    await administrator.getByRole('tab', { name: WORDS[language].admin.tabs.history, exact: true }).click();
    const past = administrator.getByTestId('past-action').filter({ hasText: reason });
    await past.getByText(reports.taken.remove, { exact: true }).waitFor();
    await takeShots(administrator, 'admin-history', language);
    await past.getByRole('button', { name: reports.undo, exact: true }).click();
    const undo = administrator.getByRole('dialog');
    await undo.getByLabel(reports.undoReason, { exact: true }).fill(language === 'ar' ? 'كان مزاحًا' : 'Friends joking');
    await takeShots(administrator, 'admin-reports-undo', language, { screenOnly: true });
    await undo.getByRole('button', { name: reports.undo, exact: true }).click();
    await administrator.getByText(reports.undoDone, { exact: true }).first().waitFor();
    await system.eventually(async () => {
      await visitor.goto(`/m/${username}`);
      expect(await visitor.getByTestId('public-message').getByText(content).count()).toBe(1);
    });
  });
});

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
