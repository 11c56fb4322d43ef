import { execFile, spawn } from 'node:child_process';
import { mkdir, open, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { succeeds } from '@najwa/dev/bootstrap/processes';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PIECE = Buffer.alloc(4_000_000);

/** Once the watchdog has ended all users of the disk. */
const UNMOUNT_SOON = 'for second in $(seq 30); do umount "$1" 2>/dev/null && rm -d "$1" && break; sleep 1; done';

export interface SmallDisk {
  folder: string;
  fill: () => Promise<void>;
  free: () => Promise<void>;
  unmount: () => Promise<void>;
}

/**
 * @param left free megabytes after filling
 * @returns undefined without the right to mount
 */
export async function mountSmallDisk(
  folder: string,
  { megabytes, left }: { megabytes: number; left: number },
): Promise<SmallDisk | undefined> {
  await mkdir(folder);
  const options = `size=${megabytes}m,mode=0755`;
  if (!(await succeeds(run('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder])))) return undefined;
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
