import { isSmoke, rounds, sizes } from '@najwa/dev/bootstrap/smoke';
import type { Browser, Page } from 'playwright-core';
import type { SystemBenchmark } from './benchmark.js';
import { hasChromium, launchChromium, requireChromium } from './chromium.js';
import { openSeededInbox } from './seeded-inbox.js';
import { atMost } from './result.js';

const MESSAGES = sizes({ full: 2_000, smoke: 60 });
const CONVERSATIONS = sizes({ full: 300, smoke: 9 });
const ROUNDS = rounds(3);
/** Slowdown of the processor. */
const SLOWED = sizes({ full: 6, smoke: 1 });
const PHONE = { width: 390, height: 844 };
/** Pixels per second of a quick finger. */
const SPEED = 3_000;
const MAX_MS = sizes({ full: 240_000, smoke: 60_000 });

/** Milliseconds. */
const AIMS = { firstWords: 1_000, longestFrame: 50, cards: 200 };

interface Noted {
  /** The first messages arrived. */
  data: number;
  /** The first message was shown. */
  words: number;
  /** Browsers report frames over 50 ms only: 0 means none. */
  longestFrame: number;
  framesOver: number;
  cards: number;
}

/** Runs first in the page. This package has no DOM types. */
const NOTE = `
  globalThis.noted = { data: 0, words: 0, longestFrame: 0, framesOver: 0, cards: 0 };
  new PerformanceObserver((list) => {
    const first = list.getEntries().find(({ name }) => name.includes('/api/messages?'));
    if (noted.data === 0 && first) noted.data = first.responseEnd;
  }).observe({ type: 'resource', buffered: true });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      noted.longestFrame = Math.max(noted.longestFrame, duration);
      noted.framesOver += 1;
    }
  }).observe({ type: 'long-animation-frame' });
  const look = () => {
    const cards = document.querySelectorAll('[data-testid=message]').length;
    noted.cards = Math.max(noted.cards, cards);
    // That frame ends when the next one begins.
    if (cards > 0 && noted.words === 0) requestAnimationFrame(() => (noted.words ||= performance.now()));
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
`;

const notedIn = (page: Page) => page.evaluate<Noted>('globalThis.noted');

/** At constant speed, until the last message is shown. */
const scrollToEnd = (page: Page): Promise<void> =>
  page.evaluate<void>(`new Promise((resolve, reject) => {
    const isOver = () =>
      [...document.querySelectorAll('[aria-posinset]')].some((card) => card.ariaPosInSet === card.ariaSetSize);
    const started = performance.now();
    let last = started;
    const step = (now) => {
      if (isOver()) return resolve();
      if (now - started > ${MAX_MS}) return reject(new Error('The end of the list did not come.'));
      scrollBy({ top: (${SPEED} * (now - last)) / 1_000, behavior: 'instant' });
      last = now;
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  })`);

async function measure(browser: Browser, origin: string, cookie: string) {
  const [name = '', value = ''] = cookie.split(/[=;]/);
  const context = await browser.newContext({ viewport: PHONE, hasTouch: true, isMobile: true, locale: 'ar' });
  await context.addCookies([{ name, value, url: origin }]);
  await context.addInitScript(NOTE);
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWED });
  await page.goto(`${origin}/profile`);
  await page.getByTestId('message').first().waitFor();
  await page.waitForLoadState('networkidle');
  const opening = await notedIn(page);
  await page.evaluate('Object.assign(noted, { longestFrame: 0, framesOver: 0 })');
  await scrollToEnd(page);
  const scrolling = await notedIn(page);
  await context.close();
  return { opening, scrolling };
}

/** A long inbox on a slow phone: time to first words, and frames while scrolling. */
export const scroll: SystemBenchmark = {
  async needs() {
    if (!isSmoke) await requireChromium();
    return {};
  },
  async run({ system, step, reporter }) {
    if (!(await hasChromium())) {
      reporter.say('scroll is left out: there is no Chromium.');
      return { bench: 'scroll', aims: {} };
    }
    step.doing('filling an inbox');
    const { id: userId, cookie } = await system.newAccount();
    const seeded = await openSeededInbox(system, userId, MESSAGES, CONVERSATIONS);
    await seeded.growTo(MESSAGES);
    await seeded.close();
    const browser = await launchChromium();
    try {
      const measured: Awaited<ReturnType<typeof measure>>[] = [];
      for (let round = 1; round <= ROUNDS; round += 1) {
        step.doing(`scrolling through ${MESSAGES} messages, round ${round} of ${ROUNDS}`);
        measured.push(await measure(browser, system.url, cookie));
      }
      const [opened, scrolled] = [measured.map(({ opening }) => opening), measured.map(({ scrolling }) => scrolling)];
      const [waited, longest] = [
        opened.map(({ words, data }) => words - data),
        scrolled.map(({ longestFrame }) => longestFrame),
      ];
      const cards = scrolled.map((noted) => noted.cards);
      return {
        bench: 'scroll',
        aims: {
          first_words_after_data_milliseconds: atMost(waited, AIMS.firstWords, 0),
          longest_frame_milliseconds: atMost(longest, AIMS.longestFrame, 0),
          cards_in_document: atMost(cards, AIMS.cards, 0),
        },
        messages: MESSAGES,
        conversations: CONVERSATIONS,
        slowed: SLOWED,
        rounds: measured,
      };
    } finally {
      await browser.close();
    }
  },
};
