// Long run: staff in the browser.
import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type Language, JOURNEY_LANGUAGES, launchBrowser, newPerson, takeShots, WORDS, system } from './browser.js';
import { AGENTS, ask, askWithPicture, send, TEXTS } from './admin-records.js';
import { callAs, expectFocus, newOwner, ownIdOf, signIn } from './helpers.js';

const ADMIN_PASSWORD = 'six888';

/** Of this machine: its own, or that of a container network. */
const ADDRESS = /^(127|10|172|192\.168)\.[\d.]+$/;

const browser = await launchBrowser();

const stamp = (prefix: string, language: Language) => `${prefix}.${language}${Date.now().toString(36).slice(-3)}`;

async function fillAdministrator(
  page: Page,
  language: Language,
  { username, secret }: { username: string; secret: string },
): Promise<void> {
  const { admin, auth } = WORDS[language];
  await page.getByLabel(admin.account.secret, { exact: true }).fill(secret);
  await page.getByLabel(admin.account.name, { exact: true }).fill(TEXTS[language].name);
  await page.getByLabel(auth.field.username, { exact: true }).fill(username);
  await page.getByLabel(admin.account.email, { exact: true }).fill(`${username}@mail.example`);
  await page.getByLabel(auth.field.password, { exact: true }).fill(ADMIN_PASSWORD);
  await page.getByRole('button', { name: admin.account.submit }).click();
}

const onPhone = async (page: Page, look: () => Promise<void>) => {
  const before = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  await look();
  if (before) await page.setViewportSize(before);
};

