import { randomBytes } from 'node:crypto';
import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';

/** Owner only, also if it exists. */
export async function makePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
}

/** Created by the first call, owner only. */
export async function loadOrCreateSecret(file: string, make: () => string): Promise<string> {
  const read = async (): Promise<string> => (await readFile(file, 'utf8').catch(() => '')).trim();
  const existing = await read();
  if (existing !== '') return existing;
  // link() is atomic and fails if another process was first.
  const temporary = `${file}.${randomBytes(4).toString('hex')}`;
  await writeFile(temporary, `${make()}\n`, { mode: 0o600 });
  try {
    await link(temporary, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(temporary);
  }
  return read();
}
