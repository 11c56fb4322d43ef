import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, expect } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import * as ar from '../src/i18n/locales/ar/index.js';
import * as en from '../src/i18n/locales/en/index.js';
import { browserSide } from './browser-side.js';
import { watch } from './watch.js';

/** Shared by all browser suites, concurrently: each uses accounts of its own. */
export const { system } = browserSide;

export const LANGUAGES = ['ar', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/**
 * Journeys run in Arabic, the product's first language; states.test.ts sweeps every screen in both. Screenshots need
 * both.
 */
export const JOURNEY_LANGUAGES: readonly Language[] = process.env['SCREENSHOTS'] ? LANGUAGES : ['ar'];

/** To find elements by their text, as a person does. */
export const WORDS = { ar, en };

export const WIDTHS = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };
export type Screen = keyof typeof WIDTHS;
export const SCREENS = Object.keys(WIDTHS) as Screen[];

/** Only for hanging tests, as Jest's own limit. */
export const LONGEST_WAIT_MS = 120_000;

export const SHOTS = fileURLToPath(new URL('../../.artifacts/screenshots', import.meta.url));

/** Plays a file in a loop and needs no permission. */
const microphoneFlags = (sound: string) => [
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  `--use-file-for-fake-audio-capture=${sound}`,
];

interface BrowserOptions {
  /** A WAV file. Without it there is no microphone. */
  microphone?: string;
  /** Headed: only then Chromium shows notifications. */
  hasWindows?: boolean;
}

/** At the top of a suite: closes after its tests. */
export async function launchBrowser({ microphone, hasWindows = false }: BrowserOptions = {}): Promise<Browser> {
  const flags = microphone === undefined ? [] : microphoneFlags(microphone);
  const browser = await browserSide.launch({ flags, hasWindows });
  afterAll(() => browser.close());
  return browser;
}

export interface Person {
  context: BrowserContext;
  page: Page;
}

export interface PersonOptions {
  screen?: Screen;
  /** Overrides the user agent. */
  userAgent?: string;
  /** False for a browser without scripts, such as many crawlers. */
  scripts?: boolean;
  /** Address of a proxy through which everything goes. */
  proxy?: string;
  /** A test that takes services away: their 5xx in the console are no faults. */
  outages?: boolean;
}

/** Pages come rendered, and react to keys only once hydrated. */
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

/** Policy violations, of which no suite may leave any. */
const violations: string[] = [];
afterAll(() => expect(violations).toEqual([]));

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
    // Without the bypass, browsers connect to loopback addresses directly.
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
  /** The viewport only, for overlays. */
  screenOnly?: boolean;
}

/** Suffixes of file names. */
const THEMES = { light: '', dark: '.dark' } as const;

/** In both widths and themes, if SCREENSHOTS is set. */
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
