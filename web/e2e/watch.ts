import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { afterAll, afterEach, expect } from '@jest/globals';
import type Axe from 'axe-core';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { browserSide } from './browser-side.js';

interface Watched {
  context: BrowserContext;
  scripts: boolean;
  faults: string[];
}

interface ForPage {
  watched: Watched;
  /** Checks run one after the other: two at once would interfere. */
  last: Promise<void>;
  isPaused: boolean;
}

const PART_OF_CLIENT = /\/assets\/|\.(js|css|svg|png|woff2|webmanifest)$/;

const open = new Set<Watched>();
const pages = new WeakMap<Page, ForPage>();

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Depend on colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** Depend on sizes and positions. Colours do not: only the veil behind a sheet differs by width. */
const PLACE_RULES = ['target-size', 'scrollable-region-focusable'];

/** Depend on the language. */
const TEXT_RULES = [
  ...['document-title', 'html-has-lang', 'html-lang-valid', 'valid-lang', 'image-alt', 'svg-img-alt', 'role-img-alt'],
  ...['button-name', 'link-name', 'summary-name', 'label', 'select-name', 'input-button-name', 'aria-command-name'],
  ...['aria-input-field-name', 'aria-toggle-field-name', 'aria-tab-name', 'aria-meter-name', 'aria-progressbar-name'],
];

/** axe-core's own `source`, minified. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** WCAG 2.2 A and AA, with target sizes, which axe leaves out by default. @param only rules or tags to run alone */
export async function accessibilityFaults(page: Page, only: readonly string[] = WCAG): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  const violations = await page.evaluate(async (runOnly) => {
    // Toasts pause, so that the test still finds them.
    const toasts = document.querySelector('[data-testid=toast]')?.parentElement;
    toasts?.dispatchEvent(new CustomEvent('toast.viewportPause'));
    const results = await (globalThis as unknown as { axe: typeof Axe }).axe.run({
      resultTypes: ['violations'],
      runOnly: [...runOnly],
      rules: {
        'target-size': { enabled: true },
        // Forced colours are the reader's.
        'color-contrast': { enabled: !matchMedia('(forced-colors: active)').matches },
      },
      // No rule here needs style sheets parsed again.
      preload: { assets: ['media'] },
    });
    toasts?.dispatchEvent(new CustomEvent('toast.viewportResume'));
    // Targets partly under the header or a floating toolbar become whole by scrolling.
    const covers = [document.querySelector('header'), ...document.querySelectorAll('[role="toolbar"]')];
    const isCovered = (place: string) => {
      const target = document.querySelector(place);
      const box = target?.getBoundingClientRect() ?? new DOMRect();
      return covers.some((cover) => {
        const { top, bottom } = cover?.getBoundingClientRect() ?? new DOMRect();
        return cover?.contains(target) === false && box.top < bottom && box.bottom > top;
      });
    };
    return results.violations.map(({ id, nodes }) => ({
      id,
      places: nodes.map(({ target }) => target.join(' ')).filter((place) => id !== 'target-size' || !isCovered(place)),
    }));
  }, only);
  return violations.filter(({ places }) => places.length > 0).map(({ id, places }) => `${id}: ${places.join(', ')}`);
}

