import { mkdir, readFile, writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import { APPLE_ICON, ICONS, MARK, OLD_ICON, TAB_ICON } from './manifest.js';

/**
 * Draws the manifest's icons from the mark: `npm run icons --workspace web`. They are committed, so that the web
 * image's build needs no sharp, which services provide.
 */
const folder = new URL('./public/', import.meta.url);

const [, ground] = /<path fill="(#\w+)"/.exec(MARK) ?? [];
const [drawing] = /<g transform=.*<\/g>/.exec(MARK) ?? [];
if (ground === undefined || drawing === undefined) throw new Error('favicon.svg has no bubble with a mark in it.');

/** Square: launchers cut a maskable icon anywhere outside its inner 80 %. */
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
await draw(MARK, TAB_ICON);

// An .ico directory with one entry: sides, planes, bits, length and offset.
const tab = await readFile(new URL(TAB_ICON.file, folder));
const list = Buffer.from([0, 0, 1, 0, 1, 0, TAB_ICON.side, TAB_ICON.side, 0, 0, 1, 0, 32, 0, 0, 0, 0, 0, 22, 0, 0, 0]);
list.writeUInt32LE(tab.length, 14);
await writeFile(new URL(OLD_ICON, folder), Buffer.concat([list, tab]));
