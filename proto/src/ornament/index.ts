/**
 * The ornament of a message: a drawing from 64 bits, deterministic.
 *
 * One crossing of the site's pattern in one pen: four places on the axes, four on the diagonals, a middle, a heart and, for
 * a third of them, a frame. Bowls are half circles, a nuqta is a tiny square on its corner. A quarter turn leaves it the
 * same, but for the one larger dot, which is the message's own. Bits are consumed by remainder and division in the order
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

/** Angles are radians, clockwise from the top. */
const at = (radius: number, angle: number): [number, number] => [
  C + radius * Math.sin(angle),
  C - radius * Math.cos(angle),
];

const ring = (x: number, y: number, r: number): string =>
  `M${join(x - r, y)}a${join(r, r, 0, 1, 0, 2 * r, 0)}a${join(r, r, 0, 1, 0, -2 * r, 0)}`;

const nuqta = (x: number, y: number, half: number): string =>
  `M${join(x, y - half)}l${join(half, half)} ${join(-half, half)} ${join(-half, -half)}z`;

const square = (half: number): string =>
  `M${join(C - half, C - half)}h${short(2 * half)}v${short(2 * half)}h${short(-2 * half)}z`;

/** The outline of two squares, one turned by an eighth. */
const star = (radius: number): string =>
  `M${Array.from({ length: 16 }, (_, point) => join(...at(point % 2 === 1 ? radius * 0.765 : radius, point * 22.5 * DEGREE))).join('L')}z`;

/** Around the point at `radius`. Opens outward, clockwise, inward or the other way: 0, 90, 180 or 270 degrees. */
function bowl(radius: number, angle: number, half: number, turn: number): string {
  const [x, y] = at(radius, angle);
  const [ux, uy] = [Math.cos(angle + turn * DEGREE) * half, Math.sin(angle + turn * DEGREE) * half];
  return `M${join(x - ux, y - uy)}a${join(half, half, 0, 0, 0, 2 * ux, 2 * uy)}`;
}

/** Along the radius, `lean` radians off it. */
function bar(radius: number, angle: number, half: number, lean = 0): string {
  const [x, y] = at(radius, angle);
  const [ux, uy] = [Math.sin(angle + lean) * half, -Math.cos(angle + lean) * half];
  return `M${join(x - ux, y - uy)}l${join(2 * ux, 2 * uy)}`;
}

/** Half a nuqta with its point outward, or inward. */
function vee(radius: number, angle: number, half: number, direction: 1 | -1): string {
  const [x, y] = at(radius + (direction * half) / 2, angle);
  const [p, q] = at(radius - (direction * half) / 2, angle);
  const [ux, uy] = [Math.cos(angle) * half, Math.sin(angle) * half];
  return `M${join(p - ux, q - uy)}L${join(x, y)}L${join(p + ux, q + uy)}`;
}

/** A part of a large circle, clockwise, in degrees. */
function arc(radius: number, from: number, to: number): string {
  const [x, y] = at(radius, from * DEGREE);
  const [p, q] = at(radius, to * DEGREE);
  return `M${join(x, y)}a${join(radius, radius, 0, 0, 1, p - x, q - y)}`;
}

const QUARTERS = [0, 90, 180, 270] as const;
const four = (draw: (angle: number) => string, offset = 0): string =>
  QUARTERS.map((turn) => draw((turn + offset) * DEGREE)).join('');
const fourArcs = (offset: number, gap: number): string =>
  QUARTERS.map((turn) => arc(29, turn + offset + gap, turn + offset + 90 - gap)).join('');

/** Half of the side: 10.8 and 6.8 across with the pen. */
const BIG = 3.1;
const SMALL = 1.1;

/** With each dot a shape, and radii: of the three small dots, and of the message's own. */
const DOTS = {
  bare: { shape: (_angle: number) => '', small: 26.6, own: 24.8 },
  nun: { shape: (angle: number) => bowl(20.6, angle, 6, 0), small: 27.4, own: 26 },
  wide: { shape: (angle: number) => bowl(18.4, angle, 9, 0), small: 25.4, own: 23.6 },
  arch: { shape: (angle: number) => bowl(22.6, angle, 6.6, 180), small: 18.8, own: 18.4 },
  vee: { shape: (angle: number) => vee(19.4, angle, 6.2, -1), small: 27, own: 25.6 },
};

const UNDER_ANY = ['bare', 'bare', 'bare', 'nun', 'arch', 'vee'] as const;
const UNDER_RING = ['bare', 'bare', 'nun', 'vee'] as const;
const UNDER_NONE = ['wide', 'wide', 'arch'] as const;

/** Shapes between the dots, by radius and size within a frame. */
const SHAPES = {
  out: (angle: number, radius = 25, size = 5.6) => bowl(radius, angle, size, 0),
  in: (angle: number, radius = 22.8, size = 5.8) => bowl(radius, angle, size, 180),
  cw: (angle: number, radius = 24, size = 5) => bowl(radius, angle, size, 90),
  ccw: (angle: number, radius = 24, size = 5) => bowl(radius, angle, size, 270),
  ring: (angle: number) => ring(...at(24.4, angle), 4.6),
  bar: (angle: number, radius = 23.6, size = 6.4) => bar(radius, angle, size - 1.4),
  veeOut: (angle: number, radius = 24.4, size = 6) => vee(radius, angle, size, 1),
  veeIn: (angle: number, radius = 24.4, size = 6) => vee(radius, angle, size, -1),
  left: (angle: number) => bar(24, angle, 5, -0.9),
  right: (angle: number) => bar(24, angle, 5, 0.9),
  none: () => '',
};
type Shape = keyof typeof SHAPES;
const AROUND = Object.keys(SHAPES) as Shape[];

