import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { FORBIDDEN_TEXTS, HOSTILE_TEXTS, PIXEL, startTestSystem, type TestSystem, unzip } from '@najwa/dev-env';
import type { Browser, Page } from 'playwright-core';
import {
  answering,
  type OpenAiStandIn,
  startOpenAiStandIn,
} from '../../../services/chatbot/tests/component/openai-stand-in.js';
import { LANGUAGES, launchBrowser, newPerson, WORDS, type Language } from '../browser.js';
import { ask, lastReply, openAssistant } from '../helpers.js';
import {
  createHostileWorld,
  type HostileWorld,
  missingTexts,
  packedFor,
  setTrap,
  strangeMarkup,
} from '../hostile-world.js';

/** Answers of the model have room for all texts but a few. */
const [ANSWER = ''] = packedFor(7_900);

let standIn: OpenAiStandIn;
let system: TestSystem;
let browser: Browser;
let world: HostileWorld;

beforeAll(async () => {
  standIn = await startOpenAiStandIn();
  standIn.behave(answering(ANSWER));
  [system, browser] = await Promise.all([
    startTestSystem({ env: { OPENAI_API_KEY: 'a key', OPENAI_BASE_URL: standIn.url } }),
    launchBrowser(),
  ]);
  world = await createHostileWorld(system);
});

afterAll(async () => {
  await browser.close();
  await system.stop();
  await standIn.stop();
});

interface Visitor {
  page: Page;
  /** The texts are shown as they were written, and did nothing. */
  expectHarmless: (texts: readonly string[]) => Promise<void>;
  close: () => Promise<void>;
}

async function newVisitor(language: Language, cookie?: string, { scripts = true } = {}): Promise<Visitor> {
  const { context, page } = await newPerson(browser, system.url, language, { scripts });
  const caught = await setTrap(context, system.url);
  for (const pair of cookie?.split('; ') ?? []) {
    const [name = '', value = ''] = pair.split('=', 2);
    await context.addCookies([{ name, value, url: system.url }]);
  }
  return {
    page,
    async expectHarmless(texts) {
      await system.eventually(async () => expect(await missingTexts(page, texts)).toEqual([]));
      expect(await strangeMarkup(page)).toEqual([]);
      expect(caught).toEqual([]);
    },
    close: () => context.close(),
  };
}

/** Has a list show all its entries. */
async function loadAll(page: Page, language: Language, entries: string, count: number): Promise<void> {
  const more = page.getByRole('button', { name: WORDS[language].common.action.loadMore, exact: true });
  await system.eventually(async () => {
    const shown = await page.getByTestId(entries).count();
    if (shown < count && (await more.isVisible())) await more.click();
    expect(await page.getByTestId(entries).count()).toBeGreaterThanOrEqual(count);
  });
}

