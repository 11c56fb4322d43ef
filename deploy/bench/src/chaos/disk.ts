import { execFile, spawn } from 'node:child_process';
import { mkdir, open, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PIECE = Buffer.alloc(4_000_000);

/** Succeeds once the watchdog has ended all that uses the disk, which takes a moment. */
const UNMOUNT_SOON = 'for second in $(seq 30); do umount "$1" 2>/dev/null && rm -d "$1" && break; sleep 1; done';

/** A folder on a disk of its own that can be filled. */
export interface SmallDisk {
  folder: string;
  fill: () => Promise<void>;
  /** Frees what `fill` took. */
  free: () => Promise<void>;
  unmount: () => Promise<void>;
}

/**
 * @param left megabytes that filling it leaves
 * @returns undefined where mounting is not allowed: elsewhere than on Linux, or without the rights
 */
export async function mountSmallDisk(
  folder: string,
  { megabytes, left }: { megabytes: number; left: number },
): Promise<SmallDisk | undefined> {
  await mkdir(folder);
  const isMounted = await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'tmpfs', folder]).then(
    () => true,
    () => false,
  );
  if (!isMounted) return undefined;
  const unmountSoon = (): void =>
    spawn('sh', ['-c', UNMOUNT_SOON, 'sh', folder], { detached: true, stdio: 'ignore' }).unref();
  process.once('exit', unmountSoon);
  const filler = path.join(folder, 'filler');
  const isFull = async (): Promise<boolean> => {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize <= left * 1_000_000;
  };
  return {
    folder,
    async fill() {
      const file = await open(filler, 'w');
      try {
        while (!(await isFull())) await file.writeFile(PIECE);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        await file.close();
      }
    },
    free: () => rm(filler, { force: true }),
    async unmount() {
      process.off('exit', unmountSoon);
      await run('umount', ['--lazy', folder]);
    },
  };
}
