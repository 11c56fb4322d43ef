import { expect } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { type Language, LANGUAGES, newPerson, system, WORDS } from '../browser.js';
import { lookAt } from '../watch.js';

/* Every screen and overlay, in both languages, at three widths and in both schemes. Journeys check what is new. */

export type Words = (typeof WORDS)[Language];

export interface State<Seed> {
  path: (seed: Seed) => string;
  /** Signed out unless given. */
  cookie?: (seed: Seed) => string;
  prepare?: (page: Page, seed: Seed) => Promise<unknown>;
  /** Opens what no URL leads to. */
  open?: (page: Page, words: Words, seed: Seed) => Promise<unknown>;
  /** Visible once the state is complete. */
  shows: (page: Page, words: Words, seed: Seed) => Locator;
  /** All widths unless given. */
  widths?: readonly number[];
  /** Stores something in the browser that no other state should find. */
  leavesTraces?: boolean;
}

const NARROWEST = 320;
const ALL_WIDTHS = [1280, 390, NARROWEST];
const HEIGHT = 844;

/** For many states. Only for hanging tests, as Jest's own limit. */
export const LONGEST_SWEEP_MS = 900_000;

/** A state that does not appear ends its part of the sweep only. */
const LONGEST_STATE_MS = 90_000;

/** Calls the API. @throws when it refuses */
export async function call<Body>(method: string, path: string, cookie?: string, body?: object): Promise<Body> {
  const answer = await system.request(method, path, { ...(cookie !== undefined && { cookie }), ...(body && { body }) });
  if (answer.status >= 300)
    throw new Error(`${method} ${path}: ${String(answer.status)} ${JSON.stringify(answer.body)}`);
  return answer.body as Body;
}

export async function sessionOf(username: string, password: string): Promise<string> {
  const { status, headers } = await system.request('POST', '/api/login', { body: { username, password } });
  expect(status).toBe(200);
  const cookies = headers.getSetCookie().map((line) => line.split(';', 1)[0]);
  return cookies.join('; ');
}

const flatten = (texts: object, path: readonly string[] = []): [key: string, text: string][] =>
  Object.entries(texts).flatMap(([name, text]: [string, unknown]) =>
    typeof text === 'object' && text !== null
      ? flatten(text, [...path, name])
      : [[[...path, name].join('.'), String(text)]],
  );

const TEXTS = { ar: flatten(WORDS.ar), en: flatten(WORDS.en) };
const KEYS = new Set([...TEXTS.ar, ...TEXTS.en].map(([key]) => key.replace(/_(zero|one|two|few|many|other)$/, '')));

/** Texts of the other language. Those with placeholders never show verbatim. */
const foreignTexts = (language: Language): Set<string> => {
  const own = new Set(TEXTS[language].map(([, text]) => text));
  return new Set(
    LANGUAGES.filter((other) => other !== language)
      .flatMap((other) => TEXTS[other].map(([, text]) => text))
      .filter((text) => !own.has(text)),
  );
};
const FOREIGN = { ar: foreignTexts('ar'), en: foreignTexts('en') };

/** Every visible or spoken text, and elements that lack one. */
const readPage = (page: Page): Promise<{ texts: string[]; empty: string[] }> =>
  page.evaluate(() => {
    const texts = new Set([document.title]);
    // A row shows user text, which may equal a text of the interface.
    const foreign = 'script, style, noscript, [data-testid=row] [dir=auto]';
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const holder = node.parentElement;
      if (holder?.checkVisibility() === true && holder.closest(foreign) === null)
        texts.add((node.textContent ?? '').trim());
    }
    const spoken = ['aria-label', 'placeholder', 'title', 'alt'];
    for (const element of document.querySelectorAll(spoken.map((name) => `[${name}]`).join()))
      if (element.checkVisibility()) for (const name of spoken) texts.add(element.getAttribute(name)?.trim() ?? '');
    const LABELLED = '[aria-label], [aria-labelledby], img[alt]:not([alt=""]), [role=img]';
    // Switches and boxes have labels, which axe checks.
    const named = 'h1, h2, h3, h4, label, legend, summary, button:not([role=switch], [role=radio]), a, th, dt';
    const empty = [...document.querySelectorAll(named)].filter(
      (element) =>
        element.checkVisibility() &&
        element.textContent.trim() === '' &&
        !element.matches(LABELLED) &&
        element.querySelector(LABELLED) === null,
    );
    texts.delete('');
    return { texts: [...texts], empty: empty.map(({ outerHTML }) => outerHTML.slice(0, 160)) };
  });