describe.each(JOURNEY_LANGUAGES)('administrator (%s)', (language) => {
  const words = WORDS[language];
  const { admin, common } = words;
  const texts = TEXTS[language];

  test('the secret creates an administrator, who sees tracking data and reviews conversations', async () => {
    const { username, ...owner } = await newOwner(browser, language, 'noura');

    await owner.page.goto('/admin');
    await owner.page.getByRole('heading', { level: 1, name: admin.denied.title }).waitFor();
    await takeShots(owner.page, 'admin-denied', language);
    await owner.page.getByRole('link', { name: admin.denied.back }).click();
    await owner.page.waitForURL('**/profile');
    const userId = await ownIdOf(owner.page);

    const { page, context } = await newPerson(browser, system.url, language);
    const adminName = stamp('salem', language);
    await page.goto('/admin');
    await page.getByRole('heading', { level: 1, name: admin.denied.title }).waitFor();
    await page.goto('/admin/create');
    await page.getByRole('button', { name: admin.account.submit }).click();
    await page.getByText(words.auth.fault.required).nth(4).waitFor();
    await fillAdministrator(page, language, { username: adminName, secret: 'a guess' });
    await page.getByRole('alert').filter({ hasText: admin.account.wrongSecret }).first().waitFor();
    await takeShots(page, 'admin-create', language);
    await fillAdministrator(page, language, { username: adminName, secret: system.adminSecret });
    await page.getByText(admin.account.done, { exact: true }).waitFor();
    await page.waitForURL('**/auth');
    await signIn(page, language, adminName, ADMIN_PASSWORD);

    for (const [index, agent] of [AGENTS.none, AGENTS.ipad, AGENTS.mac].entries())
      await send(userId, texts.others[2 - index] ?? '', agent);
    await send(userId, texts.long, AGENTS.android);

    await page.getByRole('button', { name: common.header.accountMenu }).click();
    await takeShots(page, 'admin-menu', language);
    await page.getByRole('menuitem', { name: common.header.adminPanel }).click();
    await page.waitForURL('**/admin');
    // Others' reports may be open.
    await page.getByRole('tab', { name: admin.tabs.tracking }).click();
    const rows = page.getByTestId('row');
    const search = page.getByLabel(admin.search.label);
    // Messages to others arrive all the time.
    const ofOwner = async () => {
      await search.fill(`@${username}`);
      await search.press('Enter');
      await rows
        .filter({ hasNotText: `@${username}` })
        .first()
        .waitFor({ state: 'detached' });
    };
    await system.eventually(async () =>
      expect((await callAs(page, 'GET', `/api/admin/sender-tracking?userId=${String(userId)}`)).body).toHaveLength(4),
    );
    await page.reload();
    await ofOwner();
    await rows.nth(3).waitFor();
    expect(await rows.count()).toBe(4);
    await page.getByText(admin.tracking.choose, { exact: true }).waitFor();
    await takeShots(page, 'admin-tracking-list', language);

    const first = rows.filter({ hasText: texts.preview });
    await first.getByText(words.messages.badge.new, { exact: true }).waitFor();
    await first.getByText(admin.device.mobile, { exact: true }).waitFor();
    await first.click();
    const detail = page.getByTestId('detail');
    await detail.getByRole('button', { name: words.report.reason.threat, exact: true }).click();
    await detail.getByText(texts.long, { exact: true }).waitFor();
    for (const shown of ['Android', 'Chrome', AGENTS.android, ADDRESS, 'https://social.example/noura', 'ar-SA'])
      await detail.getByText(shown, { exact: true }).waitFor();
    expect(await detail.locator('pre').textContent()).toContain('"acceptedLanguages": [');
    await takeShots(page, 'admin-tracking', language);
    await detail.getByRole('button', { name: admin.tracking.network }).click();
    await detail.getByText(ADDRESS).waitFor({ state: 'detached' });

    await onPhone(page, async () => {
      expect(await rows.first().isVisible()).toBe(false);
      const back = detail.getByRole('button', { name: admin.back });
      await back.click();
      await expectFocus(first);
      await first.press('Enter');
      await expectFocus(back);
      await back.press('Enter');
      expect(await detail.isVisible()).toBe(false);
    });

    await search.fill(`@${username} ${texts.search}`);
    await search.press('Enter');
    await system.eventually(async () => expect(await rows.count()).toBe(1));
    await first.waitFor();
    await takeShots(page, 'admin-search', language);
    await search.fill('@nobody-at-all');
    await search.press('Enter');
    await page.getByText(admin.search.unknown, { exact: true }).waitFor();
    await page.getByRole('button', { name: admin.search.clear }).click();
    await rows.first().waitFor();
    expect(await search.inputValue()).toBe('');

    const [newest] = (await callAs(owner.page, 'GET', '/api/messages')).body as { id: number }[];
    await callAs(owner.page, 'PATCH', `/api/messages/${String(newest?.id)}`, { isRead: true });
    await system.eventually(async () => {
      const records = (await callAs(page, 'GET', `/api/admin/sender-tracking?userId=${String(userId)}`)).body as {
        message: { userId: number; isRead: boolean };
      }[];
      expect(records.filter(({ message }) => message.userId === userId && message.isRead)).toHaveLength(1);
    });
    await page.reload();
    await ofOwner();
    await first.getByText(words.messages.badge.read, { exact: true }).waitFor();

    for (const [index, agent] of [AGENTS.mac, AGENTS.iphone].entries()) await ask(texts.questions[index] ?? '', agent);
    await askWithPicture(owner.page, texts.questions[2] ?? '');
    await page.getByRole('tab', { name: admin.tabs.chatbot }).click();
    await rows.filter({ hasText: admin.chatbot.visitor }).first().waitFor();
    await page.getByTestId('count').waitFor();
    await takeShots(page, 'admin-chatbot-list', language);
    const asked = rows.filter({ hasText: (texts.questions[2] ?? '').slice(0, 30) });
    await asked.click();
    await detail.getByText(texts.questions[2] ?? '', { exact: true }).waitFor();
    await detail.getByText(admin.chatbot.local, { exact: true }).waitFor();
    await detail.getByText(admin.chatbot.registered, { exact: true }).waitFor();
    await detail.getByTestId('message-image').evaluate(async (image) => (image as HTMLImageElement).decode());
    await takeShots(page, 'admin-chatbot', language);
    const source = (await detail.getByTestId('message-image').getAttribute('src')) ?? '';
    expect((await system.request('GET', source)).status).toBe(404);

    await detail.getByRole('button', { name: admin.chatbot.deleteOne }).click();
    const question = page.getByRole('alertdialog');
    await question.getByText(admin.remove.oneText, { exact: true }).waitFor();
    await takeShots(page, 'admin-chatbot-confirm', language);
    await question.getByRole('button', { name: common.action.cancel }).click();
    await detail.getByRole('button', { name: admin.chatbot.deleteOne }).click();
    await question.getByRole('button', { name: admin.remove.confirm }).click();
    await page.getByText(admin.remove.done, { exact: true }).waitFor();
    await page.getByText(admin.chatbot.choose, { exact: true }).waitFor();
    await expectFocus(page.getByRole('region', { name: admin.chatbot.title }));
    await asked.waitFor({ state: 'detached' });

    await page.getByRole('tab', { name: admin.tabs.account }).click();
    await takeShots(page, 'admin-account', language);
    await page.getByRole('button', { name: admin.audit.title }).click();
    const entries = page.getByTestId('audit-entry').filter({ hasText: `@${adminName}` });
    await entries.filter({ hasText: admin.audit.action.conversationDelete }).first().waitFor();
    await entries.filter({ hasText: admin.audit.action.conversationsList }).first().waitFor();
    await takeShots(page, 'admin-audit', language);
    await Promise.all([context.close(), owner.context.close()]);
  });
});
