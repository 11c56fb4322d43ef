import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { ar } from '../src/i18n/locales/ar/index.js';
import { en } from '../src/i18n/locales/en/index.js';

export const LANGUAGES = ['ar', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The client's texts, for finding elements the way a person does. */
export const WORDS = { ar, en };

const WIDTHS = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };
export type Screen = keyof typeof WIDTHS;

const EXECUTABLES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

const FLAGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const SHOTS = fileURLToPath(new URL('../../.artifacts/screenshots', import.meta.url));

/** A fake microphone that plays a file in a loop and needs no permission. */
const microphoneFlags = (sound: string) => [
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  `--use-file-for-fake-audio-capture=${sound}`,
];

interface BrowserOptions {
  /** A WAV file that the microphone plays. Without it there is no microphone. */
  microphone?: string;
}

export async function launchBrowser({ microphone }: BrowserOptions = {}): Promise<Browser> {
  const executablePath = EXECUTABLES.find((path) => existsSync(path));
  if (executablePath === undefined)
    throw new Error('No Chromium was found: run the tests through npm test, which installs it.');
  return chromium.launch({
    executablePath,
    args: [
      ...FLAGS,
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ...(microphone === undefined ? [] : microphoneFlags(microphone)),
    ],
  });
}

export interface Person {
  context: BrowserContext;
  page: Page;
}

interface PersonOptions {
  screen?: Screen;
  /** Replaces the browser's own user agent. */
  userAgent?: string;
}

/** Opens a page in a new browser context. */
export async function newPerson(
  browser: Browser,
  origin: string,
  language: Language,
  { screen = 'desktop', userAgent }: PersonOptions = {},
): Promise<Person> {
  const context = await browser.newContext({
    viewport: WIDTHS[screen],
    baseURL: origin,
    locale: language === 'ar' ? 'ar-EG' : 'en-GB',
    reducedMotion: 'reduce',
    ...(userAgent !== undefined && { userAgent }),
  });
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
  await context.addInitScript((chosen) => {
    localStorage.setItem('language', chosen);
  }, language);
  return { context, page: await context.newPage() };
}

interface ShotOptions {
  /** Captures the viewport only. Use it for overlays. */
  screenOnly?: boolean;
}

/** Saves screenshots at desktop and phone width for manual review. */
export async function takeShots(
  page: Page,
  name: string,
  language: Language,
  { screenOnly = false }: ShotOptions = {},
): Promise<void> {
  await mkdir(SHOTS, { recursive: true });
  const before = page.viewportSize();
  for (const { width, height } of Object.values(WIDTHS)) {
    await page.setViewportSize({ width, height });
    await page.evaluate(() => {
      window.scrollTo(0, 0);
    });
    await page.screenshot({ path: `${SHOTS}/${name}.${language}.${width}.png`, fullPage: !screenOnly });
  }
  if (before) await page.setViewportSize(before);
}

/** Runs axe on the page and returns its violations. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const results = await page.evaluate(async () => (globalThis as unknown as { axe: typeof axe }).axe.run());
  return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}
