import { randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';

/** A secret in a file that only its owner can read; `make` gives it at first. */
export async function keptSecret(file: string, make: () => string): Promise<string> {
  const read = async (): Promise<string> => (await readFile(file, 'utf8').catch(() => '')).trim();
  const kept = await read();
  if (kept !== '') return kept;
  // Written whole before it gets its name, and never over one that another start has just made.
  const fresh = `${file}.${randomBytes(4).toString('hex')}`;
  await writeFile(fresh, `${make()}\n`, { mode: 0o600 });
  try {
    await link(fresh, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(fresh);
  }
  return read();
}
