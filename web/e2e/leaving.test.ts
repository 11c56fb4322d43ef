// Long run: an account is closed and kept in the browser.
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { unzip } from '../../services/messages/tests/support/unzip.js';
import { JOURNEY_LANGUAGES, launchBrowser, newPerson, system, takeShots, WORDS } from './browser.js';
import { FIRST_PASSWORD, look, newOwner } from './helpers.js';

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});

afterAll(() => browser.close());

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
