import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { rounds, sizes } from '@najwa/dev/bootstrap/smoke';
import type { Step } from '@najwa/dev/reporter';
import { openLine } from '@najwa/testing';
import { launchChromium } from './chromium.js';
import { atMost, type Aim } from './result.js';
import { median, rounded } from './statistics.js';

const ROUNDS = rounds(3);
/** A bad mobile line: 400 kbit/s, 400 ms per round trip and to connect. */
const LINE = {
  state: 'slow',
  ...sizes({
    full: { milliseconds: 200, bytesPerSecond: 50_000 },
    smoke: { milliseconds: 0, bytesPerSecond: 1e7 },
  }),
} as const;
/** As Lighthouse slows down for a weak phone. */
const SLOWER = sizes({ full: 6, smoke: 1 });
/** To load everything. */
const MAX_MS = 60_000;
/** Includes tasks after idle. */
const SETTLE_MS = 4_000;

const SCREEN = { width: 390, height: 844 };
const PIXELS = 2;
const PHONE = { viewport: SCREEN, deviceScaleFactor: PIXELS, isMobile: true, hasTouch: true, locale: 'ar-EG' };
const CONTENT = 'ما أجمل نصيحة تلقّيتِها في حياتك؟';

/** Milliseconds and bytes. */
interface Figures {
  /** The page with headers: all that a message needs. */
  bytes: number;
  /** Painted, and parsed up to the form's key at the end. */
  usable: number;
  /** From Send, before any script ran, to the answer. */
  accepted: number;
  /** From Send to the first paint of the way back. */
  wayBack: number;
  /** Scripts control the form. */
  enhanced: number;
  largestPaint: number;
  bareLargestPaint: number;
  /** Includes what is loaded after idle. */
  totalBytes: number;
  /** On the slow processor, from the end of the HTML to the hydrated form. */
  slowReady: number;
  slowLongestTask: number;
}

type Figure = keyof Figures;

const AIMS: Partial<Record<Figure, number>> = {
  bytes: 25_000,
  usable: 1_500,
  accepted: 3_000,
  slowReady: 2_000,
  slowLongestTask: 200,
};
const LARGEST_PAINT_TO_BARE = 1.5;

/** Milliseconds since navigation. */
interface Noted {
  firstPaint: number;
  largestPaint?: number;
  longestTask?: number;
  enhanced?: number;
  redirected: number;
  answered: number;
  parsed: number;
}

/** Runs first in the page. A string, since this package has no DOM types. */
const NOTE = `{
  const noted = {};
  const follow = (type, take) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  const painted = new Promise((resolve) => {
    follow('paint', ({ name, startTime }) => {
      if (name !== 'first-contentful-paint') return;
      noted.firstPaint = startTime;
      resolve();
    });
  });
  follow('largest-contentful-paint', ({ startTime }) => {
    noted.largestPaint = startTime;
  });
  follow('longtask', ({ duration }) => {
    noted.longestTask = Math.max(noted.longestTask ?? 0, duration);
  });
  // The form's own checks replace the browser's once scripts control it.
  new MutationObserver((changes, observer) => {
    if (document.querySelector('#message-form[novalidate]') === null) return;
    noted.enhanced = performance.now();
    observer.disconnect();
  }).observe(document, { subtree: true, childList: true, attributeFilter: ['novalidate'] });
  window.taken = new Promise((resolve) => {
    new MutationObserver((changes, observer) => {
      if (document.querySelector('#root:not(:empty, [data-rendered])') === null) return;
      resolve();
      observer.disconnect();
    }).observe(document, { subtree: true, childList: true, attributeFilter: ['data-rendered'] });
  });
  window.readNotes = async () => {
    await painted;
    const { redirectEnd: redirected, responseEnd: answered, domInteractive: parsed } =
      performance.getEntriesByType('navigation')[0];
    return { ...noted, redirected, answered, parsed };
  };
}`;

/** After the first paint. */
const readNotes = (page: Page): Promise<Noted> => page.evaluate<Noted>('window.readNotes()');

interface Opened {
  context: BrowserContext;
  page: Page;
  /** Over the line so far: of the page, and in all. */
  bytes: () => { page: number; all: number };
  /** Resolves once the page is hydrated. A locator would add scripts: a task of 270 ms. */
  taken: () => Promise<unknown>;
}

/** Cold cache. */
async function newPhone(browser: Browser): Promise<Opened> {
  const context = await browser.newContext(PHONE);
  context.setDefaultTimeout(MAX_MS);
  await context.addInitScript(NOTE);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const counted = { page: 0, all: 0 };
  let documentId: string | undefined;
  session.on('Network.requestWillBeSent', ({ requestId, type }) => {
    if (type === 'Document') documentId ??= requestId;
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    counted.all += encodedDataLength;
    if (requestId === documentId) counted.page = encodedDataLength;
  });
  await session.send('Network.enable');
  const taken = () => session.send('Runtime.evaluate', { expression: 'window.taken', awaitPromise: true });
  return { context, page, bytes: () => counted, taken };
}

/** As soon as the page allows it. */
async function sendEarly(
  browser: Browser,
  url: string,
): Promise<Pick<Figures, 'bytes' | 'usable' | 'accepted' | 'wayBack'>> {
  const { context, page, bytes } = await newPhone(browser);
  // On a slow machine, scripts might send the message first.
  if (sizes({ full: false, smoke: true })) await page.route(/\/assets\/.*\.js$/, () => undefined);
  await page.goto(url, { waitUntil: 'domcontentloaded' });
  const { firstPaint, parsed } = await readNotes(page);
  await page.locator('textarea[name=content]').fill(CONTENT);
  await page.locator('#message-form [type=submit]').click();
  await page.waitForURL(/\/r\/[\w-]{22}$/, { waitUntil: 'domcontentloaded' });
  const { firstPaint: wayBack, redirected: accepted } = await readNotes(page);
  await context.close();
  return { bytes: bytes().page, usable: Math.max(firstPaint, parsed), accepted, wayBack };
}

