import { ornament, ORNAMENT_PEN } from '@najwa/proto/ornament';
import type { TextDirection } from './text.js';

export interface Carpet {
  width: number;
  height: number;
  pen: number;
  /** Path data, as the others. */
  knots: string;
  dots: string;
  /** Threads where nothing is woven yet. */
  warp: string;
}

const WHOLE = { cell: 72, pen: ORNAMENT_PEN, threads: [0.125, 0.375, 0.625, 0.875] };
/** From afar one shape of each is seen. */
const FAR = { cell: 16, pen: 1.6, threads: [0.25, 0.75] };
const MOST_WHOLE = 40;
const WHOLE_MARGIN = 4;
const THREAD_MARGIN = 0.06;

/** Start around the middle, and path. */
const SHAPES = [
  [0, -6, 'l6 6-6 6-6-6z'],
  [-5, -5, 'h10v10h-10z'],
  [-5, 0, 'a5 5 0 1010 0 5 5 0 10-10 0z'],
  [0, -7, 'q0 7 7 7-7 0-7 7 0-7-7-7 7 0 7-7z'],
  [-4, -4, 'q4-4 8 0 4 4 0 8-4 4-8 0-4-4 0-8z'],
  [0, -4, 'l4 4-4 4-4-4z'],
] as const;
const SHAPE_BITS = 40n;
const DOT_BITS = 8n;

const round = (value: number): number => Math.round(value * 10) / 10;
const pair = (x: number, y: number): string => `${round(x)} ${round(y)}`;

const moved = (path: string, left: number, top: number): string =>
  path.replace(
    /([ML])(-?[\d.]+)[ ,]?(-?[\d.]+)/g,
    (_point, command: string, x: string, y: string) => command + pair(Number(x) + left, Number(y) + top),
  );

function drawFar(bits: string, x: number, y: number): { knot: string; dot: string } {
  const value = BigInt(`0x${bits}`);
  const [dx, dy, shape] = SHAPES[Number((value >> SHAPE_BITS) % BigInt(SHAPES.length))] ?? SHAPES[0];
  const half = (value >> DOT_BITS) % 2n === 0n ? 1 : 2;
  const dot = `l${half} ${half}-${half} ${half}-${half}-${half}z`;
  return { knot: `M${pair(x + dx, y + dy)}${shape}`, dot: `M${pair(x, y - half)}${dot}` };
}

/**
 * Whole rows and columns, so that no ornament is cropped.
 * @param ornaments of 16 hexadecimal digits each, first to last
 * @param ratio columns to rows: 6 for a banner, 0.5 for a story
 * @param direction of the rows
 */
export function carpet(ornaments: readonly string[], ratio: number, direction: TextDirection): Carpet {
  const count = ornaments.length;
  let [columns, rows] = [0, 0];
  for (let step = 1; columns * rows < Math.max(count, 1); step += 1)
    [columns, rows] = ratio >= 1 ? [Math.round(step * ratio), step] : [step, Math.round(step / ratio)];
  const { cell, pen, threads } = count > MOST_WHOLE ? FAR : WHOLE;
  const left = (index: number): number =>
    (direction === 'rtl' ? columns - 1 - (index % columns) : index % columns) * cell;
  const drawn = { knots: '', dots: '', warp: '' };
  for (const [index, bits] of ornaments.entries()) {
    const [x, y] = [left(index), Math.floor(index / columns) * cell];
    if (cell === FAR.cell) {
      const { knot, dot } = drawFar(bits, x + cell / 2, y + cell / 2);
      drawn.knots += knot;
      drawn.dots += dot;
    } else {
      const { d, accent } = ornament(bits);
      drawn.knots += moved(d, x + WHOLE_MARGIN, y + WHOLE_MARGIN);
      drawn.dots += moved(accent, x + WHOLE_MARGIN, y + WHOLE_MARGIN);
    }
  }
  for (let column = 0; column < columns; column += 1) {
    const woven = Math.floor(count / columns) + (column < count % columns ? 1 : 0);
    if (woven === rows) continue;
    for (const thread of threads)
      drawn.warp += `M${pair(left(column) + cell * thread, (woven + THREAD_MARGIN) * cell)}V${round((rows - THREAD_MARGIN) * cell)}`;
  }
  return { width: columns * cell, height: rows * cell, pen, ...drawn };
}

const PADDING = 0.12;
/** As tokens `violet-tint`, `on-violet-tint` and `rose-text`. */
const LIGHT = { ground: '#ece7ff', knots: '#4f2bdb', dots: '#e5316a' };
const DARK =
  '<style>@media(prefers-color-scheme:dark){rect{fill:#2c2456}path{stroke:#c3b5ff}.d{stroke:#ff6f98}}</style>';

/** In the proportions of `PICTURES.getCarpet`. */
export function carpetSvg({ width, height, pen, knots, dots, warp }: Carpet): string {
  const padding = Math.round(height * PADDING);
  const box = `${-padding} ${-padding} ${width + 2 * padding} ${height + 2 * padding}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}" fill="none" stroke-linecap="round" stroke-linejoin="round" stroke-width="${pen}">`,
    `${DARK}<rect fill="${LIGHT.ground}" x="${-padding}" y="${-padding}" width="100%" height="100%" rx="${2 * padding}"/>`,
    `<path stroke="${LIGHT.knots}" opacity="0.25" d="${warp}"/><path stroke="${LIGHT.knots}" d="${knots}"/>`,
    `<path class="d" stroke="${LIGHT.dots}" d="${dots}"/></svg>`,
  ].join('');
}
