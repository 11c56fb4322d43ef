import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestSystem, type TestSystem } from '@najwa/dev-env';
import type { Browser, Locator, Page } from 'playwright-core';
import {
  accessibilityFaults,
  type Language,
  LANGUAGES,
  launchBrowser,
  newPerson,
  takeShots,
  WORDS,
} from './browser.js';
import { fillRegistration, signIn, submitRegistration } from './helpers.js';

const ADMIN_PASSWORD = 'six888';
const PHOTOGRAPH = new URL('../../services/media/tests/samples/photo-gps.jpg', import.meta.url).pathname;

const AGENTS = {
  android:
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
  mac: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 15_1) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
  ipad: 'Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  iphone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  none: 'a',
};

const TEXTS = {
  ar: {
    long: 'لا أعرف كيف أقولها وجهًا لوجه، لكن وقوفك معي في ذلك الأسبوع لم يكن أمرًا عاديًّا. أردت أن تعرفي فقط.',
    preview: 'لا أعرف كيف أقولها وجهًا لوجه، لكن وقوفك…',
    others: [
      'لماذا اخترت اسم «نجوى»؟',
      'ما أجمل نصيحة تلقّيتِها في حياتك، ولماذا بقيت معك إلى اليوم؟',
      'هل يمكن أن نرى الرسائل مرتّبة حسب الشهر؟',
    ],
    questions: [
      'هل يظهر اسمي إذا أرسلت رسالة؟',
      'نسيت كلمة المرور، ماذا أفعل؟',
      'كيف أغيّر الصورة التي تظهر في صفحتي العامة؟ هذه التي أريد.',
    ],
    name: 'سالم الحربي',
    search: 'وجها لوجه',
  },
  en: {
    long: 'I don’t know how to say it face to face, but standing by me that week was no small thing. I just wanted you to know.',
    preview: 'I don’t know how to say it face to face,…',
    others: [
      'Why the name “Najwa”?',
      'What is the best advice you were ever given, and why did it stay with you?',
      'Could we see messages grouped by month?',
    ],
    questions: [
      'Does my name show when I send a message?',
      'I forgot my password, what now?',
      'How do I change the picture on my public page? This is the one I want.',
    ],
    name: 'Salem Alharbi',
    search: 'FACE  to face',
  },
};

let system: TestSystem;
let browser: Browser;

beforeAll(async () => {
  system = await startTestSystem();
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser.close();
  await system.stop();
});

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

async function send(userId: number, content: string, userAgent: string): Promise<void> {
  const headers = {
    'user-agent': userAgent,
    'accept-language': 'ar-SA,ar;q=0.9,en;q=0.5',
    referer: 'https://social.example/noura',
  };
  const { status } = await system.request('POST', '/api/messages', { body: { userId, content }, headers });
  expect(status).toBe(201);
}

/** Asks the assistant as a visitor. */
async function ask(message: string, userAgent: string): Promise<void> {
  const { status } = await system.request('POST', '/api/chat', {
    body: { message, imageUrl: null },
    headers: { 'user-agent': userAgent },
  });
  expect(status).toBe(200);
}

/** Asks the assistant about a picture, signed in on the given page. */
async function askWithPicture(page: Page, message: string): Promise<void> {
  const input = await page.evaluateHandle(() => {
    const element = document.createElement('input');
    element.type = 'file';
    document.body.append(element);
    return element;
  });
  await input.setInputFiles(PHOTOGRAPH);
  const status = await input.evaluate(async (element, text) => {
    const form = new FormData();
    form.append('image', element.files?.[0] ?? '');
    element.remove();
    const headers = { 'X-Requested-With': 'XMLHttpRequest' };
    const upload = (await (await fetch('/api/chat/upload', { method: 'POST', body: form, headers })).json()) as {
      image: { url: string };
    };
    const answer = await fetch('/api/chat', {
      method: 'POST',
      body: JSON.stringify({ message: text, imageUrl: upload.image.url }),
      headers: { ...headers, 'Content-Type': 'application/json' },
    });
    return answer.status;
  }, message);
  expect(status).toBe(200);
}

