import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { valueOf, type Environment } from '../../environment.js';
import { identify, isAlive, type ProcessIdentity } from '../../processes/identity.js';
import { until } from '../../processes/until.js';

const LOCK_TIMEOUT_MS = 30 * 60_000;

/** Things that are prepared once and used by every checkout of this user. */
export interface Cache {
  readonly folder: string;
  has(key: string): Promise<boolean>;
  /** The folder of `key`, which `make` fills if it is not there yet. It appears at once and whole. */
  once(key: string, make: (folder: string) => Promise<void>, signal?: AbortSignal): Promise<string>;
}

const exists = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  );

async function takeLock(file: string, self: ProcessIdentity): Promise<boolean> {
  try {
    await writeFile(file, JSON.stringify(self), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  try {
    const holder = JSON.parse(await readFile(file, 'utf8')) as ProcessIdentity;
    if (await isAlive(holder)) return false;
  } catch {
    // Being written or being removed by its holder; one that stays unreadable was left by a crash.
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs < 5_000) return false;
  }
  // Two that both find it stale may both prepare: only work is wasted then, since results are renamed into place.
  await rm(file, { force: true });
  return false;
}

/** @param environment says where the user's cache is */
export function createCache(environment: Environment): Cache {
  const folder = path.join(
    valueOf(environment, 'XDG_CACHE_HOME') ?? path.join(valueOf(environment, 'HOME') ?? homedir(), '.cache'),
    'najwa',
  );
  return {
    folder,
    has: (key) => exists(path.join(folder, key)),
    async once(key, make, signal) {
      const target = path.join(folder, key);
      if (await exists(target)) return target;
      await mkdir(folder, { recursive: true });
      const lock = `${target}.lock`;
      const self = (await identify(process.pid)) ?? { pid: process.pid, startedAt: '' };
      const ready = async (): Promise<boolean> => (await exists(target)) || (await takeLock(lock, self));
      if (!(await until(ready, { timeoutMs: LOCK_TIMEOUT_MS, intervalMs: 300, signal }))) {
        throw new Error(`Another start has been preparing ${key} for too long.`);
      }
      try {
        if (await exists(target)) return target;
        // What a start that was killed had begun.
        const abandoned = (await readdir(folder)).filter((name) => name.startsWith(`${key}.`) && name.endsWith('.new'));
        for (const name of abandoned) await rm(path.join(folder, name), { recursive: true, force: true });
        const fresh = `${target}.${randomBytes(4).toString('hex')}.new`;
        await mkdir(fresh);
        try {
          await make(fresh);
          await rename(fresh, target);
        } catch (error) {
          await rm(fresh, { recursive: true, force: true });
          if (!(await exists(target))) throw error;
        }
        return target;
      } finally {
        const holder = await readFile(lock, 'utf8').catch(() => '');
        if (holder === JSON.stringify(self)) await rm(lock, { force: true });
      }
    },
  };
}
