import type { Page } from 'playwright-core';
import { readFile } from 'node:fs/promises';
import type { TestSystem } from '@najwa/dev-env';
import { type Language, WORDS } from './browser.js';

export const FIRST_PASSWORD = 'correct horse';

export async function fillRegistration(page: Page, language: Language, username: string): Promise<void> {
  const { field } = WORDS[language].auth;
  await page.goto('/auth');
  await page.getByLabel(field.name, { exact: true }).fill(language === 'ar' ? 'نورة العلي' : 'Noura Alali');
  await page.getByLabel(field.username, { exact: true }).fill(username);
  await page.getByLabel(field.password, { exact: true }).fill(FIRST_PASSWORD);
  await page.getByLabel(field.confirmPassword, { exact: true }).fill(FIRST_PASSWORD);
  await page.getByRole('checkbox', { name: field.terms }).check();
}

export async function submitRegistration(page: Page, language: Language): Promise<void> {
  await page.getByRole('button', { name: WORDS[language].auth.register.submit }).click();
  await page.waitForURL('**/profile');
}

/** Signs in and waits for the dashboard. */
export async function signIn(page: Page, language: Language, username: string, password: string): Promise<void> {
  const { field, login } = WORDS[language].auth;
  await page.goto('/auth?tab=login');
  await page.getByLabel(field.username, { exact: true }).fill(username);
  await page.getByLabel(field.password, { exact: true }).fill(password);
  await page.getByRole('button', { name: login.submit }).click();
  await page.waitForURL('**/profile');
}

interface Called {
  status: number;
  body: unknown;
}

/** Calls the API with the session of the given page. */
export function callAs(page: Page, method: string, path: string, body?: unknown): Promise<Called> {
  return page.evaluate(
    async ([verb, target, json]) => {
      const response = await fetch(target, {
        method: verb,
        headers: { 'X-Requested-With': 'XMLHttpRequest', ...(json !== null && { 'Content-Type': 'application/json' }) },
        body: json,
      });
      const text = await response.text();
      return { status: response.status, body: text === '' ? null : (JSON.parse(text) as unknown) };
    },
    [method, path, body === undefined ? null : JSON.stringify(body)] as const,
  );
}

export const ownIdOf = async (page: Page): Promise<number> =>
  ((await callAs(page, 'GET', '/api/user')).body as { id: number }).id;

/** Sends a message as an anonymous visitor, without a browser. @returns the message id */
export async function sendTo(system: TestSystem, userId: number, content: string, picture?: string): Promise<number> {
  const imageUrl =
    picture === undefined ? {} : { imageUrl: `data:image/jpeg;base64,${(await readFile(picture)).toString('base64')}` };
  const { status, body } = await system.request('POST', '/api/messages', { body: { userId, content, ...imageUrl } });
  if (status !== 201) throw new Error(`Sending a message failed with status ${String(status)}.`);
  return (body as { id: number }).id;
}
