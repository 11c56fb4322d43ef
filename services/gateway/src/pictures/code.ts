import { encode } from 'uqr';
import { BOWL, COLOURS } from './shapes.js';

/** Empty modules around a code, without which cameras do not find it. */
const QUIET = 4;
/** Side of the free square in the middle with the sign of the site, as a part of the side of the code. */
const SIGN_PART = 0.2;
const DOT =
  'M29.15 7.85Q32.00 5.00 34.85 7.85L38.65 11.65Q41.50 14.50 38.65 17.35L34.85 21.15Q32.00 24.00 29.15 21.15L25.35 17.35Q22.50 14.50 25.35 11.65Z';
/** The sign is drawn on a square of this side. */
const SIGN_SIZE = 64;

/**
 * A QR code in black on white, as the inside of an SVG element.
 * @returns the side of the whole in modules, quiet zone included
 */
export function drawCode(address: string): { side: number; content: string } {
  // A quarter of the code may be unreadable: the sign covers a twenty-fifth.
  const { size, data } = encode(address, { ecc: 'Q', border: 0 });
  const signSide = Math.round(size * SIGN_PART) | 1;
  const from = (size - signSide) / 2;
  const isFree = (x: number, y: number): boolean =>
    x >= from && x < from + signSide && y >= from && y < from + signSide;
  const rows = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark && !isFree(x, y) ? [`M${x + QUIET} ${y + QUIET}h1v1h-1z`] : [])),
  );
  const side = size + 2 * QUIET;
  const scale = (signSide - 1) / SIGN_SIZE;
  const at = QUIET + from + 0.5;
  return {
    side,
    content:
      `<rect width="${side}" height="${side}" fill="#fff"/><path fill="${COLOURS.ink}" d="${rows.join('')}"/>` +
      `<g transform="translate(${at} ${at}) scale(${scale})"><path fill="${COLOURS.violet}" d="${BOWL}"/><path fill="${COLOURS.rose}" d="${DOT}"/></g>`,
  };
}

/** @param size of the picture in pixels */
export function codeSvg(address: string, size: number): string {
  const { side, content } = drawCode(address);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" width="${size}" height="${size}" shape-rendering="crispEdges">${content}</svg>`;
}
