import { encode } from 'uqr';
import { BOWL, COLOURS } from './shapes.js';

/** Required by cameras. */
const QUIET = 4;
const SIGN_PART = 0.2;
const DOT =
  'M29.15 7.85Q32.00 5.00 34.85 7.85L38.65 11.65Q41.50 14.50 38.65 17.35L34.85 21.15Q32.00 24.00 29.15 21.15L25.35 17.35Q22.50 14.50 25.35 11.65Z';
const SIGN_SIZE = 64;

const EYE = 7;
/** Share of its side. Rounder eyes were missed by a reader. */
const CORNER = 0.2;
const TAIL = 0.05;

function bubble(x: number, y: number, side: number, inset: number): string {
  const [round, tail] = [CORNER, TAIL].map((part) => Math.max(0.2, part * EYE - inset)) as [number, number];
  const arc = (radius: number, dx: number, dy: number) => `a${radius} ${radius} 0 0 1 ${dx * radius} ${dy * radius}`;
  return (
    `M${x + round} ${y}h${side - 2 * round}${arc(round, 1, 1)}v${side - round - tail}${arc(tail, -1, 1)}` +
    `h${tail + round - side}${arc(round, -1, -1)}v${2 * round - side}${arc(round, 1, -1)}z`
  );
}

/** Widths stay one and three modules, the proportion that cameras look for. */
const eye = (x: number, y: number): string =>
  [0, 1, 2].map((inset) => bubble(x + inset, y + inset, EYE - 2 * inset, inset)).join('');

/**
 * Inside of an SVG element.
 * @returns the side in modules, quiet zone included
 */
export function drawCode(address: string): { side: number; content: string } {
  // Level Q tolerates a quarter; the sign covers a twenty-fifth.
  const { size, data } = encode(address, { ecc: 'Q', border: 0 });
  const signSide = Math.round(size * SIGN_PART) | 1;
  const from = (size - signSide) / 2;
  const isFree = (x: number, y: number): boolean =>
    x >= from && x < from + signSide && y >= from && y < from + signSide;
  const isEye = (x: number, y: number): boolean =>
    (x < EYE || x >= size - EYE) && (y < EYE || (y >= size - EYE && x < EYE));
  const rows = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark && !isFree(x, y) && !isEye(x, y) ? [`M${x + QUIET} ${y + QUIET}h1v1h-1z`] : [])),
  );
  const far = QUIET + size - EYE;
  const eyes = [eye(QUIET, QUIET), eye(far, QUIET), eye(QUIET, far)].join('');
  const side = size + 2 * QUIET;
  const scale = (signSide - 1) / SIGN_SIZE;
  const at = QUIET + from + 0.5;
  return {
    side,
    content:
      `<rect width="${side}" height="${side}" fill="#fff"/><path fill="${COLOURS.ink}" d="${rows.join('')}"/>` +
      `<path fill="${COLOURS.ink}" fill-rule="evenodd" shape-rendering="geometricPrecision" d="${eyes}"/>` +
      `<g transform="translate(${at} ${at}) scale(${scale})"><path fill="${COLOURS.violet}" d="${BOWL}"/><path fill="${COLOURS.rose}" d="${DOT}"/></g>`,
  };
}

export function codeSvg(address: string, size: number): string {
  const { side, content } = drawCode(address);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" width="${size}" height="${size}" shape-rendering="crispEdges">${content}</svg>`;
}