describe.each(LANGUAGES)('a hostile text in the browser (%s)', (language) => {
  const words = WORDS[language];
  /** Every second one. The others come in the other language. */
  const isOurs = (_: unknown, index: number) => index % 2 === LANGUAGES.indexOf(language);

  test.each([
    ['with scripts', true],
    ['without scripts', false],
  ])('is shown as it was written on public pages, %s', async (_how, scripts) => {
    const { page, expectHarmless, close } = await newVisitor(language, undefined, { scripts });
    for (const { username, name, bio, notice, messages, prompts } of world.owners.filter(isOurs)) {
      const said = messages.flatMap(({ content, reply }) => [content, reply]);
      const texts = [name, bio, notice, ...said, ...prompts.map(({ content }) => content)];
      // A busy gateway leaves the rendering to scripts.
      await system.eventually(async () => {
        await page.goto(`/m/${username}`);
        if (!scripts) expect(await missingTexts(page, texts)).toEqual([]);
      });
      await expectHarmless(texts);
    }
    const { username, prompts } = world.collector;
    for (const { id, content } of prompts.filter(isOurs)) {
      await system.eventually(async () => {
        await page.goto(`/m/${username}?ask=${id}`);
        if (!scripts) expect(await missingTexts(page, [content])).toEqual([]);
      });
      await expectHarmless([content]);
    }
    await close();
  });

  test('is shown as it was written to the owner, also where it is searched, set aside or written anew', async () => {
    const { collector, guards, sender } = world;
    const owner = await newVisitor(language, collector.cookie);
    const said = collector.messages.flatMap(({ content, reply }) => [content, reply]);
    await owner.page.goto('/profile');
    await loadAll(owner.page, language, 'message', collector.messages.length);
    await owner.expectHarmless([collector.name, ...said]);
    await owner.page.getByRole('searchbox', { name: words.messages.search.label }).fill('xss script نجوى');
    await owner.page.locator('mark').first().waitFor();
    await owner.expectHarmless([]);
    await owner.page.getByRole('button', { name: words.messages.search.clear }).click();
    await owner.page.getByRole('button', { name: words.messages.action.reply }).first().click();
    await owner.page.getByRole('dialog').waitFor();
    await owner.expectHarmless([]);

    await owner.page.goto('/settings');
    await owner.expectHarmless([collector.name, collector.bio]);
    await owner.page.goto('/settings/receiving');
    await owner.expectHarmless([collector.notice]);
    await owner.page.goto('/settings/questions');
    await owner.expectHarmless(collector.prompts.map(({ content }) => content));
    await owner.close();

    for (const guard of guards) {
      const { page, expectHarmless, close } = await newVisitor(language, guard.cookie);
      await page.goto('/settings/receiving');
      await expectHarmless(guard.words);
      await page.goto('/profile');
      await page.getByRole('button', { name: words.messages.aside.title }).click();
      await loadAll(page, language, 'aside-message', guard.aside.length);
      await expectHarmless(guard.aside);
      await close();
    }

    const other = await newVisitor(language, sender.cookie);
    await other.page.goto('/profile');
    await other.page.getByTestId('message').waitFor();
    await other.page.getByTestId('bell').click();
    await other.page.getByTestId('notification').getByText(`@${collector.username}`).waitFor();
    await other.expectHarmless([]);
    await other.close();
  });

  test('is shown as it was written on the way back', async () => {
    const { page, expectHarmless, close } = await newVisitor(language);
    for (const { wayBack, content, reply } of world.collector.messages) {
      await page.goto(wayBack);
      await expectHarmless([content, reply]);
    }
    await close();
  });

  test('is shown as it was written to staff: reports, history, tracking and conversations', async () => {
    const { reports, staff, undoReason, collector, questions } = world;
    const { page, expectHarmless, close } = await newVisitor(language, staff[0]?.cookie);
    const rows = page.getByTestId('row');
    const detail = page.getByTestId('detail');
    const open = async (index: number) => {
      await rows.nth(index).click();
      await page.locator(`[data-testid=row][aria-current]`).nth(0).waitFor();
      await detail.getByRole('heading').first().waitFor();
    };

    await page.goto('/admin?tab=reports');
    await page.getByRole('radio', { name: words.admin.reports.filter.closed }).click();
    // The last report is open again.
    const closed = reports.slice(0, -1).toReversed();
    await loadAll(page, language, 'row', closed.length);
    for (const [index, { content, comment, reason }] of [...closed.entries()].filter(isOurs)) {
      await open(index);
      await expectHarmless([content, comment, reason]);
    }
    await page.getByRole('tab', { name: words.admin.tabs.history, exact: true }).click();
    await loadAll(page, language, 'past-action', reports.length);
    await expectHarmless(reports.slice(0, -1).map(({ reason }) => reason));
    expect(await page.getByTestId('past-action').first().textContent()).toContain(undoReason);

    await page.getByRole('tab', { name: words.admin.tabs.tracking, exact: true }).click();
    await page.getByLabel(words.admin.search.label).fill(`@${collector.username}`);
    await page.getByLabel(words.admin.search.label).press('Enter');
    await rows
      .filter({ hasNotText: `@${collector.username}` })
      .first()
      .waitFor({ state: 'detached' });
    // The newest one is the sender's, who has an account.
    const tracked = collector.messages.toReversed();
    await loadAll(page, language, 'row', tracked.length + 1);
    for (const [index, { content }] of [...tracked.entries()].filter(isOurs)) {
      await open(index + 1);
      await expectHarmless([content]);
    }
    await page.getByRole('tab', { name: words.admin.tabs.chatbot, exact: true }).click();
    for (const index of questions.keys()) {
      await open(index);
      await expectHarmless([ANSWER]);
    }
    await close();
  });

  test('is shown as it was written in the chat, as question and as answer', async () => {
    const { page, expectHarmless, close } = await newVisitor(language);
    await page.goto('/');
    const panel = await openAssistant(page, language);
    for (const question of world.questions) {
      await ask(panel, language, question);
      await lastReply(panel).getByText('xss=1').first().waitFor();
      await expectHarmless([question, ANSWER]);
    }
    await close();
  });

  test("is shown as it was written on the page in an account's file, which has no policy", async () => {
    const { cookie, name, bio, messages } = world.collector;
    const { body } = await system.request('POST', `/api/exports?language=${language}`, { cookie });
    const file = `/api/exports/${(body as { id: number }).id}/file`;
    let zip = Buffer.alloc(0);
    await system.eventually(async () => {
      const answer = await fetch(`${system.url}${file}`, { headers: { cookie } });
      expect(answer.status).toBe(200);
      zip = Buffer.from(await answer.arrayBuffer());
    });
    const { page, expectHarmless, close } = await newVisitor(language);
    await page.route('**/saved.html', (route) =>
      route.fulfill({ contentType: 'text/html; charset=utf-8', body: unzip(zip).get('index.html') ?? '' }),
    );
    await page.goto('/saved.html', { waitUntil: 'commit' });
    await page.waitForLoadState('load');
    await expectHarmless([bio, ...messages.flatMap(({ content, reply }) => [content, reply])]);
    expect(await page.locator('h1').textContent()).toContain(name);
    await close();
  });
});

