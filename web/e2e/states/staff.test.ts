// Long run: sweep of states.
import { test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { AGENTS, ask, send } from '../admin-records.js';
import { type Language, LANGUAGES, launchBrowser, system } from '../browser.js';
import { createStaff, LONGEST_WORDS, STAFF_PASSWORD } from '../helpers.js';
import { call, LONGEST_SWEEP_MS, sessionOf, type State, sweep, type Words } from './sweep.js';

const browser = await launchBrowser();

const WRITTEN = {
  ar: {
    message: 'لا أعرف كيف أقولها وجهًا لوجه',
    question: 'هل يظهر اسمي؟',
  },
  en: {
    message: 'I cannot say it to your face',
    question: 'Is my name seen?',
  },
};

/** Other suites write, report and decide concurrently. */
const marked = (text: string) => `${text} ${Date.now().toString(36)}`;

async function createSeed(language: Language) {
  const words = WRITTEN[language];
  const word = LONGEST_WORDS[language];
  const [message, question, reason, open, decided] = [
    words.message,
    words.question,
    word.repeat(4),
    `${word.slice(8)} 1`,
    `${word} 2`,
  ].map(marked) as [string, string, string, string, string];
  const owner = await system.newAccount({ name: word });
  await send(owner.id, message, AGENTS.android);
  const report = async (content: string): Promise<number> => {
    const { id: messageId } = await system.sendMessage(owner.id, { content });
    return (
      await call<{ id: number }>('POST', '/api/reports', owner.cookie, { messageId, reason: 'threat', comment: word })
    ).id;
  };
  const [moderator, administrator] = [
    await sessionOf(await createStaff(system, language, { name: 'mod', role: 'moderator' }), STAFF_PASSWORD),
    await sessionOf(await createStaff(system, language, { name: 'adm', isVerified: true }), STAFF_PASSWORD),
  ];
  const reportId = await report(decided);
  await call('POST', `/api/admin/reports/${String(reportId)}/actions`, moderator, { action: 'dismiss', reason });
  await report(open);
  // An event creates each message's record.
  await system.eventually(async () => {
    const { length } = await call<unknown[]>(
      'GET',
      `/api/admin/sender-tracking?userId=${String(owner.id)}`,
      administrator,
    );
    if (length < 3) throw new Error('The messages are not tracked yet.');
  });
  return { owner, moderator, administrator, message, question, reason, open, decided };
}
type Seed = Awaited<ReturnType<typeof createSeed>>;

const asAdministrator = (tab: string, shows: State<Seed>['shows'], open?: State<Seed>['open']): State<Seed> => ({
  path: () => `/admin?tab=${tab}`,
  cookie: ({ administrator }) => administrator,
  shows,
  ...(open && { open }),
});

const row = (page: Page, text: string) => page.getByTestId('row').filter({ hasText: text });

async function searchFor(page: Page, { admin }: Words, text: string): Promise<void> {
  await page.getByLabel(admin.search.label).fill(text);
  await page.getByLabel(admin.search.label).press('Enter');
}

/** Asked late: the list shows the ten newest. */
const askFirst = { prepare: (_page: Page, { question }: Seed) => ask(question, AGENTS.iphone) };
const openConversation = (page: Page, _words: Words, { question }: Seed) => row(page, question).first().click();
const openReport = (page: Page, _words: Words, { open }: Seed) => row(page, open).click();

const STATES: Record<string, State<Seed>> = {
  'tracked messages': asAdministrator('tracking', (page) => page.getByTestId('row')),
  'a tracked message': asAdministrator(
    'tracking',
    (page, _words, { message }) => page.getByTestId('detail').getByText(message, { exact: true }),
    async (page, words, { owner, message }) => {
      await searchFor(page, words, `@${owner.username}`);
      await row(page, message).click();
      await page.getByRole('button', { name: words.report.reason.threat, exact: true }).click();
    },
  ),
  conversations: { ...asAdministrator('chatbot', (page) => page.getByTestId('row')), ...askFirst },
  'a conversation': {
    ...asAdministrator(
      'chatbot',
      (page, _words, { question }) => page.getByTestId('detail').getByText(question, { exact: true }),
      openConversation,
    ),
    ...askFirst,
  },
  'a conversation that is deleted': {
    ...asAdministrator(
      'chatbot',
      (page) => page.getByRole('alertdialog'),
      async (page, words, seed) => {
        await openConversation(page, words, seed);
        await page.getByRole('button', { name: words.admin.chatbot.deleteOne }).click();
      },
    ),
    ...askFirst,
  },
  'open reports': asAdministrator('reports', (page, _words, { open }) => row(page, open)),
  'a report': asAdministrator(
    'reports',
    (page, { admin }) => page.getByTestId('detail').getByText(admin.reports.alone),
    openReport,
  ),
  'a decision': asAdministrator(
    'reports',
    (page, { admin }) => page.getByRole('dialog').getByLabel(admin.reports.reason, { exact: true }),
    async (page, words, seed) => {
      await openReport(page, words, seed);
      await page.getByRole('button', { name: words.admin.reports.action.remove, exact: true }).click();
    },
  ),
  'the history of decisions': asAdministrator('history', (page, _words, { reason }) =>
    page.getByTestId('past-action').filter({ hasText: reason }),
  ),
  'a decision that is taken back': asAdministrator(
    'history',
    (page, { admin }) => page.getByRole('dialog').getByLabel(admin.reports.undoReason, { exact: true }),
    (page, { admin }, { reason }) =>
      page
        .getByTestId('past-action')
        .filter({ hasText: reason })
        .getByRole('button', { name: admin.reports.undo, exact: true })
        .click(),
  ),
  'a new administrator': asAdministrator('account', (page, { admin }) =>
    page.getByLabel(admin.account.secret, { exact: true }),
  ),
  'the log of access': asAdministrator(
    'account',
    (page) => page.getByTestId('audit-entry'),
    (page, { admin }) => page.getByRole('button', { name: admin.audit.title }).click(),
  ),
  'reports as a moderator sees them': {
    path: () => '/admin',
    cookie: ({ moderator }) => moderator,
    shows: (page, _words, { open }) => row(page, open),
  },
  'the dashboard of a verified account': {
    path: () => '/profile',
    cookie: ({ administrator }) => administrator,
    shows: (page) => page.getByTestId('premium-banner'),
  },
};

test.each(LANGUAGES)(
  'what the staff sees is well built, readable and written in full (%s)',
  async (language) => {
    await sweep(browser, language, await createSeed(language), STATES);
  },
  LONGEST_SWEEP_MS,
);
