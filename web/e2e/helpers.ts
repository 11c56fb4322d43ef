import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Browser, Locator, Page } from 'playwright-core';
import type { TestSystem } from '@najwa/testing';
import { expect } from '@jest/globals';
import { type Language, newPerson, type Person, type PersonOptions, system, takeShots, WORDS } from './browser.js';
import { cookiesIn } from './states/sweep.js';
import { lookAt } from './watch.js';

export const FIRST_PASSWORD = 'correct horse';

const NAMES = { ar: 'نورة العلي', en: 'Noura Alali' };

export async function fillRegistration(page: Page, language: Language, username: string): Promise<void> {
  await page.goto('/auth');
  await fillRegistrationHere(page, language, username);
}

/** On the registration page. */
export async function fillRegistrationHere(page: Page, language: Language, username: string): Promise<void> {
  const { field } = WORDS[language].auth;
  await page.getByLabel(field.name, { exact: true }).fill(NAMES[language]);
  await page.getByLabel(field.username, { exact: true }).fill(username);
  await page.getByLabel(field.password, { exact: true }).fill(FIRST_PASSWORD);
  await page.getByLabel(field.confirmPassword, { exact: true }).fill(FIRST_PASSWORD);
  await page.getByRole('checkbox', { name: field.terms.replace(/[[\]]/g, '') }).check();
}

export async function submitRegistration(page: Page, language: Language): Promise<void> {
  const { auth, profile } = WORDS[language];
  await page.getByRole('button', { name: auth.register.submit }).click();
  await page.waitForURL('**/profile');
  await page.getByRole('heading', { level: 1, name: profile.ready.title }).waitFor();
}

/** Makes a username unique across concurrent suites. */
export const usernameFrom = (name: string, language: Language): string =>
  `${name}-${language}-${Date.now().toString(36)}${randomBytes(2).toString('hex')}`;

/** Names of the greatest length. */
export const LONGEST_NAMES = {
  ar: 'عبد الرحمن بن عبد العزيز بن محمد الحسيني النجدي القحطاني آل '.padEnd(60, 'م').slice(0, 60),
  en: 'Bartholomew Featherstonehaugh-Cholmondeley of Wolverhampton '.padEnd(60, 'm').slice(0, 60),
};

/** One word of thirty wide letters. */
export const LONGEST_WORDS = { ar: 'ضصشسش'.repeat(6), en: 'W'.repeat(30) };

export const longestUsername = (language: Language): string =>
  usernameFrom('a'.repeat(15), language).padEnd(30, 'w').slice(0, 30);

const AS_CLIENT = { 'x-requested-with': 'XMLHttpRequest' };

/** Signed in as an account, and nowhere yet. Its page is the first one opened, so fill its inbox before. */
export async function newPersonOf(
  { cookie }: { cookie: string },
  browser: Browser,
  language: Language,
  { origin = system.url, ...options }: PersonOptions & { origin?: string } = {},
): Promise<Person> {
  const person = await newPerson(browser, origin, language, options);
  await person.context.addCookies(cookiesIn(cookie).map((each) => ({ ...each, url: origin })));
  return person;
}

/** On the dashboard, registered by a call. @param name beginning of the username */
export async function newOwner(
  browser: Browser,
  language: Language,
  name: string,
  { origin = system.url, ...options }: PersonOptions & { origin?: string } = {},
): Promise<Person & { username: string }> {
  const username = usernameFrom(name, language);
  const person = await newPerson(browser, origin, language, options);
  const password = FIRST_PASSWORD;
  const answer = await person.context.request.post('/api/register', {
    headers: AS_CLIENT,
    data: { name: NAMES[language], username, password, confirmPassword: password, terms: true },
  });
  expect(answer.status()).toBe(201);
  await person.page.goto('/profile');
  return { ...person, username };
}

export async function enter({ context, page }: Person, username: string, password: string): Promise<void> {
  const answer = await context.request.post('/api/login', { headers: AS_CLIENT, data: { username, password } });
  expect(answer.status()).toBe(200);
  await page.goto('/profile');
}

export const STAFF_PASSWORD = 'six888';

interface Staff {
  /** Beginning of the username. */
  name: string;
  role?: 'moderator' | 'administrator';
  isVerified?: boolean;
}

/** With `STAFF_PASSWORD`. @returns the username */
export async function createStaff(
  place: TestSystem,
  language: Language,
  { name, role = 'administrator', isVerified = false }: Staff,
): Promise<string> {
  const username = usernameFrom(name, language);
  const { status } = await place.request('POST', '/api/admin/create', {
    body: {
      username,
      password: STAFF_PASSWORD,
      name: language === 'ar' ? 'رنا الحاج' : 'Rana Alhaj',
      email: `${username}@mail.example`,
      adminSecret: place.adminSecret,
      createVerified: isVerified,
      role,
    },
  });
  expect(status).toBe(201);
  return username;
}

