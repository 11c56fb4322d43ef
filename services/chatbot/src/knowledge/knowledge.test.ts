import { describe, expect, test } from '@jest/globals';
import { instructionsFor } from '../answers/instructions.js';
import { knowledgeFor, phrasings } from './index.js';

const knowledge = knowledgeFor('full');

const ids = knowledge.map(({ id }) => id);

test('the knowledge has at least sixty entries with unique ids', () => {
  expect(ids.length).toBeGreaterThanOrEqual(60);
  expect(new Set(ids).size).toBe(ids.length);
});

test.each(['ar', 'en'] as const)('phrasings in %s belong to an entry and are unique', (language) => {
  expect(Object.keys(phrasings[language]).filter((id) => !ids.includes(id))).toEqual([]);
  const all = Object.values(phrasings[language]).flat();
  expect(all.filter((phrasing, at) => all.indexOf(phrasing) !== at)).toEqual([]);
});

describe.each(knowledge.map((entry) => [entry.id, entry] as const))('%s', (id, entry) => {
  test('an entry has a question, an answer and at least three phrasings in both languages', () => {
    for (const language of ['ar', 'en'] as const) {
      expect(entry[language].question.trim()).not.toBe('');
      expect(entry[language].answer.trim()).not.toBe('');
      expect(phrasings[language][id]?.length).toBeGreaterThanOrEqual(3);
    }
    expect(entry.ar.answer).toMatch(/\p{Script=Arabic}/u);
    expect(entry.en.answer).not.toMatch(/\p{Script=Arabic}/u);
  });

  test('an entry relates to existing entries other than itself', () => {
    for (const related of entry.related) expect(ids).toContain(related);
    expect(entry.related).not.toContain(id);
  });
});

// Threat model: admin-12.
test.each([
  ['coarse', /الشبكة من دون آخر عنوانها/, /network without the end of its address/],
  ['off', /لا يُحفظ مع الرسالة عنوان شبكي/, /No network address, browser, device/],
] as const)('says what a site keeps that tracks: %s', (tracking, arabic, english) => {
  const entries = knowledgeFor(tracking);
  expect(entries.map(({ id, ar, en }) => [id, ar.question, en.question])).toEqual(
    knowledge.map(({ id, ar, en }) => [id, ar.question, en.question]),
  );
  const kept = entries.find(({ id }) => id === 'what-is-kept');
  expect([kept?.ar.answer, kept?.en.answer]).toEqual([expect.stringMatching(arabic), expect.stringMatching(english)]);
  expect(instructionsFor([], tracking)).not.toMatch(/administrators can see technical data/);
});
