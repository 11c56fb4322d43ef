// Long run: hostile texts in the browser.
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { PIXEL } from '../../deploy/testing/src/test-bed/factories.js';
import { FORBIDDEN_TEXTS, HOSTILE_TEXTS, missingTexts, strangeMarkup } from '../src/test/hostile.js';
import { JOURNEY_LANGUAGES, launchBrowser, newPerson, system, WORDS, type Language } from './browser.js';
import { createStaff, STAFF_PASSWORD } from './helpers.js';
import { call, cookiesIn, sessionOf } from './states/sweep.js';

/* web/src/hostile-texts.test.tsx has every text in every field. A real browser tries some of each kind. */

const NASTIEST = [
  '<img src=x onerror=xss=1>',
  '"><img src=x onerror=xss=1>',
  '<svg onload=xss=1>',
  '</script><script>xss=1</script>',
  ...HOSTILE_TEXTS.filter((_, index) => index % 10 === 0),
];

const browser = await launchBrowser();

/** Listens for effects of a text on a page. @returns what it did */
async function setTrap(context: BrowserContext): Promise<string[]> {
  const caught: string[] = [];
  context.on('console', (message) => {
    if (!['log', 'info', 'debug'].includes(message.type())) caught.push(`console: ${message.text()}`);
  });
  context.on('weberror', (fault) => caught.push(`error: ${fault.error().message}`));
  context.on('dialog', (dialog) => {
    caught.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== system.url && !['data:', 'blob:'].includes(url.protocol)) caught.push(`request: ${url.href}`);
  });
  await context.addInitScript(() => {
    Object.defineProperty(window, 'xss', {
      set() {
        console.error('a text ran as a script');
      },
    });
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      console.error(`against the policy: ${violatedDirective} ${blockedURI}`);
    });
  });
  return caught;
}

interface Visitor {
  page: Page;
  /** Shown as written, without effects. */
  expectHarmless: (texts: readonly string[]) => Promise<void>;
}

async function newVisitor(language: Language, cookie?: string, { scripts = true } = {}): Promise<Visitor> {
  const { context, page } = await newPerson(browser, system.url, language, { scripts });
  const caught = await setTrap(context);
  if (cookie !== undefined) await context.addCookies(cookiesIn(cookie));
  return {
    page,
    async expectHarmless(texts) {
      await system.eventually(async () => expect(await page.evaluate(missingTexts, [...texts])).toEqual([]));
      expect(await page.evaluate(strangeMarkup, undefined)).toEqual([]);
      expect(caught).toEqual([]);
    },
  };
}

/** An account full of hostile texts, with a reported and decided message. */
async function createSeed(language: Language) {
  const [name = ''] = NASTIEST;
  const bio = NASTIEST.slice(1, 6).join('\n');
  const owner = await system.newAccount({ name, bio });
  const { cookie } = owner;
  const contents = NASTIEST.slice(0, 10);
  const replies = NASTIEST.slice(-10);
  const [question = ''] = replies;
  const { id: prompt } = await call<{ id: number }>('POST', '/api/prompts', cookie, { content: question });
  const ids: number[] = [];
  for (const [index, content] of contents.entries()) {
    const { id } = await system.sendMessage(owner.id, { content });
    await call('POST', '/api/replies', cookie, { messageId: id, content: replies[index] });
    ids.push(id);
  }
  await call('POST', '/api/messages/bulk', cookie, { ids, action: 'publish' });
  const staff = await sessionOf(await createStaff(system, language, { name: 'hostile' }), STAFF_PASSWORD);
  // Unique, whichever reports other suites create.
  const reported = `${NASTIEST.slice(3, 8).join('\n')} ${Date.now().toString(36)}`;
  const { id: messageId } = await system.sendMessage(owner.id, { content: reported });
  const comment = NASTIEST.slice(8, 11).join('\n');
  await call('POST', '/api/reports', cookie, { messageId, reason: 'spam', comment });
  return { owner, name, bio, contents, replies, prompt, question, staff, reported, comment };
}

describe.each(JOURNEY_LANGUAGES)('a hostile text in the browser (%s)', (language) => {
  const words = WORDS[language];
  let seed: Awaited<ReturnType<typeof createSeed>>;

  beforeAll(async () => {
    seed = await createSeed(language);
  });

  // Threat model: sender-17.
  test.each([
    ['with scripts', true],
    ['without scripts', false],
  ])('is shown as it was written on a public page, %s', async (_how, scripts) => {
    const { owner, name, bio, contents, replies, prompt, question } = seed;
    const { page, expectHarmless } = await newVisitor(language, undefined, { scripts });
    const texts = [name, bio, question, ...contents, ...replies];
    // A busy gateway leaves rendering to the client.
    await system.eventually(async () => {
      await page.goto(`/m/${owner.username}?ask=${String(prompt)}`);
      if (!scripts) expect(await page.evaluate(missingTexts, texts)).toEqual([]);
    });
    await expectHarmless(texts);
  });

  // Threat model: sender-17.
  test('a hostile text is shown to the owner as written, also in a search', async () => {
    const { owner, name, reported, contents } = seed;
    const { page, expectHarmless } = await newVisitor(language, owner.cookie);
    await page.goto('/profile');
    // The newest ten are on the list's page.
    await expectHarmless([name, reported, ...contents.slice(1)]);
    await page.getByRole('searchbox', { name: words.messages.search.label }).fill('xss script');
    await page.locator('mark').first().waitFor();
    await expectHarmless([]);
  });

  // Threat model: sender-17.
  test('a hostile text is shown to staff as written', async () => {
    const { staff, reported, comment } = seed;
    const { page, expectHarmless } = await newVisitor(language, staff);
    await page.goto('/admin?tab=reports');
    await page
      .getByTestId('row')
      .filter({ hasText: NASTIEST[3]?.slice(0, 20) ?? '' })
      .first()
      .click();
    await page.getByTestId('detail').getByText(words.admin.reports.alone).waitFor();
    await expectHarmless([reported, comment]);
  });
});

describe('a hostile text', () => {
  // Threat model: sender-17.
  test('a hostile text is no username, and no URL shows it', async () => {
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
    }
    for (const text of NASTIEST.filter((each) => each.includes('xss'))) {
      const written = encodeURIComponent(text);
      for (const path of [`/m/${written}`, `/r/${written}`, `/?q=${written}`]) {
        const { body } = await system.request('GET', path);
        expect(typeof body === 'string' ? body : JSON.stringify(body)).not.toContain(text);
      }
    }
  });

  // Threat model: sender-17.
  test('a text with forbidden characters is refused', async () => {
    const { id, cookie } = await system.newAccount();
    for (const content of FORBIDDEN_TEXTS) {
      const { status, body } = await system.request('POST', '/api/messages', { body: { userId: id, content } });
      expect([content, status, body]).toMatchObject([content, 422, { fields: { content: 'forbidden_characters' } }]);
      const renamed = await system.request('PATCH', '/api/users', { cookie, body: { name: content } });
      expect([content, renamed.status, renamed.body]).toMatchObject([
        content,
        422,
        { fields: { name: 'forbidden_characters' } },
      ]);
    }
  });

  // Threat model: sender-17.
  test('a hostile file name is in no URL', async () => {
    const [, base64 = ''] = PIXEL.split(',');
    for (const text of NASTIEST) {
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
