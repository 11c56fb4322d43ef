// Long run: sweep of states.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type Language, LANGUAGES, launchBrowser, system } from '../browser.js';
import { LONGEST_WORDS, PHOTOGRAPHS, sendTo, unfold, WRITTEN } from '../helpers.js';
import { call, LONGEST_SWEEP_MS, type State, sweep, type Words } from './sweep.js';

const browser = await launchBrowser();

const VOICE = new URL('../../../services/media/tests/samples/speech-en-man-1034.wav', import.meta.url);

async function sendVoice(userId: number): Promise<void> {
  const form = new FormData();
  form.append('audio', new File([await readFile(VOICE)], 'voice', { type: 'audio/wav' }));
  form.append('userId', String(userId));
  form.append('voiceType', 'male');
  const headers = { origin: system.url, 'x-requested-with': 'XMLHttpRequest', 'idempotency-key': randomUUID() };
  // A busy machine refuses voices for a while.
  await system.eventually(async () => {
    const { status } = await fetch(`${system.url}/api/audio/upload`, { method: 'POST', body: form, headers });
    expect(status).toBe(201);
  });
}

async function createSeed(language: Language) {
  // No text of a user may be too wide for its place.
  const word = LONGEST_WORDS[language];
  const long = word.repeat(3);
  const { messages, reply } = WRITTEN[language];
  const [owner, friend, fresh, leaving] = [
    await system.newAccount({ name: word, bio: long }),
    await system.newAccount({ name: word }),
    await system.newAccount({ name: word }),
    await system.newAccount({ name: word }),
  ];
  const { cookie } = owner;
  await call('PUT', '/api/filters', cookie, { words: [word], lists: [] });
  await system.sendMessage(owner.id, { content: `${word}…` });
  // The list has its tools from ten messages on.
  for (let count = 0; count < 6; count += 1) await system.sendMessage(owner.id, { content: reply });
  const { id: first, wayBack = '' } = await system.sendMessage(owner.id, { content: messages[3] });
  await call('POST', '/api/replies', cookie, { messageId: first, content: long });
  await call('POST', `/api/ways-back/${wayBack.slice('/r/'.length)}/messages`, undefined, { content: messages[3] });
  await call('POST', '/api/prompts', cookie, { content: long });
  const { id: sent } = await system.sendMessage(friend.id, { content: messages[1] }, { cookie });
  await call('POST', '/api/replies', friend.cookie, { messageId: sent, content: reply });

  const { id: published } = await system.sendMessage(owner.id, { content: messages[0] });
  await call('POST', '/api/replies', cookie, { messageId: published, content: reply });
  await call('POST', '/api/messages/bulk', cookie, { ids: [published], action: 'publish' });
  await call('PUT', '/api/messages/pinned', cookie, { ids: [published] });
  await sendVoice(owner.id);
  const { id: blocked } = await system.sendMessage(owner.id, { content: long.replaceAll(word.slice(-1), 'م') });
  await sendTo(system, owner.id, messages[2], PHOTOGRAPHS.withPlace);
  await call('POST', '/api/reports', cookie, { messageId: blocked, reason: 'spam', comment: long });
  await call('POST', '/api/blocks', cookie, { messageId: blocked });

  await call('POST', '/api/account/deletion', leaving.cookie, { password: leaving.password });
  await call('PATCH', '/api/users/receiving', fresh.cookie, { from: 'established' });
  const texts = { reply, published: messages[0], found: messages[2].split(' ', 1)[0] ?? '' };
  return { owner, fresh, leaving, texts };
}
type Seed = Awaited<ReturnType<typeof createSeed>>;

const asOwner = ({ owner }: Seed) => owner.cookie;

const settings = (path: string, shows: State<Seed>['shows'], open?: State<Seed>['open']): State<Seed> => ({
  path: () => `/settings${path}`,
  cookie: asOwner,
  shows,
  ...(open && { open }),
});

const inInbox = (shows: State<Seed>['shows'], open?: State<Seed>['open']): State<Seed> => ({
  path: () => '/profile',
  cookie: asOwner,
  shows,
  ...(open && { open }),
});

const press = (name: (words: Words) => string) => (page: Page, words: Words) =>
  page
    .getByRole('button', { name: name(words), exact: true })
    .first()
    .click();

/** Presses an action of the newest message. */
const act = (name: (words: Words) => string) => async (page: Page, words: Words) => {
  const card = (await unfold(page.getByTestId('message'))).first();
  await card
    .getByRole('button', { name: name(words), exact: true })
    .last()
    .click();
};

/** From the menu of the newest message, or of the one with this text. */
const choose =
  (name: (words: Words) => string, text?: (seed: Seed) => string) => async (page: Page, words: Words, seed: Seed) => {
    const messages = page.getByTestId('message');
    const chosen = text === undefined ? messages : messages.filter({ hasText: text(seed) });
    const place = await unfold(chosen);
    await place.getByRole('button', { name: words.messages.action.more }).first().click();
    await page.getByRole('menuitem', { name: name(words) }).click();
  };

