// Long run: recovery, second step and passkeys in the browser.
import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type Language, JOURNEY_LANGUAGES, launchBrowser, newPerson, takeShots, WORDS, system } from './browser.js';
import { fillRegistration, FIRST_PASSWORD, newOwner } from './helpers.js';

const SECOND_PASSWORD = 'battery staple';

/** Passkeys need a domain, so this test calls the site by name. */
const SITE = system.url.replace('127.0.0.1', 'localhost');

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** `ahead` reads a later code: one that was used, and earlier ones, are refused. */
function appCode(key: string, ahead: number): string {
  const bits = [...key.replaceAll(' ', '')].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0'));
  const secret = Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + ahead));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const number = digest.readUInt32BE(digest.readUInt8(19) & 15) & 0x7fff_ffff;
  return String(number % 1_000_000).padStart(6, '0');
}

const browser = await launchBrowser();

async function fillLogin(page: Page, language: Language, username: string, password: string): Promise<void> {
  const { field, login } = WORDS[language].auth;
  await page.goto('/auth?tab=login');
  await page.getByLabel(field.username, { exact: true }).fill(username);
  await page.getByLabel(field.password, { exact: true }).fill(password);
  await page.getByRole('button', { name: login.submit, exact: true }).click();
}

async function logOut(page: Page): Promise<void> {
  await page.context().clearCookies({ name: 'najwa_session' });
}

describe.each(JOURNEY_LANGUAGES)('account access (%s)', (language) => {
  const { auth, access, profile } = WORDS[language];

  test('a new account copies its link at once and saves its recovery codes later, one of which resets its password', async () => {
    const username = `kept-${language}-${Date.now().toString(36)}`;
    const { context, page } = await newPerson(browser, system.url, language, { screen: 'phone' });
    await fillRegistration(page, language, username);
    await page.getByRole('button', { name: auth.register.submit }).click();
    await page.getByRole('button', { name: profile.ready.copy, exact: true }).click();
    await page.getByRole('button', { name: profile.ready.copied }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${system.url}/m/${username}`);
    await takeShots(page, 'ready', language);
    const row = page.getByTestId('codes-row');
    await row.getByRole('button', { name: profile.codes.later }).click();
    await page.reload();
    await row.getByText(profile.codes.title).waitFor();
    await page.goto('/about');
    await page.goto('/profile');
    await row.getByText(profile.codes.unsaved).waitFor();
    await takeShots(page, 'codes-unsaved', language);
    const file = page.waitForEvent('download');
    await row.getByRole('button', { name: profile.codes.save }).click();
    const [, first = '', second = ''] = (await readFile(await (await file).path(), 'utf8')).split('\n');
    await row.getByText(profile.codes.saved).waitFor();
    await page.reload();
    await page.getByTestId('account-row').waitFor();
    expect(await row.count()).toBe(0);

    await logOut(page);
    await page.goto('/auth?tab=login');
    await page.getByRole('link', { name: auth.login.forgot }).click();
    await page.waitForURL('**/reset');
    // The file with the codes names this address.
    expect((await page.reload())?.status()).toBe(200);
    await page.getByRole('heading', { level: 1, name: access.reset.title }).waitFor();
    const reset = async (code: string) => {
      await page.getByLabel(auth.field.username, { exact: true }).fill(username);
      await page.getByLabel(access.reset.code, { exact: true }).fill(code);
      await page.getByLabel(access.reset.password, { exact: true }).fill(SECOND_PASSWORD);
      await page.getByLabel(access.reset.again, { exact: true }).fill(SECOND_PASSWORD);
      await page.getByRole('button', { name: access.reset.change }).click();
    };
    await reset('aaaa-aaaa');
    await page.getByText(access.reset.refusedText).waitFor();
    await takeShots(page, 'reset', language);
    await reset(first.toUpperCase());
    await page.waitForURL('**/auth?tab=login');

    await fillLogin(page, language, username, SECOND_PASSWORD);
    await page.waitForURL('**/profile');
    await page.goto('/settings/access');
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: access.recovery.new, exact: true }).click();
    await dialog.getByLabel(auth.field.password, { exact: true }).fill(SECOND_PASSWORD);
    await dialog.getByRole('button', { name: access.recovery.create }).click();
    const codes = page.getByTestId('recovery-codes').locator('code');
    await codes.nth(9).waitFor();
    expect(await codes.allTextContents()).not.toContain(second);
    await context.close();
  });

  test('sign-in asks for a code once the second step is on', async () => {
    const { context, page, username } = await newOwner(browser, language, 'step');
    await page.goto('/settings/access');
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: access.totp.turnOn, exact: true }).click();
    await dialog.getByLabel(auth.field.password, { exact: true }).fill(FIRST_PASSWORD);
    await dialog.getByRole('button', { name: access.totp.continue }).click();
    const key = (await dialog.getByTestId('totp-secret').textContent()) ?? '';
    await takeShots(page, 'settings-totp', language, { screenOnly: true });
    await dialog.getByLabel(access.totp.enter, { exact: true }).fill(appCode(key, -1));
    await dialog.getByRole('button', { name: access.totp.turnOn }).click();
    await page.getByText(access.totp.turnedOn, { exact: true }).waitFor();
    await page.getByText(access.totp.on, { exact: true }).waitFor();
    await takeShots(page, 'settings-access', language);

    await logOut(page);
    await fillLogin(page, language, username, FIRST_PASSWORD);
    const code = page.getByLabel(auth.login.code, { exact: true });
    await code.fill('000000');
    await page.getByRole('button', { name: auth.login.submit, exact: true }).click();
    await page.getByText(auth.login.codeWrong).waitFor();
    await takeShots(page, 'login-code', language);
    await code.fill(appCode(key, 0));
    await page.getByRole('button', { name: auth.login.submit, exact: true }).click();
    await page.waitForURL('**/profile');
    await context.close();
  });

  test('a passkey is added, used to sign in, and removed', async () => {
    const { context, page } = await newOwner(browser, language, 'key', { origin: SITE });
    const devtools = await context.newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await page.goto('/settings/access');
    await page.getByRole('button', { name: access.passkeys.add }).click();
    await page.getByTestId('passkey').waitFor();
    await page.getByText(access.passkeys.unused).waitFor();

    await logOut(page);
    await page.goto('/auth?tab=login');
    await takeShots(page, 'login', language);
    await page.getByRole('button', { name: auth.login.passkey }).click();
    await page.waitForURL('**/profile');

    await page.goto('/settings/access');
    await page.getByTestId('passkey').getByRole('button').click();
    const question = page.getByRole('alertdialog');
    await question.getByRole('button', { name: access.passkeys.remove, exact: true }).click();
    await page.getByText(access.passkeys.removed, { exact: true }).waitFor();
    await page.getByTestId('passkey').waitFor({ state: 'detached' });

    await logOut(page);
    await page.goto('/auth?tab=login');
    await page.getByRole('button', { name: auth.login.passkey }).click();
    await page.getByText(auth.login.passkeyFailed, { exact: true }).waitFor();
    await context.close();
  });
});