/** Marks the newest message as read. */
async function markRead(page: Page): Promise<void> {
  const status = await page.evaluate(async () => {
    const [newest] = (await (await fetch('/api/messages')).json()) as { id: number }[];
    const headers = { 'X-Requested-With': 'XMLHttpRequest', 'Content-Type': 'application/json' };
    return (await fetch(`/api/messages/${String(newest?.id)}`, { method: 'PATCH', body: '{"isRead":true}', headers }))
      .status;
  });
  expect(status).toBe(200);
}

const onPhone = async (page: Page, look: () => Promise<void>) => {
  const before = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  await look();
  if (before) await page.setViewportSize(before);
};

const isFocused = async (locator: Locator) => locator.evaluate((element) => element === document.activeElement);

describe.each(LANGUAGES)('administrator (%s)', (language) => {
  const words = WORDS[language];
  const { admin, common } = words;
  const texts = TEXTS[language];

  test('creates an administrator with the secret, shows tracking data and reviews conversations', async () => {
    const owner = await newPerson(browser, system.url, language);
    const username = stamp('noura', language);
    await fillRegistration(owner.page, language, username);
    await submitRegistration(owner.page, language);

    await owner.page.goto('/admin');
    await owner.page.getByRole('heading', { level: 1, name: admin.denied.title }).waitFor();
    await takeShots(owner.page, 'admin-denied', language);
    expect(await accessibilityFaults(owner.page)).toEqual([]);
    await owner.page.getByRole('link', { name: admin.denied.back }).click();
    await owner.page.waitForURL('**/profile');
    const { id: userId } = await owner.page.evaluate(
      async () => (await (await fetch('/api/user')).json()) as { id: number },
    );

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
    expect(await accessibilityFaults(page)).toEqual([]);
    await fillAdministrator(page, language, { username: adminName, secret: system.adminSecret });
    await page.getByText(admin.account.done, { exact: true }).waitFor();
    await page.waitForURL('**/auth');
    await signIn(page, language, adminName, ADMIN_PASSWORD);

    for (const [index, agent] of [AGENTS.none, AGENTS.ipad, AGENTS.mac].entries())
      await send(userId, texts.others[2 - index] ?? '', agent);
    await send(userId, texts.long, AGENTS.android);
    for (const [index, agent] of [AGENTS.mac, AGENTS.iphone].entries()) await ask(texts.questions[index] ?? '', agent);
    await askWithPicture(owner.page, texts.questions[2] ?? '');

    await page.getByRole('button', { name: common.header.accountMenu }).click();
    await takeShots(page, 'admin-menu', language);
    await page.getByRole('menuitem', { name: common.header.adminPanel }).click();
    await page.waitForURL('**/admin');
    const rows = page.getByTestId('row');
    await system.eventually(async () => {
      await page.reload();
      await rows.first().waitFor();
      expect(await rows.filter({ hasText: `@${username}` }).count()).toBe(4);
    });
    await page.getByText(admin.tracking.choose, { exact: true }).waitFor();
    await takeShots(page, 'admin-tracking-list', language);
    expect(await accessibilityFaults(page)).toEqual([]);

    const first = rows.filter({ hasText: texts.preview });
    await first.getByText(words.messages.badge.fresh, { exact: true }).waitFor();
    await first.getByText(admin.device.mobile, { exact: true }).waitFor();
    await first.click();
    const detail = page.getByTestId('detail');
    await detail.getByText(texts.long, { exact: true }).waitFor();
    for (const shown of ['Android', 'Chrome', AGENTS.android, '127.0.0.1', 'https://social.example/noura', 'ar-SA'])
      await detail.getByText(shown, { exact: true }).waitFor();
    expect(await detail.locator('pre').textContent()).toContain('"acceptedLanguages": [');
    await takeShots(page, 'admin-tracking', language);
    expect(await accessibilityFaults(page)).toEqual([]);
    await detail.getByRole('button', { name: admin.tracking.network }).click();
    await detail.getByText('127.0.0.1', { exact: true }).waitFor({ state: 'detached' });

    await onPhone(page, async () => {
      expect(await rows.first().isVisible()).toBe(false);
      const back = detail.getByRole('button', { name: admin.back });
      await back.click();
      expect(await isFocused(first)).toBe(true);
      await first.press('Enter');
      expect(await isFocused(back)).toBe(true);
      await back.press('Enter');
      expect(await detail.isVisible()).toBe(false);
    });

    await page.getByLabel(admin.search.label).fill(`@${username} ${texts.search}`);
    await page.getByLabel(admin.search.label).press('Enter');
    await system.eventually(async () => expect(await rows.count()).toBe(1));
    await first.waitFor();
    await takeShots(page, 'admin-search', language);
    await page.getByLabel(admin.search.label).fill('@nobody-at-all');
    await page.getByLabel(admin.search.label).press('Enter');
    await page.getByText(admin.search.nobody, { exact: true }).waitFor();
    await page.getByRole('button', { name: admin.search.clear }).click();
    await first.waitFor();

    await markRead(owner.page);
    await system.eventually(async () => {
      const records = await page.evaluate(
        async () =>
          (await (await fetch('/api/admin/sender-tracking')).json()) as {
            message: { userId: number; isRead: boolean };
          }[],
      );
      expect(records.filter(({ message }) => message.userId === userId && message.isRead)).toHaveLength(1);
    });
    await page.reload();
    await first.getByText(words.messages.badge.read, { exact: true }).waitFor();

    await page.getByRole('tab', { name: admin.tabs.chatbot }).click();
    await rows.filter({ hasText: admin.chatbot.visitor }).first().waitFor();
    await page.getByTestId('count').waitFor();
    await takeShots(page, 'admin-chatbot-list', language);
    await rows.first().click();
    await detail.getByText(texts.questions[2] ?? '', { exact: true }).waitFor();
    await detail.getByText(admin.chatbot.local, { exact: true }).waitFor();
    await detail.getByText(admin.chatbot.registered, { exact: true }).waitFor();
    await detail.getByTestId('message-image').evaluate(async (image) => (image as HTMLImageElement).decode());
    await takeShots(page, 'admin-chatbot', language);
    const source = (await detail.getByTestId('message-image').getAttribute('src')) ?? '';
    expect((await system.request('GET', source)).status).toBe(404);
    expect(await accessibilityFaults(page)).toEqual([]);

    const before = await rows.count();
    await detail.getByRole('button', { name: admin.chatbot.deleteOne }).click();
    const question = page.getByRole('alertdialog');
    await question.getByText(admin.remove.oneText, { exact: true }).waitFor();
    await takeShots(page, 'admin-chatbot-confirm', language);
    expect(await accessibilityFaults(page)).toEqual([]);
    await question.getByRole('button', { name: common.action.cancel }).click();
    await detail.getByRole('button', { name: admin.chatbot.deleteOne }).click();
    await question.getByRole('button', { name: admin.remove.confirm }).click();
    await page.getByText(admin.remove.done, { exact: true }).waitFor();
    await page.getByText(admin.chatbot.choose, { exact: true }).waitFor();
    await system.eventually(async () =>
      expect(await isFocused(page.getByRole('region', { name: admin.chatbot.title }))).toBe(true),
    );
    await system.eventually(async () => expect(await rows.count()).toBe(before - 1));

    await page.getByRole('button', { name: admin.chatbot.deleteAll }).click();
    await question.getByRole('heading', { name: admin.remove.allTitle }).waitFor();
    await takeShots(page, 'admin-chatbot-confirm-all', language);
    await question.getByRole('button', { name: admin.remove.confirm }).click();
    await page.getByText(admin.chatbot.empty, { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: admin.chatbot.deleteAll }).isDisabled()).toBe(true);
    await takeShots(page, 'admin-chatbot-empty', language);
    expect(await accessibilityFaults(page)).toEqual([]);

    await page.getByRole('tab', { name: admin.tabs.account }).click();
    await takeShots(page, 'admin-account', language);
    await page.getByRole('button', { name: admin.audit.title }).click();
    const entries = page.getByTestId('audit-entry');
    await entries.first().getByText(admin.audit.action.conversationsList).waitFor();
    await entries
      .filter({ hasText: admin.audit.action.conversationsDeleteAll })
      .first()
      .getByText(`@${adminName}`)
      .waitFor();
    await takeShots(page, 'admin-audit', language);
    expect(await accessibilityFaults(page)).toEqual([]);
    await Promise.all([context.close(), owner.context.close()]);
  });
});
