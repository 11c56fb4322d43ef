import type { Page } from 'playwright-core';
import { WORDS, type Language } from './browser.js';

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
