/**
 * The ornament of a message: a drawing from 64 bits, deterministic.
 *
 * Eight places on a ring, filled with the shapes of the letter ن in one pen: bowls are half circles with round ends,
 * rings are circles, a nuqta is a tiny square on its corner. Bits are consumed by remainder and division in the order
 * of `ornament`. That order must never change: earlier drawings depend on it.
 */

/** In the box of 64. */
export const ORNAMENT_PEN = 4.6;
/** Side. */
export const ORNAMENT_BOX = 64;

const C = ORNAMENT_BOX / 2;
const DEGREE = Math.PI / 180;

const short = (value: number): string =>
  String(Math.round(value * 10) / 10)
    .replace(/^(-?)0\./, '$1.')
    .replace(/^-0$/, '0');

/** As tightly as path data allows. */
const join = (...values: number[]): string =>
  values.map(short).reduce((all, next) => (next.startsWith('-') || all === '' ? all + next : `${all} ${next}`), '');

const at = (radius: number, angle: number): [number, number] => [
  C + radius * Math.sin(angle),
  C - radius * Math.cos(angle),
];

const ring = (x: number, y: number, r: number): string =>
  `M${join(x - r, y)}a${join(r, r, 0, 1, 0, 2 * r, 0)}a${join(r, r, 0, 1, 0, -2 * r, 0)}`;

const nuqta = (x: number, y: number, half: number): string =>
  `M${join(x, y - half)}l${join(half, half)} ${join(-half, half)} ${join(-half, -half)}z`;

/** Half a circle around the point at `radius`. 1 opens outward, -1 inward. */
function bowl(radius: number, angle: number, half: number, direction: 1 | -1): string {
  const [x, y] = at(radius, angle);
  const [ux, uy] = [Math.cos(angle) * half, Math.sin(angle) * half];
  return `M${join(x - ux, y - uy)}a${join(half, half, 0, 0, direction > 0 ? 0 : 1, 2 * ux, 2 * uy)}`;
}

/** Clockwise, in degrees. */
function arc(radius: number, from: number, to: number): string {
  const [x, y] = at(radius, from * DEGREE);
  const [p, q] = at(radius, to * DEGREE);
  return `M${join(x, y)}a${join(radius, radius, 0, to - from > 180 ? 1 : 0, 1, p - x, q - y)}`;
}

const four = (draw: (angle: number) => string, offset: number): string =>
  [0, 1, 2, 3].map((turn) => draw(turn * 90 + offset)).join('');

/** Half of the side: 10.8 and 6.8 across with the pen. */
const BIG = 3.1;
const SMALL = 1.1;

type Kind = 'out' | 'in' | 'big' | 'small' | 'ring';

/**
 * Radius and size by cut of the ring: full (both kinds), spare (one kind, larger), framed (nearer the centre). Spare
 * rings have no small nuqtas.
 */
const SETS = {
  full: { out: [25.4, 5.8], in: [21.8, 5.8], big: [24.6, BIG], small: [25.6, SMALL], ring: [24.4, 4.6] },
  spare: { out: [25.6, 8.4], in: [20.2, 7.8], big: [23, BIG], small: [23, SMALL], ring: [22.8, 6] },
  framed: { out: [18.4, 4.6], in: [15.4, 4.6], big: [17.4, 2.1], small: [17.6, SMALL], ring: [16.8, 3.6] },
} as const satisfies Record<string, Record<Kind, readonly [number, number]>>;

function place(kind: Kind, angle: number, set: keyof typeof SETS): string {
  const [radius, size] = SETS[set][kind];
  if (kind === 'out') return bowl(radius, angle, size, 1);
  if (kind === 'in') return bowl(radius, angle, size, -1);
  const [x, y] = at(radius, angle);
  return kind === 'ring' ? ring(x, y, size) : nuqta(x, y, size);
}

type Pair = readonly [axis: Kind | '', diagonal: Kind | ''];

/** Never both empty, never a kind that closes up at 24 px. */
const PAIRS: readonly Pair[] = [
  ['out', 'small'],
  ['out', 'big'],
  ['out', 'out'],
  ['out', 'ring'],
  ['in', 'small'],
  ['in', 'in'],
  ['in', 'big'],
  ['big', 'small'],
  ['big', 'out'],
  ['big', 'in'],
  ['ring', 'small'],
  ['ring', 'out'],
  ['small', 'in'],
  ['small', 'out'],
  ['out', ''],
  ['in', ''],
  ['', 'out'],
  ['', 'in'],
  ['', 'ring'],
  ['big', 'ring'],
];

const PAIRS_FRAMED: readonly Pair[] = [
  ['out', ''],
  ['in', ''],
  ['', 'out'],
  ['', 'in'],
  ['ring', ''],
  ['', 'ring'],
  ['big', 'small'],
  ['small', 'big'],
];

interface Part {
  draw: () => string;
  bowls?: number;
}

