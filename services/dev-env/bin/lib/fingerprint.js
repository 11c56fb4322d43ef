import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { inRoot, root } from './checkout.js';

const SKIPPED = new Set(['node_modules', 'dist', 'stubs', 'e2e', 'tests']);

async function filesUnder(folder) {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const nested = await Promise.all(
    entries.map((entry) => {
      if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : filesUnder(path.join(folder, entry.name));
      return [path.join(folder, entry.name)];
    }),
  );
  return nested.flat();
}

/** A hash over the content of files and folders of the checkout. */
export async function fingerprintOf(...names) {
  const files = (await Promise.all(names.map(async (name) => [...(await filesUnder(inRoot(name))), inRoot(name)])))
    .flat()
    .sort();
  const hash = createHash('sha256');
  for (const file of files) {
    const content = await readFile(file).catch(() => undefined);
    if (content) hash.update(`${path.relative(root, file)}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

// Beside what it vouches for: whoever removes node_modules removes the memory of it too.
const stampFile = (name) => inRoot('node_modules/.cache/najwa', name);

export const readStamp = (name) => readFile(stampFile(name), 'utf8').catch(() => '');

export async function writeStamp(name, value) {
  await mkdir(path.dirname(stampFile(name)), { recursive: true });
  await writeFile(stampFile(name), value);
}
