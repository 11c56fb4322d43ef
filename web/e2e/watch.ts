import { afterEach, expect } from '@jest/globals';
import axe from 'axe-core';
import type { BrowserContext, Locator, Page } from 'playwright-core';

interface Watched {
  context: BrowserContext;
  scripts: boolean;
  faults: string[];
}

interface ForPage {
  watched: Watched;
  /** The last look: two at once would disturb each other. */
  last: Promise<void>;
  isPaused: boolean;
}

/** States without violations, by what their pages consist of. All suites of a process share them. */
const { sharedStates: known } = globalThis as unknown as { sharedStates: Set<string> };

const PART_OF_CLIENT = /\/assets\/|\.(js|css|svg|png|woff2|webmanifest)$/;

const open = new Set<Watched>();
const pages = new WeakMap<Page, ForPage>();

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Runs the rules of WCAG 2.2 A and AA, among them that for the size of targets, which axe leaves out by itself. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const violations = await page.evaluate(async (tags) => {
    // Toasts wait meanwhile, so that they are still there for the test.
    const toasts = document.querySelector('[data-testid=toast]')?.parentElement;
    toasts?.dispatchEvent(new CustomEvent('toast.viewportPause'));
    const results = await (globalThis as unknown as { axe: typeof axe }).axe.run({
      resultTypes: ['violations'],
      runOnly: tags,
      rules: {
        'target-size': { enabled: true },
        // The colours are the reader's then.
        'color-contrast': { enabled: !matchMedia('(forced-colors: active)').matches },
      },
    });
    toasts?.dispatchEvent(new CustomEvent('toast.viewportResume'));
    // Targets that the header hides in part become whole by scrolling.
    const header = document.querySelector('header');
    const edge = header?.getBoundingClientRect().bottom ?? 0;
    const isUnderHeader = (place: string) => {
      const target = document.querySelector(place);
      return target !== null && !header?.contains(target) && target.getBoundingClientRect().top < edge;
    };
    return results.violations.map(({ id, nodes }) => ({
      id,
      places: nodes
        .map(({ target }) => target.join(' '))
        .filter((place) => id !== 'target-size' || !isUnderHeader(place)),
    }));
  }, WCAG);
  return violations.filter(({ places }) => places.length > 0).map(({ id, places }) => `${id}: ${places.join(', ')}`);
}

/** By how many pixels the page is wider than its window. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Names the state of a page by the kinds of its elements, not by their texts and numbers. */
const stateOf = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const kinds = new Set<string>();
    for (const element of document.querySelectorAll('body *:not(svg *, script, style)')) {
      const attributes = [...element.attributes].map(({ name, value }) =>
        /^(class|role|type|tabindex|data-state|aria-(?!label|describedby|controls|owns|value|activedescendant))/.test(
          name,
        )
          ? `${name}=${value}`
          : name,
      );
      kinds.add([element.tagName, ...attributes.sort()].join(' '));
    }
    const { dir, clientWidth } = document.documentElement;
    const scheme = matchMedia('(prefers-color-scheme: dark)').matches;
    return JSON.stringify([location.pathname.split('/')[1], dir, clientWidth, scheme, ...[...kinds].sort()]);
  });

async function look(page: Page, { faults, scripts }: Watched): Promise<void> {
  const { pathname } = new URL(page.url());
  const overflow = await overflowOf(page);
  if (overflow > 0) faults.push(`${pathname} is ${String(overflow)} px wider than the window`);
  // axe is a script, and would measure colours that are fading.
  if (!scripts || !(await page.evaluate(() => matchMedia('(prefers-reduced-motion: reduce)').matches))) return;
  const state = await stateOf(page);
  if (known.has(state)) return;
  known.add(state);
  faults.push(...(await accessibilityFaults(page)).map((fault) => `${pathname}: ${fault}`));
}

/** Looks at what a page shows now, unless that was looked at before. */
export async function lookAt(page: Page): Promise<void> {
  const forPage = pages.get(page);
  if (forPage === undefined || forPage.isPaused || page.isClosed() || !page.url().startsWith('http')) return;
  forPage.last = forPage.last
    .then(() => look(page, forPage.watched))
    .catch((error: unknown) => {
      // A page that was left meanwhile has no state that somebody sees.
      if (!/context was destroyed|cannot find context|navigat|closed|crashed|discarded/i.test(String(error)))
        throw error;
    });
  await forPage.last;
}

/** For what lasts only some seconds: acts without a look before. */
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

let areActsWatched = false;

/** Looks at the page before each act: until then a person has seen its state, which the act ends. */
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
  if (areActsWatched) return;
  areActsWatched = true;
  const locators = Object.getPrototypeOf(page.locator('body')) as Record<string, Act>;
  for (const name of ACTS) {
    const act = locators[name]!;
    locators[name] = async function (...given) {
      await lookAt(this.page());
      return act.apply(this, given);
    };
  }
}

/**
 * Chromium itself logs each answer with a status above 399, and each lost connection. The client shows refusals of calls and
 * pages to people, and many tests provoke them. A part of the client that does not arrive is a fault, and so is an answer
 * that a service could not give, unless the test takes services away.
 */
function isExpected(text: string, url: string, outages: boolean): boolean {
  if (text.includes('Failed to fetch dynamically imported module')) return outages;
  if (!text.startsWith('Failed to load resource')) return false;
  const [, status] = /status of (\d{3})/.exec(text) ?? [];
  if (status === undefined) return true;
  return !PART_OF_CLIENT.test(url) && (outages || Number(status) < 500);
}

/** Looks at each state of each page before it is left, and listens to the console. What is found fails the test. */
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
    // React tells so when it has shown a page after all, of which a part did not arrive.
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
