import { describe, expect, test } from '@jest/globals';
import { FOREIGN, QUESTIONS } from '../../tests/questions.js';
import { knowledge } from '../knowledge/index.js';
import { createAutomaticMode } from './automatic-mode.js';

const automaticMode = createAutomaticMode(knowledge);

/** Of what is asked, so much gets what it should. */
const AIM = 0.9;

const report = (what: string, wrong: string[], total: number): void => {
  process.stdout.write([`automatic mode: ${total - wrong.length} of ${total} ${what} answered rightly`, ...wrong.map((line) => `  ${line}`), ''].join('\n'));
};

const foundFor = (question: string): string => automaticMode.find(question)?.id ?? 'nothing';

describe('what people ask', () => {
  test('gets the entry that answers it, in 90 of 100 questions', () => {
    const wrong = QUESTIONS.filter(([question, expected]) => foundFor(question) !== expected).map(([question, expected]) => `not ${expected}, but ${foundFor(question)}: ${question}`);
    report('questions', wrong, QUESTIONS.length);
    expect(QUESTIONS.length).toBeGreaterThanOrEqual(100);
    expect(1 - wrong.length / QUESTIONS.length).toBeGreaterThanOrEqual(AIM);
  });

  test('is said to be unknown when it is about something else, in 90 of 100 questions', () => {
    const wrong = FOREIGN.filter((question) => foundFor(question) !== 'nothing').map((question) => `not nothing, but ${foundFor(question)}: ${question}`);
    report('questions about something else', wrong, FOREIGN.length);
    expect(1 - wrong.length / FOREIGN.length).toBeGreaterThanOrEqual(AIM);
  });
});

describe('an answer', () => {
  test('begins with the marker, and goes on with what is asked next', () => {
    expect(automaticMode.answer('كيف أسجّل الخروج؟', { hasPicture: false, language: 'ar' })).toMatch(/^المساعد يعمل الآن في الوضع التلقائي\. [\s\S]+\n\nقد يهمّك أيضًا:\n• /);
    expect(automaticMode.answer('How do I log out?', { hasPicture: false, language: 'ar' })).toMatch(/^The assistant is working in automatic mode\. [\s\S]+\n\nYou may also ask:\n• /);
  });

  test('says that a picture cannot be seen', () => {
    expect(automaticMode.answer('', { hasPicture: true, language: 'ar' })).toContain('لا أستطيع رؤية الصور');
    expect(automaticMode.answer('', { hasPicture: true, language: 'en' })).toContain("can't see pictures");
    expect(automaticMode.answer('How do I log out?', { hasPicture: true, language: 'ar' })).toContain("can't see pictures");
  });
});
