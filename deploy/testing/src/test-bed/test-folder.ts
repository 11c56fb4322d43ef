import { mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const MEMORY_FOLDER = '/dev/shm';
const GIB = 1024 ** 3;

/**
 * In memory if plenty: declaring a quorum queue syncs to the disk about ten times, a bed has thirty, and RabbitMQ
 * refuses events of a queue that is too slow.
 */
export async function makeTestFolder(prefix: string): Promise<string> {
  const memory = await statfs(MEMORY_FOLDER).catch(() => undefined);
  const isPlenty =
    memory !== undefined && memory.bavail * memory.bsize > 4 * GIB && process.availableMemory() > 8 * GIB;
  return mkdtemp(path.join(isPlenty ? MEMORY_FOLDER : tmpdir(), prefix));
}
