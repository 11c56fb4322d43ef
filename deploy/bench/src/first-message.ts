import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { sizes } from '@najwa/dev/bootstrap/smoke';
import type { Step } from '@najwa/dev/reporter';
import { openLine } from '@najwa/testing';
import type { Aim } from './result.js';
import { median, rounded } from './statistics.js';

const ROUNDS = sizes({ full: 5, smoke: 1 });
/** A bad line of a phone: 400 kbit/s, and a round trip of 400 ms, which each connection also needs to open. */
const LINE = {
  state: 'slow',
  ...sizes({
    full: { milliseconds: 200, bytesPerSecond: 50_000 },
    smoke: { milliseconds: 0, bytesPerSecond: 1e7 },
  }),
} as const;
/** Slowdown of the processor, that of Lighthouse for a phone with little power. */
const SLOWER = sizes({ full: 6, smoke: 1 });
/** After it the page has loaded everything by itself, or the measurement fails. */
const MAX_MS = 60_000;
/** Tasks that a page does once it is idle are counted, too. */
const SETTLE_MS = 4_000;
/** The same on the slow processor, with what the page still loads. */
const SLOW_SETTLE_MS = 8_000;

const SCREEN = { width: 390, height: 844 };
const PIXELS = 2;
const PHONE = { viewport: SCREEN, deviceScaleFactor: PIXELS, isMobile: true, hasTouch: true, locale: 'ar-EG' };
const CONTENT = 'ما أجمل نصيحة تلقّيتِها في حياتك؟';

/** In milliseconds and bytes. */
interface Figures {
  /** The answer with the page, with its headers: all that a message needs. */
  bytes: number;
  /** The page is painted, and parsed to its end, where the key of its form stands. */
  usable: number;
  /** From Send, before any script has run, to the answer that the message is there. */
  accepted: number;
  /** The same to the first paint of the way back. */
  wayBack: number;
  /** The scripts have taken the form over. */
  enhanced: number;
  largestPaint: number;
  bareLargestPaint: number;
  /** All that the page loads, with what it loads when it is idle. */
  totalBytes: number;
  /** On the slow processor, from the end of the HTML to the form that scripts have taken over. */
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

/** Times that a page notes of itself, in milliseconds since it was asked for. */
interface Noted {
  firstPaint: number;
  largestPaint?: number;
  longestTask?: number;
  enhanced?: number;
  /** The last redirect was answered. */
  redirected: number;
  answered: number;
  parsed: number;
}

/** Runs in the page before everything else. Text, because this package knows no browser's types. */
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
  // The form's own checks take the place of the browser's. Other parts of the page follow.
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

/** Waits until the page is painted. */
const readNotes = (page: Page): Promise<Noted> => page.evaluate<Noted>('window.readNotes()');

interface Opened {
  context: BrowserContext;
  page: Page;
  /** Bytes over the line by now: of the page itself, and of everything. */
  bytes: () => { page: number; all: number };
  /** Resolves once scripts have taken the whole page over. A locator would bring scripts of its own: a task of 270 ms there. */
  taken: () => Promise<unknown>;
}

/** A page of a phone that has never been here. */
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

/** Sends a message as soon as the page allows it. */
async function sendEarly(
  browser: Browser,
  url: string,
): Promise<Pick<Figures, 'bytes' | 'usable' | 'accepted' | 'wayBack'>> {
  const { context, page, bytes } = await newPhone(browser);
  // A busy machine, as that of a smoke, may be slower than the scripts, which would send the message in their own way.
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

/** Loads a page to its end. */
async function load(browser: Browser, url: string, { isOurs = true } = {}) {
  const { context, page, bytes, taken } = await newPhone(browser);
  await page.goto(url, { waitUntil: 'load' });
  if (isOurs) await taken();
  await page.waitForLoadState('networkidle');
  await page.waitForTimeout(sizes({ full: SETTLE_MS, smoke: 0 }));
  const { largestPaint = Number.NaN, enhanced = 0 } = await readNotes(page);
  await context.close();
  return { largestPaint, enhanced, totalBytes: bytes().all };
}

/**
 * Loads a page to its end on a slow processor, in a browser that nobody debugs. Playwright's own pages are: there V8 reads a script
 * again for the place of each error that is made, and React makes some as it starts, which is 50 ms of the longest task.
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
  await delay(sizes({ full: SLOW_SETTLE_MS, smoke: 0 }));
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
  /** The same at the end of a slow line. */
  slow: Pages;
}

/** Writes the first message on a slow line, and loads the page on it and on a slow processor. */
export async function measureFirstMessage(
  pages: Pages,
  { executablePath, args, step }: { executablePath: string; args: string[]; step: Step },
): Promise<{ aims: Record<string, Aim>; figures: Record<string, number> }> {
  const browser = await chromium.launch({ executablePath, args });
  const rounds: Figures[] = [];
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
      rounds.push(await measureOnce(browser, { ...pages, slow }));
    }
  } finally {
    await browser.close();
    for (const line of Object.values(lines)) line.close();
  }
  const figures = Object.fromEntries(
    (Object.keys(rounds[0] ?? {}) as Figure[]).map((name) => [
      name,
      rounded(median(rounds.map((all) => all[name])), 0),
    ]),
  );
  const aims: Record<string, Aim> = {};
  for (const [name, aim] of Object.entries(AIMS))
    aims[`first_message_${name}`] = { value: figures[name] ?? Number.NaN, aim, better: 'lower' };
  const ratio = median(rounds.map(({ largestPaint, bareLargestPaint }) => largestPaint / bareLargestPaint));
  aims['slow_line_largest_paint_to_bare'] = { value: rounded(ratio, 2), aim: LARGEST_PAINT_TO_BARE, better: 'lower' };
  return { aims, figures };
}
