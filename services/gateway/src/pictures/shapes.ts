import { GROUND_COLOURS, type Ground } from '@najwa/proto/http/client';
import { ornament, ORNAMENT_BOX, ORNAMENT_PEN } from '@najwa/proto/ornament';
import type { Carpet } from './carpet.js';
import type { TextDirection } from './text.js';

/** The dip in a message's upper edge, 76 wide, with its dot. */
const SCOOP = 'M0 0C11 0 15 4 20 9.5S30 18 38 18 51 15 56 9.5 65 0 76 0Z';
const SCOOP_DOT = 'M35.9 0.1Q38 -2 40.1 0.1L42.9 2.9Q45 5 42.9 7.1L40.1 9.9Q38 12 35.9 9.9L33.1 7.1Q31 5 33.1 2.9Z';
const SCOOP_WIDTH = 76;
const SCOOP_SCALE = 2.6;

/** On cards, white on every ground. */
export const COLOURS = {
  surface: '#FFFFFF',
  ink: '#16132A',
  ink2: '#4B4763',
  violet: '#6C47FF',
  rose: '#FF5C8A',
  tint: '#ECE7FF',
  onTint: '#4F2BDB',
} as const;

export interface Palette {
  ground: string;
  ink: string;
  soft: string;
  mark: string;
  dot: string;
  plate: string;
  onPlate: string;
  answer: string;
  onAnswer: string;
  ornament: string;
  ornamentDot: string;
}

const LIGHT = {
  ink: COLOURS.ink,
  mark: COLOURS.violet,
  plate: COLOURS.ink,
  onPlate: '#FAF8F5',
  answer: COLOURS.violet,
  onAnswer: '#FFFFFF',
};
const inOneTone = (tone: string) => ({ ornament: tone, ornamentDot: tone });

export const PALETTES: Readonly<Record<Ground, Palette>> = {
  cream: { ...GROUND_COLOURS.cream, ...LIGHT, dot: '#FF5C8A', ...inOneTone('#F4D69A') },
  night: {
    ...GROUND_COLOURS.night,
    ink: '#F6F3FF',
    mark: '#8A6CFF',
    dot: '#FF6F98',
    plate: '#F6F3FF',
    onPlate: '#16132A',
    answer: '#6C47FF',
    onAnswer: '#FFFFFF',
    ...inOneTone('#221E3D'),
  },
  violet: {
    ...GROUND_COLOURS.violet,
    ink: '#FFFFFF',
    mark: '#FFFFFF',
    dot: '#F5B94A',
    plate: '#FFFFFF',
    onPlate: '#16132A',
    answer: '#16132A',
    onAnswer: '#F6F3FF',
    ...inOneTone('#5B35F0'),
  },
  rose: { ...GROUND_COLOURS.rose, ...LIGHT, dot: '#E5316A', ...inOneTone('#FFBCCE') },
  mint: { ...GROUND_COLOURS.mint, ...LIGHT, dot: '#E5316A', ...inOneTone('#A9DEC7') },
  own: { ...GROUND_COLOURS.own, ...LIGHT, dot: '#FF5C8A', ornament: '#D3C8FF', ornamentDot: '#FFC2D3' },
};

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Clockwise from the upper left. */
type Corners = readonly [number, number, number, number];

export function outline({ x, y, width, height }: Box, [a, b, c, d]: Corners): string {
  return [
    `M${x + a} ${y}H${x + width - b}A${b} ${b} 0 0 1 ${x + width} ${y + b}`,
    `V${y + height - c}A${c} ${c} 0 0 1 ${x + width - c} ${y + height}`,
    `H${x + d}A${d} ${d} 0 0 1 ${x} ${y + height - d}V${y + a}A${a} ${a} 0 0 1 ${x + a} ${y}Z`,
  ].join('');
}

export function bubble(
  box: Box,
  direction: TextDirection,
  { radius, tail, at, fill }: { radius: number; tail: number; at: 'top' | 'bottom'; fill: string },
): string {
  const corner = direction === 'rtl' ? (at === 'top' ? 1 : 2) : at === 'top' ? 0 : 3;
  const corners = [radius, radius, radius, radius].with(corner, tail) as unknown as Corners;
  return `<path fill="${fill}" d="${outline(box, corners)}"/>`;
}

export function scoop({ x, y, width }: Box, direction: TextDirection, inset: number, colours: Palette): string {
  const left = direction === 'rtl' ? x + inset : x + width - inset - SCOOP_WIDTH * SCOOP_SCALE;
  return `<g transform="translate(${left} ${y}) scale(${SCOOP_SCALE})"><path fill="${colours.ground}" d="${SCOOP}"/><path fill="${colours.dot}" d="${SCOOP_DOT}"/></g>`;
}

export function photo(box: Box, direction: TextDirection, href: string): string {
  const shape = bubble(box, direction, { radius: 32, tail: 10, at: 'bottom', fill: '#000' });
  const { x, y, width, height } = box;
  return `<clipPath id="photo">${shape}</clipPath><image clip-path="url(#photo)" x="${x}" y="${y}" width="${width}" height="${height}" preserveAspectRatio="xMidYMid slice" href="${href}"/>`;
}

const PLAY_SIDE = 128;
const BAR_WIDTH = 9;

