import { randomUUID } from 'node:crypto';
import { chmod, lstat, mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** A file without a name: nobody finds it, and it is gone with the process that holds it, however that ends. */
export interface PrivateFile {
  /** To hand to a program. */
  descriptor: number;
  append(bytes: Uint8Array): Promise<void>;
  readAll(): Promise<Buffer>;
  /** Gives its bytes back to the disk. May be called again. */
  close(): Promise<void>;
}

export interface PrivateFiles {
  /** Makes the folder where it is missing, and removes what should not be in it. */
  prepare(): Promise<void>;
  create(): Promise<PrivateFile>;
}

const OWNER_ONLY = { folder: 0o700, file: 0o600 };

/** @param folder nobody else's. Processes may share it, since no file keeps its name in it. */
export function createPrivateFiles(folder: string): PrivateFiles {
  return {
    async prepare() {
      await mkdir(folder, { recursive: true, mode: OWNER_ONLY.folder });
      const found = await lstat(folder);
      // In a place that everybody writes to, somebody else may have been first.
      if (!found.isDirectory() || found.uid !== process.getuid?.())
        throw new Error('The folder for recordings belongs to somebody else.');
      await chmod(folder, OWNER_ONLY.folder);
      for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true });
    },
    async create() {
      const path = join(folder, randomUUID());
      const handle = await open(path, 'wx+', OWNER_ONLY.file);
      await rm(path, { force: true });
      let closing: Promise<void> | undefined;
      return {
        descriptor: handle.fd,
        async append(bytes) {
          await handle.appendFile(bytes);
        },
        async readAll() {
          const { size } = await handle.stat();
          const { buffer } = await handle.read(Buffer.alloc(size), 0, size, 0);
          return buffer;
        },
        close: () => (closing ??= handle.close()),
      };
    },
  };
}