const MIDDLE: readonly Part[] = [
  { draw: () => '' },
  { draw: () => four((angle) => nuqta(...at(13, angle * DEGREE), SMALL), 45) },
  { draw: () => four((angle) => nuqta(...at(13, angle * DEGREE), SMALL), 0) },
  { draw: () => four((angle) => bowl(14.4, angle * DEGREE, 4, 1), 0), bowls: 4 },
  { draw: () => four((angle) => bowl(10.6, angle * DEGREE, 4, -1), 45), bowls: 4 },
  { draw: () => ring(C, C, 13) },
  { draw: () => arc(13, 100, 260) },
  { draw: () => arc(13, 10, 170) + arc(13, 190, 350) },
];

/** One dot, a ring, two dots (ت), three (ث), the letter ن, nothing. */
const HEART: readonly Part[] = [
  { draw: () => nuqta(C, C, BIG) },
  { draw: () => ring(C, C, 5) },
  { draw: () => nuqta(C - 4.8, C, SMALL) + nuqta(C + 4.8, C, SMALL) },
  { draw: () => nuqta(C - 4.6, C + 2.4, SMALL) + nuqta(C + 4.6, C + 2.4, SMALL) + nuqta(C, C - 3.4, SMALL) },
  { draw: () => `M${join(C - 6, C)}a${join(6, 6, 0, 0, 0, 12, 0)}${nuqta(C, C - 4.6, SMALL)}`, bowls: 1 },
  { draw: () => '' },
];

/** Without faces (two dots over a bowl), crosses, or shapes that close up. */
const HEARTS: readonly (readonly number[])[] = [
  [0, 1, 2, 3, 4],
  [0, 1, 4, 5],
  [0, 1, 3, 5],
  [0, 5],
  [0, 5],
  [0, 1, 3, 5],
  [0, 4],
  [0, 1, 3, 4],
];
const HEARTS_FRAMED: readonly number[] = [0, 1, 3];

const FRAME: readonly (() => string)[] = [
  () => ring(C, C, 29),
  () => arc(29, 78, 282),
  () => arc(29, 14, 166) + arc(29, 194, 346),
  () => four((angle) => arc(29, angle + 13, angle + 77), 0),
  () => four((angle) => arc(29, angle + 13, angle + 77), 45),
  () => arc(29, 104, 256) + arc(29, -76, 76),
];

/** Dots along the axes under shapes on the axes would form a cross. */
function middlesFor(isFramed: boolean, diagonal: Kind | '', set: keyof typeof SETS): readonly number[] {
  if (isFramed) return [0];
  if (diagonal === '') return [0, 1, 4, 5, 6, 7];
  return set === 'spare' ? [0, 2, 3, 5, 6, 7] : [0, 1, 3, 4, 5, 6, 7];
}

export interface Ornament {
  /** All but the dot, for a round pen. */
  d: string;
  /** The message's own dot. */
  accent: string;
  /** An outer ring, whole or in parts. */
  isFramed: boolean;
  bowls: number;
  /** Eighths of a turn, clockwise from the top. */
  dotAt: number;
}

/** @param bits 16 hexadecimal digits */
export function ornament(bits: string): Ornament {
  let left = BigInt.asUintN(64, BigInt(`0x${bits}`));
  const take = (choices: number): number => {
    const chosen = Number(left % BigInt(choices));
    left /= BigInt(choices);
    return chosen;
  };
  const pick = <T>(choices: readonly T[]): T => choices[take(choices.length)]!;

  const isFramed = take(4) === 0;
  const [axis, diagonal] = pick(isFramed ? PAIRS_FRAMED : PAIRS);
  const set = isFramed ? 'framed' : axis !== '' && diagonal !== '' ? 'full' : 'spare';
  const middle = pick(middlesFor(isFramed, diagonal, set));
  const heart = pick(isFramed ? HEARTS_FRAMED : HEARTS[middle]!);
  const frame = take(isFramed ? FRAME.length : 1);
  const dotAt = take(8);
  const kindAt = (turn: number) => (turn % 2 === 1 ? diagonal : axis);
  // A spare ring without a centre cannot lose a place.
  const isBare = set === 'spare' && middle === 0;
  const held = isBare
    ? []
    : [1, 2, 3, 4, 5, 6, 7].map((step) => (dotAt + step) % 8).filter((turn) => kindAt(turn) !== '');
  // The last choice is none.
  const resting = held[take(held.length + 1)] ?? -1;

  let d = isFramed ? FRAME[frame]!() : '';
  let bowls = (MIDDLE[middle]!.bowls ?? 0) + (HEART[heart]!.bowls ?? 0);
  for (let turn = 0; turn < 8; turn += 1) {
    const kind = kindAt(turn);
    if (kind === '' || turn === dotAt || turn === resting) continue;
    d += place(kind, turn * 45 * DEGREE, set);
    if (kind === 'out' || kind === 'in') bowls += 1;
  }
  d += MIDDLE[middle]!.draw() + HEART[heart]!.draw();
  const [radius, half] = SETS[set].big;
  return { d, accent: nuqta(...at(radius, dotAt * 45 * DEGREE), half), isFramed, bowls, dotAt };
}
