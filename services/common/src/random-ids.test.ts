import { expect, test } from '@jest/globals';
import { createTimedIds, randomId, startOfMinuteIds } from './random-ids.js';

const MINUTE_MS = 60_000;

test('timed ids are in the order of time, and those of one owner in the order of being given', () => {
  let time = Date.UTC(2026, 10, 26);
  const idFor = createTimedIds(() => time);
  const first = [idFor('one'), idFor('one'), idFor('one')];
  expect(first).toEqual(first.toSorted((a, b) => a - b));
  time += MINUTE_MS;
  expect(idFor('other')).toBeGreaterThan(first[2] ?? 0);
  expect(idFor('one')).toBeGreaterThan(first[2] ?? 0);
});

// Threat model: owner-10.
test('timed ids of one owner do not follow from those of others', () => {
  const time = Date.UTC(2026, 10, 26);
  /** @param others ids of others between two of one owner */
  const stepsAmong = (others: number): number[] => {
    const idFor = createTimedIds(() => time);
    return Array.from({ length: 50 }, () => {
      const before = idFor('one');
      for (let given = 0; given < others; given += 1) idFor('other');
      return idFor('one') - before;
    });
  };
  const steps = stepsAmong(20);
  expect(new Set(steps).size).toBeGreaterThan(25);
  expect(Math.max(...steps)).toBeLessThan(2 * Math.max(...stepsAmong(0)));
});

test('a minute has a first id, and a clock of another process gives none before it', () => {
  const time = Date.UTC(2026, 10, 26, 12, 30, 59, 999);
  const before = createTimedIds(() => time - MINUTE_MS)('one');
  const [id, other] = [createTimedIds(() => time)('one'), createTimedIds(() => time - 59_999)('two')];
  expect(startOfMinuteIds(id)).toBe(startOfMinuteIds(other));
  expect(before).toBeLessThan(startOfMinuteIds(id));
});

test('ids without a time follow from none before', () => {
  const ids = Array.from({ length: 20 }, randomId);
  const steps = ids.slice(1).map((id, index) => Math.abs(id - (ids[index] ?? 0)));
  expect(Math.min(...steps)).toBeGreaterThan(1_000);
});

test('ids are above those of counters, and addresses and event streams take them', () => {
  const ids = [
    randomId(),
    createTimedIds(() => Date.UTC(2026, 10, 26))('one'),
    createTimedIds(() => Date.UTC(2050, 0))(1),
  ];
  for (const id of ids) expect(String(id)).toMatch(/^[1-9]\d{0,14}$/);
  expect(ids[1]).toBeGreaterThan(10 ** 12);
});
