import { describe, expect, test } from '@jest/globals';
import { knowledge } from './index.js';
import { PHRASED_ENTRY_IDS, phrasingsOf } from './phrasings/index.js';

const ids = knowledge.map(({ id }) => id);

test('has at least sixty entries, each with an id of its own', () => {
  expect(ids.length).toBeGreaterThanOrEqual(60);
  expect(new Set(ids).size).toBe(ids.length);
});

test('asks further for entries that exist, and never twice in the same words', () => {
  expect(PHRASED_ENTRY_IDS.filter((id) => !ids.includes(id))).toEqual([]);
  const phrasings = PHRASED_ENTRY_IDS.flatMap(phrasingsOf);
  expect(phrasings.filter((phrasing, at) => phrasings.indexOf(phrasing) !== at)).toEqual([]);
});

describe.each(knowledge.map((entry) => [entry.id, entry] as const))('%s', (id, entry) => {
  test('is written in Arabic and in English', () => {
    for (const { question, also, answer } of [entry.ar, entry.en]) {
      expect(question.trim()).not.toBe('');
      expect(answer.trim()).not.toBe('');
      expect(also.length).toBeGreaterThanOrEqual(3);
    }
    expect(entry.ar.answer).toMatch(/\p{Script=Arabic}/u);
    expect(entry.en.answer).not.toMatch(/\p{Script=Arabic}/u);
  });

  test('names only entries that exist to go on with, and not itself', () => {
    for (const related of entry.related) expect(ids).toContain(related);
    expect(entry.related).not.toContain(id);
  });
});
