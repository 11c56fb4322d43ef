import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { appLinks } from '../manifest.js';

const PNG = '89504e470d0a1a0a';

test('the head names icons for browsers that take no SVG, and they are there', async () => {
  const colours = { paper: '#fff' };
  const head = appLinks('ar', { light: colours, dark: colours });
  const [tab, old, apple] = await Promise.all(
    ['icons/32.png', 'favicon.ico', 'apple-touch-icon.png'].map((file) => {
      expect(head).toContain(` href="/${file}"`);
      return readFile(path.resolve('web/public', file));
    }),
  );
  const sides = (png: Buffer) => [png.toString('hex', 0, 8), png.readUInt32BE(16), png.readUInt32BE(20)];
  expect([sides(tab!), sides(apple!)]).toEqual([
    [PNG, 32, 32],
    [PNG, 180, 180],
  ]);
  const [length, offset] = [old!.readUInt32LE(14), old!.readUInt32LE(18)];
  expect([old!.toString('hex', 0, 8), offset + length]).toEqual(['0000010001002020', old!.length]);
  expect(old!.subarray(offset).equals(tab!)).toBe(true);
});
