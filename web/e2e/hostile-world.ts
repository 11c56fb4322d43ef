import { HOSTILE_TEXTS, type TestAccount, type TestSystem } from '@najwa/dev-env';
import { countCharacters, LIMITS } from '@najwa/proto/http/client';
import type { BrowserContext, Page } from 'playwright-core';

const isFitting = (max: number) => (text: string) => countCharacters(text) <= max;

/** The hostile texts that fit a field of this length. */
export const textsFor = (max: number): string[] => HOSTILE_TEXTS.filter(isFitting(max));

/** All of them, as many in one text as fit, so that few fields have all. */
export function packedFor(max: number, texts = textsFor(max), separator = '\n'): string[] {
  const packed: string[] = [];
  for (const text of texts) {
    const joined = `${packed.at(-1) ?? ''}${separator}${text}`;
    if (packed.length > 0 && countCharacters(joined) <= max) packed[packed.length - 1] = joined;
    else packed.push(text);
  }
  return packed;
}

const { text: BOUNDS } = LIMITS;

/** The entry of a list, from its beginning again after the last one. */
const turn = <Entry>(list: readonly Entry[], index: number): Entry => list[index % list.length] as Entry;

/** Requests of one address at once. */
const LANES = 4;

async function inLanes<Entry>(entries: readonly Entry[], work: (entry: Entry, index: number) => Promise<void>) {
  const waiting = [...entries.entries()];
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await work(next[1], next[0]);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

/** An account whose page is full of hostile texts. */
export interface HostileAccount extends TestAccount {
  name: string;
  bio: string;
  notice: string;
  prompts: { id: number; content: string }[];
  messages: { id: number; content: string; wayBack: string; reply: string }[];
}

export interface HostileWorld {
  /** Together they have each text as a message of its own, as a reply, and in their words about themselves. */
  owners: HostileAccount[];
  /** All texts in few messages and replies, whose senders had hostile headers. */
  collector: HostileAccount;
  /** Filter every text that has the length of a word, and have some of them set aside. */
  guards: (TestAccount & { words: string[]; aside: string[] })[];
  /** An account that wrote to the collector. */
  sender: TestAccount;
  staff: { username: string; cookie: string }[];
  /** Comments of the owners on their first messages, and reasons for which those were decided. The last one was taken back. */
  reports: { content: string; comment: string; reason: string }[];
  undoReason: string;
  questions: string[];
}

/** Of senders. Headers of requests have no other characters. */
const HEADER_TEXTS = packedFor(
  400,
  textsFor(400).filter((text) => /^[ -~]+$/.test(text)),
  ' ',
);

const WORD = /[\p{L}\p{N}]/u;

/** Has the texts written into everything that a person can write, by the calls that people use. */
export async function createHostileWorld(system: TestSystem): Promise<HostileWorld> {
  const call = async <Body>(method: string, path: string, cookie: string | undefined, body?: object): Promise<Body> => {
    const answer = await system.request(method, path, {
      ...(cookie !== undefined && { cookie }),
      ...(body && { body }),
    });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as Body;
  };

  const newPage = async (
    about: { name: string; bio: string; notice: string },
    contents: readonly string[],
    replies: readonly string[],
    prompts: readonly string[],
    headersOf: (index: number) => Record<string, string> = () => ({}),
  ): Promise<HostileAccount> => {
    const { notice, ...profile } = about;
    const account = await system.newAccount(profile);
    const { id: userId, cookie } = account;
    const page: HostileAccount = { ...account, ...about, prompts: [], messages: [] };
    for (const content of prompts) page.prompts.push(await call('POST', '/api/prompts', cookie, { content }));
    for (const [index, content] of contents.entries()) {
      const promptId = page.prompts[index]?.id ?? null;
      const { status, body } = await system.request('POST', '/api/messages', {
        body: { userId, content, promptId },
        headers: headersOf(index),
      });
      if (status !== 201) throw new Error(`A message: ${status} ${JSON.stringify(body)}`);
      const { id, wayBack } = body as { id: number; wayBack: string };
      const reply = turn(replies, index);
      await call('POST', '/api/replies', cookie, { messageId: id, content: reply });
      page.messages.push({ id, content, wayBack, reply });
    }
    const ids = page.messages.map(({ id }) => id);
    await call('POST', '/api/messages/bulk', cookie, { ids, action: 'publish' });
    await call('PATCH', '/api/users/receiving', cookie, { notice, from: 'nobody' });
    return page;
  };

  const [names, bios, notices, prompts] = [
    textsFor(BOUNDS.name.max),
    packedFor(BOUNDS.bio.max),
    packedFor(BOUNDS.notice.max),
    textsFor(BOUNDS.prompt.max),
  ];
  const share = Math.ceil(HOSTILE_TEXTS.length / bios.length);
  const mirrored = HOSTILE_TEXTS.toReversed();
  const owners: HostileAccount[] = [];
  await inLanes(bios, async (bio, index) => {
    const from = index * share;
    const own = HOSTILE_TEXTS.slice(from, from + share);
    owners[index] = await newPage(
      { name: turn(names, index), bio, notice: turn(notices, index) },
      own,
      mirrored.slice(from, from + share),
      own.map((_, at) => turn(prompts, from + at)),
    );
  });

  const collector = await newPage(
    { name: turn(names, owners.length), bio: turn(bios, 1), notice: turn(notices, owners.length) },
    packedFor(BOUNDS.message.max),
    packedFor(BOUNDS.reply.max),
    prompts.slice(0, 10),
    (index) => ({
      'user-agent': turn(HEADER_TEXTS, index),
      'accept-language': turn(HEADER_TEXTS, index + 1),
      referer: `https://najwa.example/${encodeURI(turn(HEADER_TEXTS, index + 2))}`,
    }),
  );

  const words = textsFor(BOUNDS.filterWord.max).filter((text) => WORD.test(text) && countCharacters(text) > 1);
  const guards: HostileWorld['guards'] = [];
  for (let from = 0; from < words.length; from += LIMITS.filterWords) {
    const guard = await system.newAccount();
    const own = words.slice(from, from + LIMITS.filterWords);
    await call('PUT', '/api/filters', guard.cookie, { words: own, lists: [] });
    const aside = own.slice(0, LIMITS.page.default);
    for (const content of aside) await system.sendMessage(guard.id, { content });
    guards.push({ ...guard, words: own, aside });
  }

  const sender = await system.newAccount({ name: turn(names, owners.length + 1) });
  await call('PATCH', '/api/users/receiving', collector.cookie, { from: 'everyone' });
  const { id: messageId } = await system.sendMessage(
    collector.id,
    { content: turn(packedFor(BOUNDS.message.max), 2) },
    { cookie: sender.cookie },
  );
  await call('POST', '/api/replies', collector.cookie, { messageId, content: turn(packedFor(BOUNDS.reply.max), 2) });

  const staff: HostileWorld['staff'] = [];
  for (const index of [0, 1]) {
    const username = `staff-${index}-${Date.now().toString(36)}`;
    const password = 'six888';
    const name = turn(names, owners.length + 2 + index);
    const body = { username, password, name, email: `${username}@mail.example`, createVerified: false };
    await call('POST', '/api/admin/create', undefined, { ...body, adminSecret: system.adminSecret });
    const { headers } = await system.request('POST', '/api/login', { body: { username, password } });
    staff.push({
      username,
      cookie: headers
        .getSetCookie()
        .map((line) => line.split(';', 1)[0])
        .join('; '),
    });
  }
  const [comments, reasons] = [packedFor(BOUNDS.comment.max), packedFor(BOUNDS.reason.max)];
  const reports: HostileWorld['reports'] = [];
  for (const [index, { messages, cookie }] of owners.entries()) {
    const [{ id, content } = { id: 0, content: '' }] = messages;
    const [comment, reason] = [turn(comments, index), turn(reasons, index)];
    const report = await call<{ id: number }>('POST', '/api/reports', cookie, {
      messageId: id,
      reason: 'spam',
      comment,
    });
    await call('POST', `/api/admin/reports/${report.id}/actions`, staff[0]?.cookie, { action: 'dismiss', reason });
    reports.push({ content, comment, reason });
  }
  const undoReason = turn(reasons, 3);
  const [newest] = await call<{ id: number }[]>('GET', '/api/admin/actions', staff[0]?.cookie);
  await call('POST', `/api/admin/actions/${newest?.id ?? 0}/undo`, staff[1]?.cookie, { reason: undoReason });

  const questions = packedFor(BOUNDS.question.max);
  for (const message of questions) await call('POST', '/api/chat', undefined, { message, imageUrl: null });
  return { owners, collector, guards, sender, staff, reports, undoReason, questions };
}

/** Listens for whatever a text could do in a page. @returns what it did */
export async function setTrap(context: BrowserContext, origin: string): Promise<string[]> {
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
    if (url.origin !== origin && !['data:', 'blob:'].includes(url.protocol)) caught.push(`request: ${url.href}`);
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

/** Elements and attributes that a text would bring, and that none of our pages has. */
export const strangeMarkup = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const elements =
      'iframe, frame, object, embed, applet, base, portal, plaintext, xmp, listing, marquee, math, foreignObject, animate, set, ' +
      'template, dialog, x-y, bdo, frameset, meta[http-equiv=refresh], [srcdoc], [formaction], [href^="javascript:" i], ' +
      'main script, main style, main link, #root script, #root link';
    const loading = new Set(['href', 'src', 'srcset', 'action', 'style', 'data', 'poster', 'background', 'xlink:href']);
    const strange = [...document.querySelectorAll(elements)].map(({ outerHTML }) => outerHTML);
    for (const element of document.querySelectorAll('*'))
      for (const { name, value } of element.attributes)
        if (/^on/i.test(name) || (loading.has(name) && /xss[.=]/.test(value))) strange.push(element.outerHTML);
    return strange.map((markup) => markup.slice(0, 200));
  });

/**
 * Texts that no element of the page, and no field, has as it was written. Our pages leave out controls that would turn the
 * text around them.
 */
export const missingTexts = (page: Page, texts: readonly string[]): Promise<string[]> =>
  page.evaluate((wanted) => {
    const plain = (text: string) => text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '');
    const shown = new Set<string>();
    for (const element of document.querySelectorAll('body *')) {
      shown.add(plain(element.textContent));
      if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)
        shown.add(plain(element.value));
    }
    return wanted.filter((text) => !shown.has(plain(text)));
  }, texts);