async function load(browser: Browser, url: string, { isOurs = true } = {}) {
  const { context, page, bytes, taken } = await newPhone(browser);
  await page.goto(url, { waitUntil: 'load' });
  if (isOurs) await taken();
  await page.waitForLoadState('networkidle');
  if (isOurs) await page.waitForTimeout(sizes({ full: SETTLE_MS, smoke: 0 }));
  const { largestPaint = Number.NaN, enhanced = 0 } = await readNotes(page);
  await context.close();
  return { largestPaint, enhanced, totalBytes: bytes().all };
}

/**
 * On a slow processor, without a debugger: under one, V8 rereads a script for each error made, and React's start makes
 * some, 50 ms of the longest task.
 */
async function loadSlowly(browser: Browser, url: string): Promise<Noted> {
  const devtools = await browser.newBrowserCDPSession();
  const { browserContextId } = await devtools.send('Target.createBrowserContext');
  const { targetId } = await devtools.send('Target.createTarget', { url: 'about:blank', browserContextId });
  const { sessionId } = await devtools.send('Target.attachToTarget', { targetId });
  const answers = new EventEmitter();
  devtools.on('Target.receivedMessageFromTarget', ({ message }) => {
    const answer = JSON.parse(message) as { id?: number };
    if (answer.id !== undefined) answers.emit(`answer ${answer.id}`, answer);
  });
  let calls = 0;
  const send = async (method: string, params: object = {}): Promise<unknown> => {
    const id = ++calls;
    const answered = once(answers, `answer ${id}`, { signal: AbortSignal.timeout(MAX_MS) });
    await devtools.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method, params }) });
    const [{ error, result }] = (await answered) as [{ error?: { message: string }; result?: unknown }];
    if (error !== undefined) throw new Error(`${method} failed: ${error.message}`);
    return result;
  };
  const evaluate = async <Value>(expression: string): Promise<Value> => {
    const asked = { expression, awaitPromise: true, returnByValue: true };
    const { result } = (await send('Runtime.evaluate', asked)) as { result: { value: Value } };
    return result.value;
  };
  await send('Page.enable');
  await send('Emulation.setDeviceMetricsOverride', { ...SCREEN, deviceScaleFactor: PIXELS, mobile: true });
  await send('Page.addScriptToEvaluateOnNewDocument', { source: NOTE });
  await send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await send('Page.navigate', { url });
  await evaluate('window.taken');
  await delay(sizes({ full: SETTLE_MS, smoke: 0 }));
  const noted = await evaluate<Noted>('window.readNotes()');
  await devtools.send('Target.disposeBrowserContext', { browserContextId });
  await devtools.detach();
  return noted;
}

async function measureOnce(browser: Browser, { ours, slow: { bare, ours: far } }: MeasuredPages): Promise<Figures> {
  const early = await sendEarly(browser, far);
  const onLine = await load(browser, far);
  const bareOnLine = await load(browser, bare, { isOurs: false });
  const { enhanced: ready = Number.NaN, answered, longestTask = 0 } = await loadSlowly(browser, ours);
  return {
    ...early,
    enhanced: onLine.enhanced,
    largestPaint: onLine.largestPaint,
    bareLargestPaint: bareOnLine.largestPaint,
    totalBytes: onLine.totalBytes,
    slowReady: ready - answered,
    slowLongestTask: longestTask,
  };
}

interface Pages {
  bare: string;
  ours: string;
}

interface MeasuredPages extends Pages {
  /** On a slow line. */
  slow: Pages;
}

/** The first message on a slow line; the page on it and on a slow processor. */
export async function measureFirstMessage(
  pages: Pages,
  step: Step,
): Promise<{ aims: Record<string, Aim>; figures: Record<string, number> }> {
  const browser = await launchChromium();
  const measured: Figures[] = [];
  const lines = {
    bare: await openLine(Number(new URL(pages.bare).port)),
    ours: await openLine(Number(new URL(pages.ours).port)),
  };
  const atEndOf = (name: keyof Pages) => Object.assign(new URL(pages[name]), { host: lines[name].host }).href;
  const slow = { bare: atEndOf('bare'), ours: atEndOf('ours') };
  for (const line of Object.values(lines)) line.become(LINE);
  try {
    for (let round = 1; round <= ROUNDS; round += 1) {
      step.doing(`a first message on a slow line, round ${round} of ${ROUNDS}`);
      measured.push(await measureOnce(browser, { ...pages, slow }));
    }
  } finally {
    await browser.close();
    for (const line of Object.values(lines)) line.close();
  }
  const figures = Object.fromEntries(
    (Object.keys(measured[0] ?? {}) as Figure[]).map((name) => [
      name,
      rounded(median(measured.map((all) => all[name])), 0),
    ]),
  );
  const aims: Record<string, Aim> = {};
  for (const [name, aim] of Object.entries(AIMS) as [Figure, number][])
    aims[`first_message_${name}`] = atMost(
      measured.map((all) => all[name]),
      aim,
      0,
    );
  const ratios = measured.map(({ largestPaint, bareLargestPaint }) => largestPaint / bareLargestPaint);
  aims['slow_line_largest_paint_to_bare'] = atMost(ratios, LARGEST_PAINT_TO_BARE, 2);
  return { aims, figures };
}
