// Long run: the life of an account in the browser, to its end.
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { unzip } from '../../services/messages/tests/support/unzip.js';
import { JOURNEY_LANGUAGES, launchBrowser, newPerson, system, takeShots, WORDS, type Language } from './browser.js';
import { FIRST_PASSWORD, look, newOwner, PHOTOGRAPHS, signIn } from './helpers.js';

const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
const SECOND_PASSWORD = 'battery staple';

const browser = await launchBrowser();

async function openAccountMenu(page: Page, language: Language): Promise<void> {
  await page.getByRole('button', { name: WORDS[language].common.header.accountMenu }).click();
}

/** The gateway notices an ended session on the next request. */
async function isSignedOut(page: Page): Promise<void> {
  await system.eventually(async () =>
    expect(await page.evaluate(async () => (await fetch('/api/user')).status)).toBe(401),
  );
  await page.goto('/settings');
  await page.waitForURL('**/auth');
  // The page takes the address that was asked for, once.
  await page.getByRole('tabpanel').waitFor();
}

async function changePassword(page: Page, language: Language, current: string, next: string): Promise<void> {
  const { password } = WORDS[language].settings;
  await page.getByLabel(password.current, { exact: true }).fill(current);
  await page.getByLabel(password.next, { exact: true }).fill(next);
  await page.getByLabel(password.confirm, { exact: true }).fill(next);
  await page.getByRole('button', { name: password.change, exact: true }).click();
}

describe.each(JOURNEY_LANGUAGES)('account life cycle (%s)', (language) => {
  test('a user edits the profile, manages sessions, changes the password, logs out and signs in again', async () => {
    const words = WORDS[language];
    const { settings } = words;
    const { username, ...owner } = await newOwner(browser, language, 'account');
    const { page } = owner;

    await openAccountMenu(page, language);
    await takeShots(page, 'account-menu', language);
    await page.getByRole('menuitem', { name: words.common.header.settings }).click();
    await page.waitForURL('**/settings');
    await page.getByLabel(settings.profile.name, { exact: true }).waitFor();
    await takeShots(page, 'settings', language);

    const name = language === 'ar' ? 'نورة محمد العلي' : 'Noura M. Alali';
    await page.getByLabel(settings.profile.name, { exact: true }).fill(name);
    await page.getByLabel(settings.profile.bio, { exact: true }).fill('أكتب وأصوّر وأسأل كثيرًا.');
    await page.getByTestId('image-file').setInputFiles(PHOTOGRAPHS.rotated);
    await page.getByRole('button', { name: settings.avatar.remove }).waitFor();
    await takeShots(page, 'settings-chosen', language);
    await page.getByRole('button', { name: settings.profile.save }).click();
    await page.getByText(settings.profile.saved, { exact: true }).waitFor();
    await page.locator('header img[src^="/api/image/"]').waitFor();
    await page.getByLabel(settings.email.address).fill(`${username}@mail.example`);
    await page.getByRole('button', { name: settings.email.update }).click();
    await page.getByText(settings.email.updated, { exact: true }).waitFor();

    const phone = await newPerson(browser, system.url, language, { screen: 'phone', userAgent: PHONE });
    await signIn(phone.page, language, username, FIRST_PASSWORD);
    await page.getByRole('link', { name: settings.sections.access, exact: true }).click();
    await page.getByTestId('session').getByText(settings.sessions.current, { exact: true }).waitFor();
    await page.getByTestId('session').nth(1).waitFor();
    await takeShots(page, 'settings-sessions', language);
    await page.getByRole('button', { name: settings.sessions.endOthers }).click();
    await page.getByRole('alertdialog').waitFor();
    await takeShots(page, 'settings-confirm', language);
    await page.getByRole('button', { name: words.common.action.cancel }).click();
    await page.getByTestId('session').filter({ hasText: 'Safari' }).getByRole('button').click();
    await page.getByText(settings.sessions.ended, { exact: true }).waitFor();
    await system.eventually(async () => expect(await page.getByTestId('session').count()).toBe(1));
    await isSignedOut(phone.page);

    await signIn(phone.page, language, username, FIRST_PASSWORD);
    await changePassword(page, language, 'not the password', SECOND_PASSWORD);
    await page.getByRole('alert').filter({ hasText: words.auth.fault.wrongPassword }).first().waitFor();
    await takeShots(page, 'settings-wrong-password', language);
    await changePassword(page, language, FIRST_PASSWORD, SECOND_PASSWORD);
    await page.getByText(settings.password.changed, { exact: true }).waitFor();
    await isSignedOut(phone.page);

    await openAccountMenu(page, language);
    await page.getByRole('menuitem', { name: words.common.header.logOut }).click();
    await page.getByText(words.common.logout.done, { exact: true }).waitFor();
    await page.waitForURL(`${system.url}/`);
    await signIn(page, language, username, SECOND_PASSWORD);
    await page.getByTestId('account-row').locator('[aria-haspopup="dialog"]').click();
    const sheet = page.getByRole('dialog');
    await sheet.getByRole('heading', { level: 2, name }).waitFor();
    await sheet.getByText(`${username}@mail.example`).waitFor();
    await takeShots(page, 'profile-again', language);
    await Promise.all([owner.context.close(), phone.context.close()]);
  });
});

describe.each(JOURNEY_LANGUAGES)('leaving (%s)', (language) => {
  test('an owner closes the account, finds only the way back, and opens it again', async () => {
    const { auth, data, settings } = WORDS[language];
    const { page, username } = await newOwner(browser, language, 'leaving');
    await page.goto('/settings');
    await page.getByRole('link', { name: settings.sections.data, exact: true }).click();
    await page.getByRole('button', { name: data.export.gather, exact: true }).click();
    const fetchFile = page.getByRole('button', { name: data.export.download, exact: true });
    await fetchFile.waitFor();
    // Read again from the server.
    await page.reload();
    const downloading = page.waitForEvent('download');
    await fetchFile.click();
    const files = unzip(await buffer(await (await downloading).createReadStream()));
    expect(files.get('index.html')?.toString()).toContain(`<html lang="${language}"`);
    expect(files.get('account.json')?.toString()).toContain(username);
    await look(page, 'settings-data', language);

    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: data.deletion.open, exact: true }).click();
    await dialog.getByLabel(auth.field.password, { exact: true }).fill(FIRST_PASSWORD);
    await takeShots(page, 'settings-delete', language, { screenOnly: true });
    await dialog.getByRole('button', { name: data.deletion.submit, exact: true }).click();
    const keep = page.getByRole('button', { name: data.leaving.keep, exact: true });
    await keep.waitFor();
    await look(page, 'settings-deleting', language);

    const { page: visitor } = await newPerson(browser, system.url, language);
    await system.eventually(async () => expect((await visitor.goto(`/m/${username}`))?.status()).toBe(404));
    await page.goto('/profile');
    await page.waitForURL('**/settings/data');
    await keep.click();
    await page.getByText(data.leaving.kept, { exact: true }).waitFor();
    await page.getByRole('link', { name: settings.sections.access, exact: true }).waitFor();
    await system.eventually(async () => expect((await visitor.goto(`/m/${username}`))?.status()).toBe(200));
  });
});