const STATES: Record<string, State<Seed>> = {
  'an inbox': inInbox((page) => page.getByTestId('message').nth(3)),
  'an empty inbox': {
    path: () => '/profile',
    cookie: ({ fresh }) => fresh.cookie,
    shows: (page) => page.getByTestId('daily-questions'),
  },
  'the menu of a message': inInbox(
    (page) => page.getByRole('menu'),
    act(({ messages }) => messages.action.more),
  ),
  'a reply that is written': {
    ...inInbox(
      (page, { messages }) => page.getByLabel(messages.reply.label),
      act(({ messages }) => messages.action.reply),
    ),
    widths: [390, 320],
  },
  'a conversation': inInbox(
    (page, { wayBack }) => page.getByText(wayBack.talk.yours, { exact: true }),
    (page, { messages }) =>
      page
        .getByTestId('message')
        .filter({ hasText: messages.conversation.badge })
        .locator('[data-testid="message-text"]')
        .first()
        .click(),
  ),
  'a message that is deleted': inInbox(
    (page) => page.getByRole('alertdialog'),
    act(({ messages }) => messages.action.deleteThis),
  ),
  'a picture in full size': inInbox(
    (page) => page.getByTestId('image-viewer').getByRole('img'),
    async (page, { common }) => {
      const picture = await unfold(page.getByTestId('message').filter({ has: page.locator('img') }));
      await picture.getByRole('button', { name: common.message.openImage }).first().click();
    },
  ),
  'selected messages': inInbox(
    (page, { messages }) => page.getByRole('toolbar', { name: messages.bulk.label }),
    async (page, { messages }) => {
      await page.getByRole('button', { name: messages.list.tools }).click();
      await page.getByRole('menuitem', { name: messages.select.begin }).click();
      await page.getByRole('checkbox', { name: messages.select.one }).first().check();
    },
  ),
  'found messages': inInbox(
    (page) => page.locator('mark'),
    (page, { messages }, { texts }) => page.getByRole('searchbox', { name: messages.search.label }).fill(texts.found),
  ),
  'the tools of an inbox': inInbox(
    (page, { messages }) => page.getByRole('menuitem').and(page.getByText(messages.month.jump)),
    press(({ messages }) => messages.list.tools),
  ),
  'an inbox from a month on': inInbox(
    (page, { messages }) => page.getByRole('button', { name: messages.month.back }),
    async (page, { messages }) => {
      await page.getByRole('button', { name: messages.list.tools }).click();
      await page.getByRole('menuitem', { name: messages.month.jump }).click();
      await page.getByRole('menuitem').filter({ hasNotText: messages.month.jump }).first().click();
    },
  ),
  'sent messages': inInbox(
    (page, _words, { texts }) =>
      page.locator('[data-state=sent], [data-testid=reading]').getByText(texts.reply, { exact: true }),
    async (page, { messages }) => {
      await page.getByRole('radio', { name: new RegExp(`^${messages.filter.sent}`) }).click();
      const cards = page.locator('[data-state=sent]');
      await cards.first().waitFor();
      for (const card of await cards.all()) await unfold(card);
    },
  ),
  'what is set aside': inInbox(
    (page) => page.getByTestId('aside-message'),
    (page, { messages }) => page.getByRole('button', { name: messages.aside.title }).click(),
  ),
  'a block': inInbox(
    (page, { messages }) => page.getByRole('button', { name: messages.block.confirm, exact: true }),
    choose(({ messages }) => messages.block.action),
  ),
  'a report': inInbox(
    (page, { report }) => page.getByRole('dialog').getByText(report.reason.threat, { exact: true }),
    choose(({ messages }) => messages.action.report),
  ),
  'pinned messages': inInbox(
    (page, { messages }) => page.getByRole('dialog', { name: messages.pin.title }).getByRole('listitem'),
    choose(
      ({ messages }) => messages.pin.title,
      ({ texts }) => texts.published,
    ),
  ),
  notifications: inInbox(
    (page) => page.getByTestId('notification'),
    (page) => page.getByTestId('bell').click(),
  ),
  'the menu of an account': {
    ...inInbox(
      (page) => page.getByRole('menu'),
      (page, { common }) => page.getByRole('button', { name: common.header.accountMenu }).click(),
    ),
    widths: [1280],
  },
  'the share sheet': inInbox(
    (page, { profile }) => page.getByRole('img', { name: profile.sharing.preview.getMessageStory }),
    press(({ profile }) => profile.share),
  ),
  'the menu of a phone': {
    ...inInbox(
      (page, { common }) => page.getByRole('dialog', { name: common.header.menu }),
      (page, { common }) => page.getByRole('button', { name: common.header.menu }).click(),
    ),
    widths: [390, 320],
  },
  'the profile in the settings': settings('', (page, words) =>
    page.getByLabel(words.settings.profile.name, { exact: true }),
  ),
  'who may write': settings('/receiving', (page) => page.getByTestId('own-report')),
  questions: settings('/questions', (page) => page.getByTestId('prompt')),
  access: settings('/access', (page) => page.getByTestId('session')),
  'new recovery codes': settings(
    '/access',
    (page) => page.getByRole('dialog'),
    press(({ access }) => access.recovery.new),
  ),
  notices: settings('/notices', (page, words) => page.getByRole('heading', { name: words.notices.title })),
  data: settings('/data', (page, words) => page.getByRole('button', { name: words.data.export.gather, exact: true })),
  'an account that is deleted': settings(
    '/data',
    (page) => page.getByRole('dialog'),
    press((words) => words.data.deletion.open),
  ),
  'an account that is leaving': {
    path: () => '/settings/data',
    cookie: ({ leaving }) => leaving.cookie,
    shows: (page, words) => page.getByRole('button', { name: words.data.leaving.keep, exact: true }),
  },
  'a page for older accounts': {
    path: ({ fresh }) => `/m/${fresh.username}`,
    cookie: asOwner,
    shows: (page, { closed }) => page.getByRole('heading', { name: closed.tooNew }),
  },
};

test.each(LANGUAGES)(
  'what an owner sees is well built, readable and written in full (%s)',
  async (language) => {
    await sweep(browser, language, await createSeed(language), STATES);
  },
  LONGEST_SWEEP_MS,
);