async function textFaults(page: Page, language: Language): Promise<string[]> {
  const { texts, empty } = await readPage(page);
  return [
    ...empty.map((element) => `nothing is written in ${element}`),
    ...texts.flatMap((text) => {
      const isKey = text.split(/\s+/).some((word) => KEYS.has(word));
      if (isKey || /\{\{|\}\}|\[object |\bundefined\b|\bNaN\b/.test(text)) return [`a text is missing: ${text}`];
      return FOREIGN[language].has(text) ? [`a text of the other language: ${text}`] : [];
    }),
  ];
}

/** Controls and words that the assistant's button covers. */
const coveredByAssistant = (page: Page, what: string): Promise<string[]> =>
  page.evaluate((selector) => {
    const button = document.querySelector('aside > button[aria-haspopup=dialog]');
    if (button?.checkVisibility({ visibilityProperty: true }) !== true) return [];
    // Nothing behind an open dialog can be pressed.
    if (getComputedStyle(document.body).pointerEvents === 'none') return [];
    const { left, right, top, bottom } = button.getBoundingClientRect();
    const isUnder = (box: DOMRect) => box.left < right && box.right > left && box.top < bottom && box.bottom > top;
    // Words for screen readers alone are in boxes of a pixel.
    const isSeen = (element: Element | null) =>
      element?.checkVisibility({ visibilityProperty: true }) === true && element.getBoundingClientRect().width > 1;
    const words: string[] = [];
    const range = document.createRange();
    const walker = document.createTreeWalker(document.querySelector('main') ?? document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      range.selectNode(node);
      if (node.textContent?.trim() !== '' && isSeen(node.parentElement) && [...range.getClientRects()].some(isUnder))
        words.push(node.textContent ?? '');
    }
    const covered = [...document.querySelectorAll(selector)]
      .filter((element) => isSeen(element) && isUnder(element.getBoundingClientRect()))
      .map((element) => element.outerHTML.slice(0, 120));
    return [...covered, ...words];
  }, what);

const CONTROLS = ':is(main, footer) :is(a, button, input, textarea, label, summary)';

/** It avoids controls everywhere, and covers no sentence at the page's end. */
async function seeAssistant(page: Page): Promise<void> {
  const coversNothing = (what: string) =>
    system.eventually(async () => expect(await coveredByAssistant(page, what)).toEqual([]));
  await coversNothing(CONTROLS);
  const before = await page.evaluate(() => {
    const { scrollY } = window;
    window.scrollTo(0, document.documentElement.scrollHeight);
    return scrollY;
  });
  await coversNothing(`${CONTROLS}, footer p`);
  await page.evaluate((top) => {
    window.scrollTo(0, top);
  }, before);
}

/** Sizes of texts that people set in their browser. Without it they are 16 px. */
const LARGE = { width: 390, texts: ['24px', '32px'] };

/** Texts that lie over others, and parts that are wider than the window, with large texts. */
async function largeTextFaults(page: Page, text: string): Promise<string[]> {
  const faults = await page.evaluate(async (size) => {
    const { style, clientWidth } = document.documentElement;
    style.fontSize = size;
    // What floats follows a frame later.
    for (let frames = 0; frames < 3; frames += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
    /** What lies over the rest of the page. */
    const layerOf = (element: Element | null): Element | null =>
      element === null || /fixed|sticky/.test(getComputedStyle(element).position)
        ? element
        : layerOf(element.parentElement);
    const texts: { text: string; layer: Element | null; box: Element; lines: DOMRect[] }[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const box = node.parentElement;
      const isShown = box?.checkVisibility({ visibilityProperty: true, opacityProperty: true }) === true;
      if (!isShown || node.textContent?.trim() === '' || box.getBoundingClientRect().width <= 1) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      // An ellipsis, or a fold, cuts off the rest.
      const clips: DOMRect[] = [];
      for (let around: Element | null = box; around !== null && around !== document.body; around = around.parentElement)
        if (getComputedStyle(around).overflow !== 'visible') clips.push(around.getBoundingClientRect());
      const lines = [...range.getClientRects()].flatMap(({ left, right, top, bottom }) => {
        // Letters of a line reach over its height a little.
        const spare = (bottom - top) / 4;
        const edges = [{ left, right, top: top + spare, bottom: bottom - spare }, ...clips];
        const x = Math.max(...edges.map((edge) => edge.left));
        const y = Math.max(...edges.map((edge) => edge.top));
        const width = Math.min(...edges.map((edge) => edge.right)) - x;
        const height = Math.min(...edges.map((edge) => edge.bottom)) - y;
        return width > 1 && height > 1 ? [new DOMRect(x, y, width, height)] : [];
      });
      texts.push({ text: node.textContent?.trim().slice(0, 40) ?? '', layer: layerOf(box), box, lines });
    }
    const over = texts.flatMap((one, index) =>
      texts.slice(index + 1).flatMap((other) => {
        if (one.layer !== other.layer || one.box.contains(other.box) || other.box.contains(one.box)) return [];
        const lies = one.lines.some((a) =>
          other.lines.some(
            (b) =>
              Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 &&
              Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2,
          ),
        );
        return lies ? [`«${one.text}» lies over «${other.text}»`] : [];
      }),
    );
    const { scrollWidth } = document.documentElement;
    style.fontSize = '';
    return [...over, ...(scrollWidth > clientWidth ? [`${String(scrollWidth)} px wide`] : [])];
  }, text);
  return faults.map((fault) => `${fault} (with texts of ${text})`);
}

export const cookiesIn = (header: string) =>
  header.split('; ').map((pair) => {
    const [name = '', value = ''] = pair.split('=', 2);
    return { name, value, url: system.url };
  });

/**
 * One step at a time: a new width costs the browser more than a check. The narrowest phone has the other one's elements
 * and colours.
 */
const sidesOf = (widths: readonly number[]) =>
  widths
    .flatMap((width) => [
      { width, colorScheme: 'light' as const },
      { width, colorScheme: 'dark' as const },
    ])
    .filter(({ width, colorScheme }) => width > NARROWEST || colorScheme === 'light');

async function see<Seed>(page: Page, language: Language, seed: Seed, state: State<Seed>): Promise<string[]> {
  const { path, prepare, open, shows, widths = ALL_WIDTHS } = state;
  const words = WORDS[language];
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: widths[0] ?? 0, height: HEIGHT });
  await prepare?.(page, seed);
  await page.goto(path(seed));
  await open?.(page, words, seed);
  await shows(page, words, seed).first().waitFor({ timeout: LONGEST_STATE_MS });
  const faults: string[] = [];
  for (const [index, { width, colorScheme }] of sidesOf(widths).entries()) {
    await page.setViewportSize({ width, height: HEIGHT });
    await page.emulateMedia({ colorScheme });
    await lookAt(page, index === 0 ? 'whole' : 'parts');
    if (colorScheme === 'dark') continue;
    faults.push(...(await textFaults(page, language)).map((fault) => `${fault} (at ${String(width)} pixels)`));
    await seeAssistant(page);
  }
  if (widths.includes(LARGE.width)) {
    await page.setViewportSize({ width: LARGE.width, height: HEIGHT });
    for (const text of LARGE.texts) faults.push(...(await largeTextFaults(page, text)));
  }
  const { dir, lang } = await page.evaluate(() => {
    const { dir, lang } = document.documentElement;
    return { dir, lang };
  });
  if (dir !== (language === 'ar' ? 'rtl' : 'ltr') || lang !== language) faults.push(`it is ${lang} from ${dir}`);
  return faults;
}

/** Creates and checks each state. States of a session share a page: a new one costs more than all checks in it. */
export async function sweep<Seed>(
  browser: Browser,
  language: Language,
  seed: Seed,
  states: Record<string, State<Seed>>,
): Promise<void> {
  const pages = new Map<string, Page>();
  const openPage = async (cookie: string): Promise<Page> => {
    const { context, page } = await newPerson(browser, system.url, language);
    if (cookie !== '') await context.addCookies(cookiesIn(cookie));
    return page;
  };
  const faults: Record<string, string[]> = {};
  for (const [name, state] of Object.entries(states)) {
    const cookie = state.cookie?.(seed) ?? '';
    const page = state.leavesTraces ? await openPage(cookie) : (pages.get(cookie) ?? (await openPage(cookie)));
    if (!state.leavesTraces) pages.set(cookie, page);
    const found = await see(page, language, seed, state).catch((error: unknown) => [String(error)]);
    if (found.length > 0) faults[name] = found;
    if (state.leavesTraces) await page.context().close();
  }
  expect(faults).toEqual({});
}
