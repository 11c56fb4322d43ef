import { expect, test } from '@jest/globals';
import { BLOCK } from './blocks.js';
import { secureRandom } from './draw.js';
import { drawMelody } from './melody.js';

const MEAN = 150;
const BLOCKS = 400;
const SEMITONE = Math.log(2) / 12;

/** Mean change of each block in semitones over many draws, which cancel out. */
function meanChanges(hertzAt: (block: number) => number | undefined): number[] {
  const track = Array.from({ length: BLOCKS }, (_, block) => ({
    middle: block * BLOCK,
    hertz: hertzAt(block),
  })).flatMap(({ middle, hertz }) => (hertz === undefined ? [] : [{ middle, hertz }]));
  const drawn = Array.from({ length: 400 }, () => drawMelody({ track, mean: MEAN, blocks: BLOCKS }, secureRandom));
  return Array.from(
    { length: BLOCKS },
    (_, block) => drawn.reduce((sum, melody) => sum + Math.log(melody[block] ?? 0), 0) / drawn.length / SEMITONE,
  );
}

test('presses steps from the mean to 60 %, up and down', () => {
  const changes = meanChanges((block) => MEAN * 2 ** (block < 200 ? 5 / 12 : -5 / 12));
  expect(changes[100]).toBeCloseTo(-2, 0);
  expect(changes[300]).toBeCloseTo(2, 0);
});

test('goes on between voiced parts, and jumps nowhere', () => {
  const changes = meanChanges((block) =>
    block > 100 && block < 300 ? undefined : MEAN * 2 ** ((block < 200 ? 5 : -5) / 12),
  );
  expect(changes[200]).toBeCloseTo(0, 0);
  const steps = changes.slice(1).map((change, block) => Math.abs(change - (changes[block] ?? 0)));
  expect(Math.max(...steps)).toBeLessThan(0.5);
});

test('takes a pitch of the wrong octave for an error', () => {
  const changes = meanChanges((block) => (block % 100 < 3 ? MEAN / 2 : MEAN));
  expect(Math.max(...changes.map(Math.abs))).toBeLessThan(0.25);
});

test('draws another melody onto it, by up to a semitone', () => {
  const drawn = Array.from({ length: 20 }, () => drawMelody({ track: [], mean: MEAN, blocks: BLOCKS }, secureRandom));
  for (const melody of drawn) {
    const semitones = [...melody].map((factor) => Math.log(factor) / SEMITONE);
    expect(Math.max(...semitones.map(Math.abs))).toBeLessThanOrEqual(1);
    expect(Math.max(...semitones) - Math.min(...semitones)).toBeGreaterThan(0.3);
  }
  expect(new Set(drawn.map((melody) => melody.join())).size).toBe(20);
});