export async function signIn(page: Page, language: Language, username: string, password: string): Promise<void> {
  const { field, login } = WORDS[language].auth;
  await page.goto('/auth?tab=login');
  await page.getByLabel(field.username, { exact: true }).fill(username);
  await page.getByLabel(field.password, { exact: true }).fill(password);
  await page.getByRole('button', { name: login.submit, exact: true }).click();
  await page.waitForURL('**/profile');
}

interface Called {
  status: number;
  body: unknown;
}

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

export function plural(texts: Record<string, unknown>, name: string, language: Language, count: number): string {
  const text = texts[`${name}_${new Intl.PluralRules(language).select(count)}`] as string;
  return text.replace('{{count, digits}}', new Intl.NumberFormat(language).format(count));
}

export const ownIdOf = async (page: Page): Promise<number> =>
  ((await callAs(page, 'GET', '/api/user')).body as { id: number }).id;

/** As a visitor, without a browser. @returns the message id */
export async function sendTo(system: TestSystem, userId: number, content: string, picture?: string): Promise<number> {
  const imageUrl =
    picture === undefined ? {} : { imageUrl: `data:image/jpeg;base64,${(await readFile(picture)).toString('base64')}` };
  const { status, body } = await system.request('POST', '/api/messages', { body: { userId, content, ...imageUrl } });
  if (status !== 201) throw new Error(`Sending a message failed with status ${String(status)}.`);
  return (body as { id: number }).id;
}

/** Realistic texts. */
export const WRITTEN = {
  ar: {
    messages: [
      'ما الكتاب الذي غيّرك؟',
      'شكرًا لأنك بقيت معنا ذلك الأسبوع.',
      'صوتك في الإذاعة المدرسية لا يُنسى.',
      'ماذا تقول لنفسك قبل عشر سنين؟',
    ],
    reply: 'وصلت كلماتك، وأسعدتني.',
  },
  en: {
    messages: [
      'Which book changed you?',
      'Thank you for staying with us that week.',
      'Nobody forgets how you read the news at school.',
      'What would you tell yourself ten years ago?',
    ],
    reply: 'Your words arrived, and made my day.',
  },
} as const;

/** A question to the assistant, and a part of its answer in automatic mode. */
export const QUESTIONS = { ar: 'هل يظهر اسمي إذا أرسلت رسالة؟', en: 'Does my name show when I send a message?' };
export const ANSWERS = { ar: 'لا يرى صاحب الصفحة اسمك', en: 'The page owner does not see your name' };

const sample = (name: string): string =>
  new URL(`../../services/media/tests/samples/${name}`, import.meta.url).pathname;

/** With a place in the metadata, and with a rotation. */
export const PHOTOGRAPHS = { withPlace: sample('photo-gps.jpg'), rotated: sample('photo-rotated.jpg') };

export async function openAssistant(page: Page, language: Language): Promise<Locator> {
  await page.getByRole('button', { name: WORDS[language].common.assistant.open }).click();
  const panel = page.getByRole('dialog', { name: WORDS[language].chat.title });
  await panel.waitFor();
  return panel;
}

export async function ask(panel: Locator, language: Language, question: string): Promise<void> {
  await panel.getByLabel(WORDS[language].chat.question, { exact: true }).fill(question);
  await panel.getByRole('button', { name: WORDS[language].chat.send, exact: true }).click();
}

export const lastReply = (panel: Locator): Locator => panel.getByTestId('chat-reply').last();

export async function expectFocus(place: Locator): Promise<void> {
  await system.eventually(async () =>
    expect(await place.evaluate((element) => element === document.activeElement)).toBe(true),
  );
}

/** Opens the first of these messages. @returns where it is read: on a desk the pane, else the card */
export async function unfold(card: Locator): Promise<Locator> {
  await card.first().waitFor();
  const page = card.page();
  if ((page.viewportSize()?.width ?? 0) >= 1100) {
    await card.first().locator('> button').click();
    await page.getByTestId('reading').waitFor();
    return page.getByTestId('reading');
  }
  const closed = card.first().locator('details:not([open]) > summary');
  if ((await closed.count()) > 0) await closed.click();
  return card;
}

/** Takes screenshots, and checks the page in both schemes and each width. */
export async function look(page: Page, name: string, language: Language): Promise<void> {
  await takeShots(page, name, language);
  await page.emulateMedia({ colorScheme: 'dark' });
  await lookAt(page);
  await page.emulateMedia({ colorScheme: 'light' });
  const before = page.viewportSize();
  for (const width of [320, 390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    await lookAt(page);
  }
  if (before) await page.setViewportSize(before);
}

/** Of the menu of the list, which comes with ten messages. */
export async function openTool(page: Page, language: Language, tool: 'month' | 'oldest' | 'select'): Promise<void> {
  const { list, month, select, sort } = WORDS[language].messages;
  await page.getByRole('button', { name: list.tools }).click();
  const name = { month: month.jump, oldest: sort.oldest, select: select.begin }[tool];
  await page.getByRole(tool === 'oldest' ? 'menuitemradio' : 'menuitem', { name, exact: true }).click();
}
