import { describe, expect, test } from '@jest/globals';
import laterQuestions from '../../tests/data/later-questions.json' with { type: 'json' };
import questions from '../../tests/data/questions.json' with { type: 'json' };
import { knowledgeFor } from '../knowledge/index.js';
import { AutomaticMode } from './automatic-mode.js';

const knowledge = knowledgeFor('full');
const automaticMode = new AutomaticMode(knowledge);

/** Share of questions with the right answer. The lists were used for tuning, so this guards against regressions only. */
const MIN_SHARE = 0.95;

const report = (what: string, wrong: string[], total: number): void => {
  const lines = [`automatic mode: ${total - wrong.length} of ${total} ${what} answered correctly`];
  process.stdout.write([...lines, ...wrong.map((line) => `  ${line}`), ''].join('\n'));
};

const found = (question: string): string => automaticMode.find(question)?.id ?? 'nothing';

describe.each([
  ['first', questions],
  ['later', laterQuestions],
])('%s question list', (name, { answered, offTopic }) => {
  test('finds an entry for 95 of 100 questions about the product', () => {
    const asked = answered.flatMap(({ entries, questions: texts }) => texts.map((text) => ({ text, entries })));
    const wrong = asked
      .filter(({ text, entries }) => !entries.includes(found(text)))
      .map(({ text, entries }) => `expected ${entries.join(' or ')}, found ${found(text)}: ${text}`);
    report(`questions of the ${name} list`, wrong, asked.length);
    expect(asked.length).toBeGreaterThanOrEqual(100);
    expect(1 - wrong.length / asked.length).toBeGreaterThanOrEqual(MIN_SHARE);
  });

  test('finds no entry for 95 of 100 questions about other topics', () => {
    const wrong = offTopic
      .filter((text) => found(text) !== 'nothing')
      .map((text) => `expected nothing, found ${found(text)}: ${text}`);
    report(`off-topic questions of the ${name} list`, wrong, offTopic.length);
    expect(1 - wrong.length / offTopic.length).toBeGreaterThanOrEqual(MIN_SHARE);
  });
});

test.each(knowledge.flatMap(({ id, ar, en }) => [ar.question, en.question].map((question) => [question, id] as const)))(
  'the suggestion "%s" finds %s',
  (question, id) => {
    expect(found(question)).toBe(id);
  },
);

test.each([
  ['How do I dlete my account?', 'delete-account'],
  ['How do I get verfied?', 'verified-tick'],
  ['هل أستطيع إرسال صورة إلى المسعد؟', 'assistant-picture'],
])('a misspelt word is recognised: %s', (question, id) => expect(found(question)).toBe(id));

describe('an answer', () => {
  const answer = (
    question: string,
    { hasPicture = false, fallback = 'ar' }: { hasPicture?: boolean; fallback?: 'ar' | 'en' } = {},
  ): string => automaticMode.answer(question, { hasPicture, fallback });

  test('an automatic answer starts with the marker and ends with suggestions', () => {
    expect(answer('كيف أسجّل الخروج؟')).toMatch(/^المساعد يعمل الآن في الوضع التلقائي\. [\s\S]+\n\nقد يهمّك أيضًا:\n• /);
    expect(answer('How do I log out?')).toMatch(
      /^The assistant is working in automatic mode\. [\s\S]+\n\nYou may also ask:\n• /,
    );
  });

  test('an automatic answer suggests other plausible entries before related ones', () => {
    const [, suggestions = ''] = answer('بدي رد على وحدة من الرسائل').split('قد يهمّك أيضًا:');
    expect(suggestions.trim().split('\n')).toContain('• كيف أرى الردّ على رسالتي؟');
  });

  test('an unknown question gets plausible entries as suggestions, or else the most common ones', () => {
    const near = answer('لازم تسجيل دخول لمن اراد رؤية صفحتي؟');
    expect(near).toContain('لا أعرف');
    expect(near).toContain('• من يستطيع فتح صفحتي؟');
    const far = answer('will it rain tomorrow', { fallback: 'en' });
    expect(far).toContain("I don't know");
    expect(far).toContain('• What is Najwa?');
  });

  test('a single related question is suggested as well', () => {
    expect(answer('Is there a dark mode?')).toMatch(/\n\nYou may also ask:\n• How do I change the language\?$/);
  });

  test('an automatic answer says that it cannot see pictures', () => {
    expect(answer('', { hasPicture: true })).toContain('لا أستطيع رؤية الصور');
    expect(answer('', { hasPicture: true, fallback: 'en' })).toContain("can't see pictures");
    expect(answer('How do I log out?', { hasPicture: true })).toContain("can't see pictures");
  });
});
