import { ornament, ORNAMENT_BOX, ORNAMENT_PEN } from '@najwa/proto/ornament';
import type { TextDirection } from './text.js';

/** The dip in a message's upper edge, 76 wide, and the dot in it. */
const SCOOP = 'M0 0C11 0 15 4 20 9.5S30 18 38 18 51 15 56 9.5 65 0 76 0V-3H0Z';
const SCOOP_DOT = 'M35.9 0.1Q38 -2 40.1 0.1L42.9 2.9Q45 5 42.9 7.1L40.1 9.9Q38 12 35.9 9.9L33.1 7.1Q31 5 33.1 2.9Z';
const SCOOP_WIDTH = 76;
const SCOOP_SCALE = 2.6;

export const COLOURS = {
  ground: '#FBE3BB',
  surface: '#FFFFFF',
  ink: '#16132A',
  ink2: '#4B4763',
  onNight: '#FAF8F5',
  onNight2: '#BCB6D3',
  violet: '#6C47FF',
  rose: '#FF5C8A',
  onViolet: '#FFFFFF',
} as const;

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Corners of a shape, clockwise from the upper left. */
type Corners = readonly [number, number, number, number];

/** An outline with corners of different radii. */
export function outline({ x, y, width, height }: Box, [a, b, c, d]: Corners): string {
  return [
    `M${x + a} ${y}H${x + width - b}A${b} ${b} 0 0 1 ${x + width} ${y + b}`,
    `V${y + height - c}A${c} ${c} 0 0 1 ${x + width - c} ${y + height}`,
    `H${x + d}A${d} ${d} 0 0 1 ${x} ${y + height - d}V${y + a}A${a} ${a} 0 0 1 ${x + a} ${y}Z`,
  ].join('');
}

/** A solid thing with three round corners and a tail at the inline start. */
export function bubble(
  box: Box,
  direction: TextDirection,
  { radius, tail, at, fill }: { radius: number; tail: number; at: 'top' | 'bottom'; fill: string },
): string {
  const corner = direction === 'rtl' ? (at === 'top' ? 1 : 2) : at === 'top' ? 0 : 3;
  const corners = [radius, radius, radius, radius].with(corner, tail) as unknown as Corners;
  return `<path fill="${fill}" d="${outline(box, corners)}"/>`;
}

/** The dip of a message with its dot, near the inline end of the upper edge. */
export function scoop({ x, y, width }: Box, direction: TextDirection, inset: number): string {
  const left = direction === 'rtl' ? x + inset : x + width - inset - SCOOP_WIDTH * SCOOP_SCALE;
  return `<g transform="translate(${left} ${y}) scale(${SCOOP_SCALE})"><path fill="${COLOURS.ground}" d="${SCOOP}"/><path fill="${COLOURS.violet}" d="${SCOOP_DOT}"/></g>`;
}

/** The ornament of a message, which stands for it where an avatar would. */
export function messageOrnament(x: number, y: number, size: number, bits: string): string {
  const { d, accent } = ornament(bits);
  const pen = `fill="none" stroke-width="${ORNAMENT_PEN}" stroke-linecap="round" stroke-linejoin="round"`;
  return `<g transform="translate(${x} ${y}) scale(${size / ORNAMENT_BOX})" ${pen}><path stroke="${COLOURS.ink2}" d="${d}"/><path stroke="${COLOURS.rose}" d="${accent}"/></g>`;
}

/** Backgrounds and letters of avatars without a picture, by the account's id. */
const TINTS = [
  ['#ECE7FF', '#4F2BDB'],
  ['#FFE4EC', '#A8164A'],
  ['#FCEBCB', '#6E4600'],
  ['#D9F2E7', '#0B6047'],
  ['#6C47FF', '#FFFFFF'],
  ['#16132A', '#F6F3FF'],
] as const;
const ROUND = 0.5;
const SQUARE = 0.14;
/** The square corner by the account's id: end-start, start-start, end-end, start-end, as the client has it. */
const SQUARE_CORNERS = { ltr: [3, 0, 2, 1], rtl: [2, 1, 3, 0] } as const;

/** The outline and the colours of an account's avatar. */
export function avatarShape(x: number, y: number, size: number, id: number, direction: TextDirection) {
  const corner = SQUARE_CORNERS[direction][id % 4] ?? 3;
  const corners = Array.from({ length: 4 }, (_, index) => size * (index === corner ? SQUARE : ROUND));
  const [fill, letter] = TINTS[id % TINTS.length] ?? TINTS[0];
  return { path: outline({ x, y, width: size, height: size }, corners as unknown as Corners), fill, letter };
}
