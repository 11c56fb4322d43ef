import { describe, expect, test } from '@jest/globals';
import { FOREIGN, QUESTIONS } from '../../tests/questions.js';
import { knowledge } from '../knowledge/index.js';
import { createAutomaticMode } from './automatic-mode.js';

const automaticMode = createAutomaticMode(knowledge);

describe('a question as people write it', () => {
  test('gets the entry that answers it, in at least 90 of 100', () => {
    const missed = QUESTIONS.filter(([question, expected]) => automaticMode.find(question)?.id !== expected);
    process.stdout.write(`automatic mode: ${QUESTIONS.length - missed.length} of ${QUESTIONS.length} questions answered rightly\n`);
    for (const [question, expected] of missed) process.stdout.write(`  not ${expected}, but ${automaticMode.find(question)?.id ?? 'nothing'}: ${question}\n`);
    expect(QUESTIONS).toHaveLength(100);
    expect(missed.length).toBeLessThanOrEqual(10);
  });

  test.each(FOREIGN)('is not answered when it is about something else: %s', (question) => {
    expect(automaticMode.find(question)).toBeNull();
  });
});

describe('an answer', () => {
  test('begins with the marker, and goes on with what is asked next', () => {
    expect(automaticMode.answer('كيف أسجّل الخروج؟', { hasPicture: false })).toMatch(/^المساعد يعمل الآن في الوضع التلقائي\. [\s\S]+\n\nقد يهمّك أيضًا:\n• /);
    expect(automaticMode.answer('How do I log out?', { hasPicture: false })).toMatch(/^The assistant is working in automatic mode\. [\s\S]+\n\nYou may also ask:\n• /);
  });

  test('says that a picture cannot be seen', () => {
    expect(automaticMode.answer('', { hasPicture: true })).toContain('لا أستطيع رؤية الصور');
    expect(automaticMode.answer('How do I log out?', { hasPicture: true })).toContain("can't see pictures");
  });
});
