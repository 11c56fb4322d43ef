import type { Language } from '../../i18n/index.js';
import questions from './daily-questions.json' with { type: 'json' };

const DAY_MS = 24 * 60 * 60 * 1000;
export const DAILY = 3;

/** Three for the day, others for each account: all have had their turn before one returns. */
export function questionsOfDay(language: Language, now: number, account: number): readonly string[] {
  const all = questions[language];
  const day = Math.floor((now - new Date(now).getTimezoneOffset() * 60_000) / DAY_MS);
  const start = ((day + account) % Math.floor(all.length / DAILY)) * DAILY;
  return all.slice(start, start + DAILY);
}
