import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { valueOf } from './environment.js';
import { identify, isAlive, succeeds, until } from './processes.js';

const LOCK_TIMEOUT_MS = 30 * 60_000;

/**
 * Results that are prepared once and shared by all checkouts of the user.
 * @typedef {object} Cache
 * @property {string} folder
 * @property {(key: string) => Promise<boolean>} has
 * @property {(key: string, make: (folder: string) => Promise<void>, signal?: AbortSignal) => Promise<string>} once
 *   the folder of `key`, which `make` fills if it is not there yet; it appears at once and whole
 */

/** @type {(file: string) => Promise<boolean>} */
const exists = (file) => succeeds(stat(file));

/** @type {(file: string, self: import('./processes.js').ProcessIdentity) => Promise<boolean>} */
async function takeLock(file, self) {
  try {
    await writeFile(file, JSON.stringify(self), { flag: 'wx' });
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
  }
  try {
    const holder = JSON.parse(await readFile(file, 'utf8'));
    if (await isAlive(holder)) return false;
  } catch {
    // Being written or removed. An unreadable lock that stays was left by a crash.
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs < 5_000) return false;
  }
  // Two processes may both find the lock stale and prepare. Harmless: results are renamed into place.
  await rm(file, { force: true });
  return false;
}

/**
 * @param {import('./environment.js').Environment} environment names the user's cache folder
 * @returns {Cache}
 */
export function createCache(environment) {
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
      const ready = async () => (await exists(target)) || (await takeLock(lock, self));
      if (!(await until(ready, { timeoutMs: LOCK_TIMEOUT_MS, intervalMs: 300, signal }))) {
        throw new Error(`Timed out waiting for another process to prepare ${key}.`);
      }
      try {
        if (await exists(target)) return target;
        // Left by a killed process.
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
