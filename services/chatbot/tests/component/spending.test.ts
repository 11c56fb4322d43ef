// Long run: replicas that spend one budget.
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { startTestBed, type TestBed } from '@najwa/testing';
import { ask, responseOf } from './chat-bed.js';
import { answering, failing, startOpenAiStandIn, type OpenAiStandIn } from './openai-stand-in.js';

/** Tokens: above the estimate of a short question. */
const ONE_QUESTION = 6_000;

/** Tokens: below that estimate. */
const CHEAP_QUESTION = 1_500;

let openai: OpenAiStandIn;

beforeAll(async () => {
  openai = await startOpenAiStandIn();
});

beforeEach(() => openai.behave(answering('yes', ONE_QUESTION)));

afterAll(() => openai.stop());

async function withBudgets(
  budgets: { caller: number; all: number },
  use: (bed: TestBed) => Promise<void>,
): Promise<void> {
  const bed = await startTestBed({
    services: ['chatbot'],
    env: {
      RATE_LIMIT_SCALE: '0',
      OPENAI_API_KEY: 'the-key',
      OPENAI_BASE_URL: openai.url,
      OPENAI_CALLER_TOKENS: String(budgets.caller),
      OPENAI_DAILY_TOKENS: String(budgets.all),
    },
  });
  try {
    await use(bed);
  } finally {
    await bed.stop();
  }
}

const isModel = async (bed: TestBed, ip: string): Promise<boolean> =>
  responseOf(await ask(bed, 'hello', { identity: { ip } })) === 'yes';

test('the daily budget of one caller does not limit the next caller', async () => {
  await withBudgets({ caller: 2 * ONE_QUESTION, all: 100 * ONE_QUESTION }, async (bed) => {
    expect([await isModel(bed, '192.0.2.1'), await isModel(bed, '192.0.2.1'), await isModel(bed, '192.0.2.1')]).toEqual(
      [true, true, false],
    );
    expect(await isModel(bed, '192.0.2.2')).toBe(true);
  });
});

// Threat model: openai-3.
test('the daily budget of all callers holds under concurrency', async () => {
  const all = 10_000;
  openai.behave(answering('yes', CHEAP_QUESTION));
  await withBudgets({ caller: all, all }, async (bed) => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => isModel(bed, `192.0.2.${index}`)));
    const asked = answers.filter(Boolean).length;
    expect(asked).toBeGreaterThanOrEqual(1);
    expect(asked * CHEAP_QUESTION).toBeLessThanOrEqual(all);
    expect(openai.requests).toHaveLength(asked);
  });
});

test('a question that the model refused costs nothing', async () => {
  await withBudgets({ caller: ONE_QUESTION, all: ONE_QUESTION }, async (bed) => {
    openai.behave(failing(400));
    for (let tries = 0; tries < 3; tries += 1) expect(await isModel(bed, '192.0.2.1')).toBe(false);
    openai.behave(answering('yes', ONE_QUESTION));
    expect(await isModel(bed, '192.0.2.1')).toBe(true);
  });
});
