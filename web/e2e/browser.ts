import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, expect } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { ar } from '../src/i18n/locales/ar/index.js';
import { en } from '../src/i18n/locales/en/index.js';
import { browserSide } from './browser-side.js';
import { watch } from './watch.js';

/** The running system. All browser suites share it, also at the same time, so each uses accounts of its own. */
export const { system } = browserSide;

export const LANGUAGES = ['ar', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/**
 * Journeys run in Arabic, which the product is made in first. states.test.ts looks at every screen in both languages.
 * People who look at pictures want both.
 */
export const JOURNEY_LANGUAGES: readonly Language[] = process.env['SCREENSHOTS'] ? LANGUAGES : ['ar'];

/** The client's texts, for finding elements the way a person does. */
export const WORDS = { ar, en };

export const WIDTHS = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };
export type Screen = keyof typeof WIDTHS;
export const SCREENS = Object.keys(WIDTHS) as Screen[];

/** Catches only what hangs, as Jest's own limit does. */
export const LONGEST_WAIT_MS = 120_000;

export const SHOTS = fileURLToPath(new URL('../../.artifacts/screenshots', import.meta.url));

/** A fake microphone that plays a file in a loop and needs no permission. */
const microphoneFlags = (sound: string) => [
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  `--use-file-for-fake-audio-capture=${sound}`,
];

interface BrowserOptions {
  /** A WAV file that the microphone plays. Without it there is no microphone. */
  microphone?: string;
  /** The browser that people have. Only that one shows notifications. */
  hasWindows?: boolean;
}

export const launchBrowser = ({ microphone, hasWindows = false }: BrowserOptions = {}): Promise<Browser> =>
  browserSide.launch({ flags: microphone === undefined ? [] : microphoneFlags(microphone), hasWindows });

export interface Person {
  context: BrowserContext;
  page: Page;
}

export interface PersonOptions {
  screen?: Screen;
  /** Replaces the browser's own user agent. */
  userAgent?: string;
  /** False for a browser that runs no scripts, as many crawlers. */
  scripts?: boolean;
  /** Address of a proxy through which everything goes. */
  proxy?: string;
  /** True where a test takes services away: their answers of 5xx in the console are no faults then. */
  outages?: boolean;
}

/** Pages come rendered, and react to keys, for one, only once the client has taken them over. */
function waitAfterOpening(page: Page): void {
  const open = page.goto.bind(page);
  const openAgain = page.reload.bind(page);
  const ready = async () => page.locator('#root:not([data-rendered])').waitFor({ state: 'attached' });
  page.goto = async (url, options) => {
    const response = await open(url, options);
    if (options?.waitUntil !== 'commit' && !url.startsWith('about:')) await ready();
    return response;
  };
  page.reload = async (options) => {
    const response = await openAgain(options);
    if (options?.waitUntil !== 'commit') await ready();
    return response;
  };
}

/** Violations of the pages' policy, which no suite may leave. */
const violations: string[] = [];
afterAll(() => expect(violations).toEqual([]));

/** Opens a page in a new browser context. */
export async function newPerson(
  browser: Browser,
  origin: string,
  language: Language,
  { screen = 'desktop', userAgent, scripts = true, proxy, outages = false }: PersonOptions = {},
): Promise<Person> {
  const context = await browser.newContext({
    viewport: WIDTHS[screen],
    baseURL: origin,
    locale: language === 'ar' ? 'ar-EG' : 'en-GB',
    reducedMotion: 'reduce',
    javaScriptEnabled: scripts,
    ...(userAgent !== undefined && { userAgent }),
    // Without the bypass, browsers go to loopback addresses by themselves.
    ...(proxy !== undefined && { proxy: { server: proxy, bypass: '<-loopback>' } }),
  });
  watch(context, { scripts, outages });
  context.setDefaultTimeout(LONGEST_WAIT_MS);
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
  await context.addCookies([{ name: 'language', value: language, url: origin }]);
  await context.addInitScript((chosen) => {
    // The empty page before the first one has no storage.
    if (location.protocol !== 'about:') localStorage.setItem('language', chosen);
  }, language);
  context.on('console', (message) => {
    if (/Content Security Policy|Trusted(HTML|Script)/.test(message.text())) violations.push(message.text());
  });
  const page = await context.newPage();
  if (scripts) waitAfterOpening(page);
  return { context, page };
}

interface ShotOptions {
  /** Captures the viewport only. Use it for overlays. */
  screenOnly?: boolean;
}

/** Endings of the files' names. */
const THEMES = { light: '', dark: '.dark' } as const;

/** Saves screenshots in both widths and themes for manual review, if the variable SCREENSHOTS is set. */
export async function takeShots(
  page: Page,
  name: string,
  language: Language,
  { screenOnly = false }: ShotOptions = {},
): Promise<void> {
  if (!process.env['SCREENSHOTS']) return;
  await mkdir(SHOTS, { recursive: true });
  const before = page.viewportSize();
  for (const { width, height } of Object.values(WIDTHS)) {
    await page.setViewportSize({ width, height });
    await page.evaluate(() => {
      window.scrollTo(0, 0);
    });
    for (const [theme, ending] of Object.entries(THEMES)) {
      await page.emulateMedia({ colorScheme: theme as keyof typeof THEMES });
      await page.screenshot({ path: `${SHOTS}/${name}.${language}.${width}${ending}.png`, fullPage: !screenOnly });
    }
  }
  await page.emulateMedia({ colorScheme: null });
  if (before) await page.setViewportSize(before);
}
