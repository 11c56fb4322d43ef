import { copyFile, cp, mkdir, mkdtemp, readdir, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inCheckout } from '@najwa/dev/bootstrap/environment';
import { listFiles } from '@najwa/dev/bootstrap/processes';

const GENERATED = 'proto/src/gen';

/** Of the checkout as it stands, outside it, with shared packages. */
export interface Copy {
  root: string;
  write(file: string, text: string): Promise<void>;
  /** Undoes `write`. */
  restore(files: Iterable<string>): Promise<void>;
  remove(): Promise<void>;
}

/** Relative links of npm lead to packages of the copy. */
async function linkEntry(from: string, to: string): Promise<void> {
  const target = await readlink(from).catch(() => undefined);
  await symlink(target ?? from, to);
}

/** By links. `.cache` belongs to one checkout. */
async function linkPackages(folder: string, root: string): Promise<void> {
  const [from, to] = [inCheckout(folder), path.join(root, folder)];
  const entries = await readdir(from, { withFileTypes: true }).catch(() => []);
  if (entries.length > 0) await mkdir(to, { recursive: true });
  for (const { name } of entries) {
    if (name === '.cache') continue;
    if (!name.startsWith('@')) await linkEntry(path.join(from, name), path.join(to, name));
    else {
      await mkdir(path.join(to, name));
      for (const inScope of await readdir(path.join(from, name)))
        await linkEntry(path.join(from, name, inScope), path.join(to, name, inScope));
    }
  }
}

export async function copyCheckout(): Promise<Copy> {
  const root = await mkdtemp(path.join(tmpdir(), 'najwa-mutants-'));
  const bring = async (file: string): Promise<void> => {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true });
    // Deleted, not yet committed.
    await copyFile(inCheckout(file), path.join(root, file)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
  };
  const remove = (): Promise<void> => rm(root, { recursive: true, force: true, maxRetries: 5 });
  try {
    const files = await listFiles();
    await Promise.all(files.map(bring));
    await cp(inCheckout(GENERATED), path.join(root, GENERATED), { recursive: true });
    const packages = files.filter((file) => path.basename(file) === 'package.json').map((file) => path.dirname(file));
    await Promise.all(packages.map((folder) => linkPackages(path.join(folder, 'node_modules'), root)));
    return {
      root,
      write: (file, text) => writeFile(path.join(root, file), text),
      restore: async (changed) => {
        for (const file of changed) await bring(file);
      },
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