describe('a hostile text', () => {
  test('is no name of an account, and no address shows it', async () => {
    // One of them has only characters that a name may have.
    for (const text of HOSTILE_TEXTS.filter((each) => !/^[\w.-]+$/.test(each))) {
      const registration = {
        name: 'x',
        username: text,
        password: 'correct horse',
        confirmPassword: 'correct horse',
        terms: true,
      };
      const refused = await system.request('POST', '/api/register', { body: registration });
      expect([refused.status, refused.body]).toMatchObject([422, { fields: { username: expect.any(String) } }]);
      const written = encodeURIComponent(text);
      for (const path of [`/m/${written}`, `/r/${written}`, `/?q=${written}`])
        if (text.includes('xss')) {
          const { body } = await system.request('GET', path);
          expect(typeof body === 'string' ? body : JSON.stringify(body)).not.toContain(text);
        }
    }
  });

  test.each(FORBIDDEN_TEXTS)('with characters that no text may have is refused: %j', async (content) => {
    const { id, cookie } = await system.newAccount();
    const { status, body } = await system.request('POST', '/api/messages', { body: { userId: id, content } });
    expect([status, body]).toMatchObject([422, { fields: { content: 'forbidden_characters' } }]);
    const renamed = await system.request('PATCH', '/api/users', { cookie, body: { name: content } });
    expect([renamed.status, renamed.body]).toMatchObject([422, { fields: { name: 'forbidden_characters' } }]);
  });

  test('in the name of a file is in no address', async () => {
    const [, base64 = ''] = PIXEL.split(',');
    for (const text of HOSTILE_TEXTS.filter((_, index) => index % 10 === 0)) {
      const form = new FormData();
      form.append('image', new File([Buffer.from(base64, 'base64')], `${text}.png`, { type: 'image/png' }));
      const headers = { origin: system.url, 'x-requested-with': 'XMLHttpRequest' };
      const answer = await fetch(`${system.url}/api/chat/upload`, { method: 'POST', body: form, headers });
      expect([answer.status, await answer.json()]).toMatchObject([
        201,
        { image: { url: expect.stringMatching(/^\/image\/[\w-]{22}$/) } },
      ]);
    }
  });
});