/** From left to right in both languages. */
export function waveform({ x, y, width, height }: Box, bars: readonly number[]): string {
  const start = x + PLAY_SIDE + 36 + BAR_WIDTH / 2;
  const step = (x + width - BAR_WIDTH / 2 - start) / (bars.length - 1);
  const d = bars.map((bar, index) => {
    const half = (bar * height) / 200 - BAR_WIDTH / 2;
    return `M${(start + index * step).toFixed(1)} ${y + height / 2 - half}v${2 * half}`;
  });
  const play = { x, y: y + (height - PLAY_SIDE) / 2, width: PLAY_SIDE, height: PLAY_SIDE };
  const look = { radius: PLAY_SIDE / 2, tail: 18, at: 'bottom', fill: COLOURS.violet } as const;
  return `${bubble(play, 'ltr', look)}<path fill="#FFFFFF" transform="translate(${x + 38} ${play.y + 34}) scale(2.5)" d="M6.8 5.2Q6 4.7 6 5.7V20.3Q6 21.3 6.8 20.8L18.4 13.6Q19.4 13 18.4 12.4Z"/><path fill="none" stroke="${COLOURS.violet}" stroke-width="${BAR_WIDTH}" stroke-linecap="round" d="${d.join('')}"/>`;
}

export function messageOrnament(
  { x, y, size }: { x: number; y: number; size: number },
  bits: string,
  colour: string,
  dotColour: string,
): string {
  const { d, accent } = ornament(bits);
  const pen = `fill="none" stroke-width="${ORNAMENT_PEN}" stroke-linecap="round" stroke-linejoin="round"`;
  return `<g transform="translate(${x} ${y}) scale(${size / ORNAMENT_BOX})" ${pen}><path stroke="${colour}" d="${d}"/><path stroke="${dotColour}" d="${accent}"/></g>`;
}

export function carpetGround(
  { x, y, width }: Omit<Box, 'height'>,
  { knots, dots, warp, pen, width: loom }: Carpet,
  { ornament: colour, ornamentDot }: Pick<Palette, 'ornament' | 'ornamentDot'>,
): string {
  const look = `fill="none" stroke-width="${pen}" stroke-linecap="round" stroke-linejoin="round"`;
  return `<g transform="translate(${x} ${y}) scale(${width / loom})" ${look}><path stroke="${colour}" opacity="0.4" d="${warp}"/><path stroke="${colour}" d="${knots}"/><path stroke="${ornamentDot}" d="${dots}"/></g>`;
}

/** The site's sign without its dot, in a box of 64. */
export const BOWL =
  'M7.01 24.83A26 26 0 0 0 32 58L52.5 58.00Q58 58.00 58 52.50L58.00 26.00A3.78 3.78 0 0 0 50.49 25.15A18.5 18.5 0 0 1 13.51 25.15A3.26 3.26 0 0 0 7.01 24.83Z';
const DOT =
  'M29.6 -12.1Q32 -14.5 34.4 -12.1L37.6 -8.9Q40 -6.5 37.6 -4.1L34.4 -0.9Q32 1.5 29.6 -0.9L26.4 -4.1Q24 -6.5 26.4 -8.9Z';
/** The face in the bowl, centred, and the gap around it. */
const FACE = 'M0-16A16 16 0 0 1 0 16H-12A4 4 0 0 1-16 12V0A16 16 0 0 1 0-16Z';
const RIM = 'M0-18.4A18.4 18.4 0 0 1 0 18.4H-13A5.4 5.4 0 0 1-18.4 13V0A18.4 18.4 0 0 1 0-18.4Z';
const FACE_X = 32;
const FACE_Y = 23.6;

const TINTS = [
  [COLOURS.tint, COLOURS.onTint],
  ['#FFE4EC', '#A8164A'],
  ['#FCEBCB', '#6E4600'],
  ['#D9F2E7', '#0B6047'],
  ['#6C47FF', '#FFFFFF'],
  ['#16132A', '#F6F3FF'],
] as const;

/** @param avatar a data URL, or draws a letter around a middle at the given size */
export function bowlWithFace(
  { x, y, scale }: { x: number; y: number; scale: number },
  accountId: number,
  avatar: string | ((middle: number, baseline: number, size: number, fill: string) => string),
  colours: Palette,
): string {
  const [tint, letter] = TINTS[accountId % TINTS.length] ?? TINTS[0];
  const isPicture = typeof avatar === 'string';
  const picture = isPicture
    ? `<clipPath id="face"><path d="${FACE}"/></clipPath><image clip-path="url(#face)" x="-16" y="-16" width="32" height="32" preserveAspectRatio="xMidYMid slice" href="${avatar}"/>`
    : '';
  const face = `<path fill="${colours.ground}" d="${RIM}"/><path fill="${tint}" d="${FACE}"/>${picture}`;
  const sign = `<g transform="translate(${x} ${y}) scale(${scale})"><path fill="${colours.mark}" d="${BOWL}"/><g transform="translate(${FACE_X} ${FACE_Y})">${face}</g><path fill="${colours.dot}" d="${DOT}"/></g>`;
  if (isPicture) return sign;
  return sign + avatar(x + FACE_X * scale, y + (FACE_Y + 6.4) * scale, 18 * scale, letter);
}
