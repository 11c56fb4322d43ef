// Long run: sweep of states.
import { test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { INFO_PAGE_NAMES } from '../../src/lib/info-pages.js';
import { type Language, LANGUAGES, launchBrowser, system } from '../browser.js';
import {
  createStaff,
  fillRegistrationHere,
  LONGEST_NAMES,
  LONGEST_WORDS,
  longestUsername,
  PHOTOGRAPHS,
  sendTo,
  STAFF_PASSWORD,
  usernameFrom,
  WRITTEN,
} from '../helpers.js';
import { call, LONGEST_SWEEP_MS, sessionOf, type State, sweep, type Words } from './sweep.js';

const browser = await launchBrowser();

const BIOS = { ar: 'أكتب وأصوّر وأسأل كثيرًا.', en: 'I write, and I ask.' };

async function createSeed(language: Language) {
  const bio = BIOS[language];
  // No text of a user may be too wide for its place.
  const name = LONGEST_WORDS[language];
  const [question, notice] = [name.repeat(3), name.repeat(4)];
  const { messages, reply } = WRITTEN[language];
  const owner = await system.newAccount({ name, bio: notice });
  const ids: number[] = [];
  for (const [index, content] of [question, ...messages.slice(1)].entries())
    ids.push(await sendTo(system, owner.id, content, index === 1 ? PHOTOGRAPHS.withPlace : undefined));
  await call('POST', '/api/replies', owner.cookie, { messageId: ids[0], content: notice });
  await call('POST', '/api/messages/bulk', owner.cookie, { ids, action: 'publish' });
  await call('PUT', '/api/messages/pinned', owner.cookie, { ids: [ids[2]] });
  const { id: prompt } = await call<{ id: number }>('POST', '/api/prompts', owner.cookie, { content: question });

  const [empty, paused, forAccounts] = [
    await system.newAccount({ name }),
    await system.newAccount({ name }),
    await system.newAccount({ name }),
  ];
  await call('PATCH', '/api/users/receiving', paused.cookie, { from: 'nobody', notice });
  await call('PATCH', '/api/users/receiving', forAccounts.cookie, { from: 'accounts' });

  const longest = await system.newAccount({
    name: LONGEST_NAMES[language],
    username: longestUsername(language),
    bio: bio.repeat(4),
  });
  const premium = await createStaff(system, language, { name: 'premium', isVerified: true });
  await call('PATCH', '/api/users', await sessionOf(premium, STAFF_PASSWORD), { bio });

  const reader = await system.newAccount({ name });
  const send = () =>
    call<{ id: number; wayBack: string }>('POST', '/api/messages', undefined, {
      userId: reader.id,
      content: question,
    });
  const [unread, answered] = [await send(), await send()];
  await call('POST', '/api/replies', reader.cookie, { messageId: answered.id, content: reply });
  return { owner, prompt, empty, paused, forAccounts, longest, premium, unread, answered };
}
type Seed = Awaited<ReturnType<typeof createSeed>>;

const title = (page: Page) => page.getByRole('heading', { level: 1 });

const infoPage = (name: string): State<Seed> => ({ path: () => `/${name}`, shows: title });

const publicPage = ({ owner }: Seed) => `/m/${owner.username}`;

const composer = (page: Page, { publicPage: { composer: words } }: Words) =>
  page.getByLabel(words.label, { exact: true });

/** Opens the bio, and shows hidden facts. */
const openIdentity = (page: Page) => page.locator('[data-writing=identity] summary:visible').click();

async function sendMessage(page: Page, words: Words): Promise<void> {
  await composer(page, words).fill('…');
  await page.getByRole('button', { name: words.publicPage.composer.send, exact: true }).click();
  await page.getByRole('heading', { name: words.wayBack.sent.title }).waitFor();
}

const STATES: Record<string, State<Seed>> = {
  'the home page': { path: () => '/', shows: (page, { home }) => page.getByRole('link', { name: home.hero.create }) },
  registration: {
    path: () => '/auth',
    shows: (page, { auth }) => page.getByRole('button', { name: auth.register.submit }),
  },
  'a refused registration': {
    path: () => '/auth',
    open: (page, { auth }) => page.getByRole('button', { name: auth.register.submit }).click(),
    shows: (page, { auth }) => page.getByText(auth.fault.required),
  },
  'the first page of an account': {
    leavesTraces: true,
    path: () => '/auth',
    open: async (page, { auth }) => {
      const language = (await page.locator('html').getAttribute('lang')) as Language;
      await fillRegistrationHere(page, language, usernameFrom('ready', language));
      await page.getByRole('button', { name: auth.register.submit }).click();
    },
    shows: (page) => page.getByTestId('codes-row'),
  },
  'signing in': {
    path: () => '/auth?tab=login',
    shows: (page, { auth }) => page.getByRole('button', { name: auth.login.passkey }),
  },
  'a new password': {
    path: () => '/reset',
    shows: (page, { access }) => page.getByRole('button', { name: access.reset.change }),
  },
  ...Object.fromEntries(INFO_PAGE_NAMES.map((name) => [`the page /${name}`, infoPage(name)])),
  'an unknown address': {
    leavesTraces: true,
    path: () => '/no/such/page',
    // The page leaves by itself after three seconds.
    prepare: (page) => page.route(`${system.url}/`, (route) => route.abort('aborted')),
    shows: (page, { notFound }) => page.getByRole('heading', { level: 1, name: notFound.title }),
  },
  'the menu of a phone': {
    path: () => '/',
    widths: [390, 320],
    open: (page, { common }) => page.getByRole('button', { name: common.header.menu }).click(),
    shows: (page, { common }) =>
      page.getByRole('dialog', { name: common.header.menu }).getByRole('link', { name: common.header.signIn }),
  },
  'the assistant': {
    path: () => '/about',
    open: (page, { common }) => page.getByRole('button', { name: common.assistant.open }).click(),
    shows: (page, { chat }) => page.getByRole('dialog', { name: chat.title }).getByText(chat.greeting, { exact: true }),
  },
  'a public page': { path: publicPage, shows: (page) => page.getByTestId('public-message').nth(3) },
  'a public page with a question': {
    path: (seed) => `${publicPage(seed)}?ask=${String(seed.prompt)}`,
    shows: (page) => page.getByTestId('asked-question'),
  },
  'a public page without messages': {
    path: ({ empty }) => `/m/${empty.username}`,
    shows: (page, words) => page.getByText(words.publicPage.empty, { exact: true }),
  },
  'a paused page': {
    path: ({ paused }) => `/m/${paused.username}`,
    shows: (page, { closed }) => page.getByRole('heading', { name: closed.paused }),
  },
  'a page for accounts': {
    path: ({ forAccounts }) => `/m/${forAccounts.username}`,
    shows: (page, { closed }) => page.locator('main').getByRole('link', { name: closed.signIn, exact: true }),
  },
  'a page of the longest name': {
    path: ({ longest }) => `/m/${longest.username}`,
    shows: composer,
  },
  'a page of the longest name, opened': {
    path: ({ longest }) => `/m/${longest.username}`,
    widths: [390, 320],
    open: openIdentity,
    shows: (page) => page.locator('[data-writing=identity] details[open]'),
  },
  'the page of a verified administrator': {
    path: ({ premium }) => `/m/${premium}`,
    shows: (page) => page.getByTestId('premium-banner'),
  },
  'the page of a verified administrator, opened': {
    path: ({ premium }) => `/m/${premium}`,
    widths: [390, 320],
    open: openIdentity,
    shows: (page) => page.locator('[data-writing=identity] details[open]'),
  },
  'who sees what of a message': {
    path: ({ empty }) => `/m/${empty.username}`,
    open: (page) => page.getByTestId('who-sees').locator('summary').click(),
    shows: (page, { site }) => page.getByText(site.sees.ownerText, { exact: true }),
  },
  'the page of nobody': {
    path: () => '/m/no-such-account',
    shows: (page, words) => page.getByRole('heading', { level: 1, name: words.publicPage.missing }),
  },
  'the palette of emojis': {
    path: ({ empty }) => `/m/${empty.username}`,
    open: (page, { publicPage: { composer: words } }) =>
      page.getByRole('button', { name: words.emoji, exact: true }).click(),
    shows: (page, { publicPage: { composer: words } }) => page.getByLabel(words.emojis),
  },
  'the recorder': {
    path: ({ empty }) => `/m/${empty.username}`,
    open: (page, { publicPage: { composer: words } }) =>
      page.getByRole('button', { name: words.voice, exact: true }).click(),
    shows: (page, { recorder }) => page.getByRole('button', { name: recorder.start, exact: true }),
  },
  'a report of a visitor': {
    path: publicPage,
    open: (page, words) => page.getByRole('button', { name: words.publicPage.report }).first().click(),
    shows: (page, { report }) => page.getByRole('dialog').getByText(report.reason.threat, { exact: true }),
  },
  'a sent message': {
    leavesTraces: true,
    path: ({ empty }) => `/m/${empty.username}`,
    open: sendMessage,
    shows: (page) => page.getByTestId('sent-notice'),
  },
  'what was sent from a device': {
    leavesTraces: true,
    path: ({ empty }) => `/m/${empty.username}`,
    open: async (page, words) => {
      await sendMessage(page, words);
      await page.goto('/r');
    },
    shows: (page, { wayBack }) => page.getByRole('link').getByText(wayBack.steps.arrived, { exact: true }),
  },
  'a device that sent nothing': {
    path: () => '/r',
    shows: (page, { wayBack }) => page.getByText(wayBack.list.emptyText, { exact: true }),
  },
  'a way back to an unread message': {
    path: ({ unread }) => unread.wayBack,
    shows: (page, { wayBack }) => page.getByText(wayBack.remove.untilRead, { exact: true }),
  },
  'a way back to a reply': {
    path: ({ answered }) => answered.wayBack,
    shows: (page, { wayBack }) => page.getByText(wayBack.steps.answered),
  },
  'a way back to nothing': {
    path: () => `/r/${'A'.repeat(22)}`,
    shows: (page, { wayBack }) => page.getByRole('heading', { name: wayBack.gone.title }),
  },
};

test.each(LANGUAGES)(
  'what a visitor sees is well built, readable and written in full (%s)',
  async (language) => {
    await sweep(browser, language, await createSeed(language), STATES);
  },
  LONGEST_SWEEP_MS,
);
