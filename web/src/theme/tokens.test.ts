import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { tokenNames } from './tokens.js';

const sources = join(import.meta.dirname, '..');

const texts = readdirSync(sources, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(tsx?|css)$/.test(file) && !/\.test\.tsx?$/.test(file))
  .map((file) => readFileSync(join(sources, file), 'utf8'));

test('every custom property in a style is a token or is set', () => {
  // before-paint.js sets the last.
  const known = new Set([...tokenNames, 'host']);
  for (const text of texts)
    for (const [, name] of text.matchAll(/(?<![\w(-])--([a-z0-9-]+)[:']/g)) known.add(name ?? '');
  const used = texts.flatMap((text) => [...text.matchAll(/var\(--([a-z0-9-]+)[),]/g)].map(([, name]) => name ?? ''));
  const unknown = used.filter((name) => !known.has(name) && !name.startsWith('radix-'));
  expect([...new Set(unknown)]).toEqual([]);
});
