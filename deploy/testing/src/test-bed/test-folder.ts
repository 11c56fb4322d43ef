import { mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const MEMORY_FOLDER = '/dev/shm';
const GIB = 1024 ** 3;

/**
 * Makes a folder for the data of servers: in memory where there is plenty, because a slow disk fails tests. Declaring a
 * quorum queue syncs to the disk about ten times, each test bed declares thirty of them, and RabbitMQ refuses events of
 * a queue that does not answer in time.
 */
export async function makeTestFolder(prefix: string): Promise<string> {
  const memory = await statfs(MEMORY_FOLDER).catch(() => undefined);
  const isPlenty =
    memory !== undefined && memory.bavail * memory.bsize > 4 * GIB && process.availableMemory() > 8 * GIB;
  return mkdtemp(path.join(isPlenty ? MEMORY_FOLDER : tmpdir(), prefix));
}
