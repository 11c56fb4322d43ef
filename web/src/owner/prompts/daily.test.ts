import { expect, test } from '@jest/globals';
import { LIMITS } from '@najwa/proto/http/client';
import questions from './daily-questions.json' with { type: 'json' };
import { DAILY, questionsOfDay } from './daily.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const NOON = new Date(2026, 10, 30, 12).getTime();

const LANGUAGES = ['ar', 'en'] as const;

test.each(LANGUAGES)('there are at least sixty questions, each once and short enough to be asked (%s)', (language) => {
  const all = questions[language];
  expect(new Set(all).size).toBe(all.length);
  expect(all.length).toBeGreaterThanOrEqual(60);
  expect(all.filter((text) => text.length > LIMITS.text.prompt.max || !/[?؟]$/.test(text))).toEqual([]);
});

test.each(LANGUAGES)(
  'three questions stay for a day, and none returns before the others had theirs (%s)',
  (language) => {
    const of = (day: number, account = 7) => questionsOfDay(language, NOON + day * DAY_MS, account);
    expect(of(0)).toHaveLength(DAILY);
    expect(questionsOfDay(language, NOON + DAY_MS / 3, 7)).toEqual(of(0));
    expect(of(0, 8)).not.toEqual(of(0));
    const days = Math.floor(questions[language].length / DAILY);
    const asked = Array.from({ length: days }, (_, day) => of(day)).flat();
    expect(new Set(asked).size).toBe(days * DAILY);
  },
);
