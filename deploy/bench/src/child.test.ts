import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startChild } from './child.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'najwa-unit-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const program = async (code: string): Promise<URL> => {
  const file = path.join(folder, 'program.mjs');
  await writeFile(file, code);
  return pathToFileURL(file);
};

test('a child answers its order', async () => {
  const file = await program("process.once('message', ({ number }) => process.send(number + 1));");
  const { child, message } = await startChild<number>(file, { number: 7 });
  expect(message).toBe(8);
  child.disconnect();
});

test('a child that ends at its start is reported at once, with the reason', async () => {
  const file = await program("throw new Error('There is no database.');");
  await expect(startChild(file, {})).rejects.toThrow(
    'program.mjs ended with status 1 before it was ready: Error: There is no database.',
  );
});