/** Overflow in pixels. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Once floating elements have followed a new width, a frame or two later. */
const tooWide = (page: Page): Promise<string | undefined> =>
  page.evaluate(async () => {
    await new Promise((resolve) => {
      requestAnimationFrame(() => requestAnimationFrame(resolve));
    });
    const { clientWidth, scrollWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return undefined;
    const over = [...document.querySelectorAll('body *')].filter((element) => {
      const { left, right, width } = element.getBoundingClientRect();
      return width > 0 && (left < -1 || right > clientWidth + 1);
    });
    return `${String(scrollWidth - clientWidth)} px wider than ${String(clientWidth)}, for one ${over.at(-1)?.outerHTML.slice(0, 200) ?? ''}`;
  });

/** Kinds of visible elements and their states, without texts and numbers. */
const survey = (page: Page) =>
  page.evaluate(() => {
    const kinds = new Set<string>();
    for (const element of document.querySelectorAll('body *:not(svg *, script, style)')) {
      if (!element.checkVisibility()) continue;
      const attributes = [...element.attributes].map(({ name, value }) =>
        /^(class|role|type|tabindex|data-state|aria-(?!label|describedby|controls|owns|value|activedescendant))/.test(
          name,
        )
          ? `${name}=${value}`
          : name,
      );
      kinds.add([element.tagName, ...attributes.sort()].join(' '));
    }
    const { dir, clientWidth, scrollWidth } = document.documentElement;
    const is = (feature: string) => matchMedia(`(${feature})`).matches;
    return {
      overflow: scrollWidth - clientWidth,
      width: clientWidth,
      scheme: is('prefers-color-scheme: dark') ? 'dark' : 'light',
      hasOwnColours: is('forced-colors: active'),
      isStill: is('prefers-reduced-motion: reduce'),
      dir,
      section: location.pathname.split('/')[1],
      kinds: [...kinds].sort(),
    };
  });

const fileOf = (name: string): string => path.join(browserSide.statesFolder, name);

/** Takes those that no process of this run has checked. */
const claim = (names: readonly string[]): string[] =>
  names.filter((name) => {
    try {
      writeFileSync(fileOf(name), '', { flag: 'wx' });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
  });

const giveBack = (names: readonly string[]): void => {
  for (const name of names) rmSync(fileOf(name), { force: true });
};

/** Already checked by this process. */
const known = new Set<string>();

/** Any kind that no process of this run has checked. */
function showsNewKind(kinds: readonly string[]): boolean {
  const names = kinds.map((kind) => `kind-${createHash('sha1').update(kind).digest('hex')}`);
  const unknown = names.filter((name) => !known.has(name));
  for (const name of unknown) known.add(name);
  return claim(unknown).length > 0;
}

/** Of a check: only pages with new kinds of elements, also what depends on texts, places and colours, or all rules. */
type Depth = 'new' | 'parts' | 'whole';

async function look(page: Page, { faults, scripts }: Watched, depth: Depth): Promise<void> {
  const { pathname } = new URL(page.url());
  const { width, scheme, hasOwnColours, isStill, dir, section, kinds, ...found } = await survey(page);
  const wide = found.overflow > 0 ? await tooWide(page) : undefined;
  if (wide !== undefined) faults.push(`${pathname} is ${wide}`);
  // axe is a script, and would measure fading colours.
  if (!scripts || !isStill) return;
  const isNew = showsNewKind(kinds);
  if (depth === 'new' && !isNew) return;
  // The same elements have the same classes. A language changes texts and places, a width places, a scheme colours.
  const state = createHash('sha1')
    .update([section, String(hasOwnColours), ...kinds].join('\n'))
    .digest('hex');
  const [texts, places, colours] = [`${state}-${dir}`, `${state}-${dir}-${String(width)}`, `${state}-${scheme}`];
  const claimed = claim([...(isNew || depth === 'whole' ? [state] : []), texts, places, colours]);
  if (claimed.length === 0) return;
  const rules = [
    ...(claimed.includes(texts) ? TEXT_RULES : []),
    ...(claimed.includes(places) ? PLACE_RULES : []),
    ...(claimed.includes(colours) && !hasOwnColours ? COLOUR_RULES : []),
  ];
  try {
    const found = await accessibilityFaults(page, claimed.includes(state) ? WCAG : rules);
    if (found.length > 0) giveBack(claimed);
    faults.push(...found.map((fault) => `${pathname}: ${fault}`));
  } catch (error) {
    giveBack(claimed);
    throw error;
  }
}

/** Checks what a page shows now, once per state. */
export async function lookAt(page: Page, depth: Depth = 'new'): Promise<void> {
  const forPage = pages.get(page);
  if (forPage === undefined || forPage.isPaused || page.isClosed() || !page.url().startsWith('http')) return;
  forPage.last = forPage.last
    .then(() => look(page, forPage.watched, depth))
    .catch((error: unknown) => {
      // A page left meanwhile has no state to check.
      if (!/context was destroyed|cannot find context|navigat|closed|crashed|discarded/i.test(String(error)))
        throw error;
    });
  await forPage.last;
}

/** For short-lived states: acts without a check before. */
export async function promptly(page: Page, act: () => Promise<void>): Promise<void> {
  const forPage = pages.get(page);
  if (forPage === undefined) throw new Error('The page is not watched.');
  forPage.isPaused = true;
  try {
    await act();
  } finally {
    forPage.isPaused = false;
  }
}

type Act = (this: Locator, ...given: unknown[]) => Promise<unknown>;
const ACTS = ['check', 'click', 'press', 'selectOption', 'setInputFiles'];

/** Original methods of locators. Other suites of this process share the prototype. */
let unwatched: Record<string, Act> | undefined;
let locators: Record<string, Act> = {};
afterAll(() => {
  Object.assign(locators, unwatched);
});

/** Checks the page before each act, which ends its state. */
function watchActs(page: Page): void {
  for (const [target, names] of [
    [page, ['goto', 'reload', 'close']],
    [page.keyboard, ['press']],
  ] as const)
    for (const name of names) {
      const act = (target as unknown as Record<string, Act>)[name]!.bind(target as unknown as Locator);
      Object.assign(target, {
        [name]: async (...given: unknown[]) => {
          await lookAt(page);
          return act(...given);
        },
      });
    }
  if (unwatched !== undefined) return;
  locators = Object.getPrototypeOf(page.locator('body')) as Record<string, Act>;
  unwatched = Object.fromEntries(ACTS.map((name) => [name, locators[name]!]));
  for (const [name, act] of Object.entries(unwatched)) {
    locators[name] = async function (...given) {
      await lookAt(this.page());
      return act.apply(this, given);
    };
  }
}

/**
 * Chromium logs each status above 399 and each lost connection. Refusals are shown to people, and many tests provoke
 * them. A missing chunk is a fault, and so is a 5xx unless the test takes services away.
 */
function isExpected(text: string, url: string, outages: boolean): boolean {
  // Also logged for the service worker's update check.
  if (/Failed to fetch dynamically imported module|error occurred when fetching the script/.test(text)) return outages;
  if (!text.startsWith('Failed to load resource')) return false;
  const [, status] = /status of (\d{3})/.exec(text) ?? [];
  if (status === undefined) return true;
  return outages || (!PART_OF_CLIENT.test(url) && Number(status) < 500);
}

/** Checks each state of each page before it is left, and the console. Faults fail the test. */
export function watch(context: BrowserContext, { scripts, outages }: { scripts: boolean; outages: boolean }): void {
  const watched: Watched = { context, scripts, faults: [] };
  open.add(watched);
  context.on('page', (page) => {
    pages.set(page, { watched, last: Promise.resolve(), isPaused: false });
    watchActs(page);
  });
  context.on('console', (message) => {
    const { url } = message.location();
    if (['error', 'warning'].includes(message.type()) && !isExpected(message.text(), url, outages))
      watched.faults.push(`${message.text()} (${url})`);
  });
  context.on('weberror', (error) => {
    const text = String(error.error());
    // React reports a page that it showed although a part failed to load.
    if (!isExpected(text, '', outages) && !(outages && /React error #(422|520)/.test(text))) watched.faults.push(text);
  });
  const close = context.close.bind(context);
  context.close = async (options) => {
    for (const page of context.pages()) await lookAt(page);
    await close(options);
  };
}

afterEach(async () => {
  const faults: string[] = [];
  for (const { context, faults: found } of open) {
    await context.close();
    faults.push(...found);
  }
  open.clear();
  expect(faults).toEqual([]);
});