/** Middles under bare dots. They know where the dots are: on the axes at 0 degrees, on the diagonals at 45. */
const WIDE: readonly ((offset: number) => string)[] = [
  () => '',
  () => ring(C, C, 12),
  () => nuqta(C, C, 14),
  () => square(9.6),
  () => star(13.6),
  (offset) => four((angle) => bowl(12.6, angle, 4.4, 0), offset),
  (offset) => four((angle) => bowl(9.6, angle, 4.4, 180), offset + 45),
  (offset) => four((angle) => bowl(11, angle, 4, 90), offset),
  (offset) => four((angle) => bowl(11, angle, 4, 270), offset),
  (offset) => four((angle) => nuqta(...at(12, angle), SMALL), offset + 45),
  (offset) => four((angle) => bar(11, angle, 3.2), offset),
  (offset) => four((angle) => vee(10.4, angle, 4.6, 1), offset),
  (offset) => four((angle) => vee(10.4, angle, 4.6, -1), offset),
];
const DOT = nuqta(C, C, BIG);
const SMALL_RING = ring(C, C, 4.4);
const NARROW = ['', ring(C, C, 7.6), nuqta(C, C, 8.4), square(5.8), star(8.2), DOT, SMALL_RING];
const UNDER_WIDE = ['', DOT, SMALL_RING, square(5.8), nuqta(C, C, 8.4)];
const HEART = ['', DOT, SMALL_RING];
/** By middle: nothing that closes up, no ring around a lone dot and four more. */
const HEARTS = [
  [0, 1, 2],
  [0],
  [0, 1],
  [0, 1],
  [0, 1],
  [0, 1],
  [0, 1],
  [0, 1],
  [0, 1],
  [1, 2],
  [0, 1, 2],
  [0, 1],
  [0, 1],
];

interface Frame {
  draw: (offset: number) => string;
  small: number;
  own: number;
  shapes: readonly Shape[];
  /** Of the shapes. */
  radius?: number;
  size?: number;
}

const FRAMED: readonly Shape[] = ['in', 'out', 'cw', 'ccw', 'bar', 'veeOut', 'veeIn'];
const FRAMES: readonly Frame[] = [
  { draw: (offset) => fourArcs(offset, 21), small: 28, own: 26.4, shapes: [...FRAMED, 'none'], radius: 17, size: 4.6 },
  { draw: (offset) => fourArcs(offset + 45, 9), small: 19.6, own: 18.4, shapes: FRAMED, radius: 18.4, size: 4.6 },
  { draw: () => ring(C, C, 29), small: 19.8, own: 18.4, shapes: FRAMED, radius: 18, size: 4.6 },
  { draw: (offset) => (offset > 0 ? square(25.6) : nuqta(C, C, 29)), small: 20.4, own: 18.6, shapes: ['none'] },
  { draw: (offset) => (offset > 0 ? nuqta(C, C, 29) : square(25.6)), small: 15, own: 13.6, shapes: ['none'] },
  { draw: () => star(29), small: 17, own: 15.6, shapes: ['none', 'bar', 'in'], radius: 14.6, size: 4.2 },
];
const CORE = ['', ring(C, C, 5), nuqta(C, C, 6.4), square(4.4), DOT];

export interface Ornament {
  /** All but the dot, for a round pen. */
  d: string;
  /** The message's own dot. */
  accent: string;
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

  const isFramed = take(3) === 0;
  const dotAt = take(8);
  const offset = dotAt % 2 === 1 ? 45 : 0;
  let d: string;
  let small: number;
  let own: number;
  // Dots that a shape holds do not need each other.
  let isAlone = false;
  if (isFramed) {
    const frame = pick(FRAMES);
    ({ small, own } = frame);
    const shape = pick(frame.shapes);
    // A ring around dots alone would be a die, or a ball.
    const core = pick(frame === FRAMES[4] ? [0] : shape === 'none' ? [1, 2, 3] : [0, 1, 2, 3, 4]);
    d = frame.draw(offset) + four((angle) => SHAPES[shape](angle, frame.radius, frame.size), offset + 45) + CORE[core]!;
  } else {
    const shape = pick(AROUND);
    const kind = pick(shape === 'none' ? UNDER_NONE : shape === 'ring' ? UNDER_RING : UNDER_ANY);
    ({ small, own } = DOTS[kind]);
    d = four(DOTS[kind].shape, offset) + four((angle) => SHAPES[shape](angle), offset + 45);
    if (kind === 'bare') {
      const middle = take(WIDE.length);
      d += WIDE[middle]!(offset) + HEART[pick(HEARTS[middle]!)]!;
    } else {
      d += pick(kind === 'wide' ? UNDER_WIDE : NARROW);
      isAlone = take(2) === 1;
    }
  }
  for (let turn = dotAt % 2; turn < 8; turn += 2)
    if (!isAlone && turn !== dotAt) d += nuqta(...at(small, turn * 45 * DEGREE), SMALL);
  // Only a bowl is half of a circle, drawn anticlockwise.
  const bowls = d.match(/a[\d.]+ [\d.]+ 0 0 0/g)?.length ?? 0;
  return { d, accent: nuqta(...at(own, dotAt * 45 * DEGREE), BIG), isFramed, bowls, dotAt };
}
