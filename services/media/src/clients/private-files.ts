import { randomUUID } from 'node:crypto';
import { chmod, lstat, mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Unlinked: no other process can open it, and it vanishes with the process. */
export interface PrivateFile {
  /** For a child process. */
  descriptor: number;
  append(bytes: Uint8Array): Promise<void>;
  readAll(): Promise<Buffer>;
  /** Idempotent. */
  close(): Promise<void>;
}

const OWNER_ONLY = { folder: 0o700, file: 0o600 };

/** Per user, because the parent may be shared. */
const FOLDER_NAME = `najwa-recordings-${process.getuid?.() ?? 0}`;

const OWN_FILE = /^recording-[0-9a-f-]{36}$/;

export class PrivateFiles {
  readonly #folder: string;

  /** @param parent may be shared by processes; only our folder in it changes */
  constructor(parent: string) {
    this.#folder = join(parent, FOLDER_NAME);
  }

  /** Also removes files of a killed process. */
  async prepare(): Promise<void> {
    const folder = this.#folder;
    await mkdir(folder, { recursive: true, mode: OWNER_ONLY.folder });
    const found = await lstat(folder);
    // In a world-writable folder another user may have created it first.
    if (!found.isDirectory() || found.uid !== process.getuid?.())
      throw new Error('The folder for recordings belongs to another user.');
    await chmod(folder, OWNER_ONLY.folder);
    const names = (await readdir(folder)).filter((name) => OWN_FILE.test(name));
    await Promise.all(names.map((name) => rm(join(folder, name), { force: true })));
  }
  async create(): Promise<PrivateFile> {
    const path = join(this.#folder, `recording-${randomUUID()}`);
    const openNew = () => open(path, 'wx+', OWNER_ONLY.file);
    const handle = await openNew().catch(async (error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      // Systems clean unused folders from their temporary folder.
      await this.prepare();
      return openNew();
    });
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
  }
}
