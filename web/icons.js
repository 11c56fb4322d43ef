import { mkdir } from 'node:fs/promises';
import sharp from 'sharp';
import { APPLE_ICON, ICONS, MARK } from './manifest.js';

/**
 * Draws the icons of the manifest from the mark: `npm run icons --workspace web`. They are committed, so that the build of the web
 * image needs no library for pictures. sharp is there because services use it.
 */
const folder = new URL('./public/', import.meta.url);

const [, ground] = /<path fill="(#\w+)"/.exec(MARK) ?? [];
const [drawing] = /<g transform=.*<\/g>/.exec(MARK) ?? [];
if (ground === undefined || drawing === undefined) throw new Error('favicon.svg has no bubble with a mark in it.');

/** The mark on a ground without corners: launchers cut a maskable icon anywhere outside its inner 80 %. */
const full = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-8 -8 80 80"><path fill="${ground}" d="M-8-8h80v80H-8z"/>${drawing}</svg>`;

async function draw(svg, { file, side }) {
  const target = new URL(file, folder);
  await mkdir(new URL('.', target), { recursive: true });
  await sharp(Buffer.from(svg), { density: 72 * (side / 16) })
    .resize(side, side)
    .png({ compressionLevel: 9, palette: true })
    .toFile(target.pathname);
}

for (const icon of ICONS) await draw(icon.purpose === 'maskable' ? full : MARK, icon);
await draw(full, APPLE_ICON);
