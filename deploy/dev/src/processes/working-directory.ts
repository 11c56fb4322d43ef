import { readdir, readlink, realpath } from 'node:fs/promises';
import { signalProcess, until } from '../bootstrap/processes.js';

const END_TIMEOUT_MS = 3_000;

/** Empty without /proc. */
async function processesIn(folder: string): Promise<number[]> {
  const names = await readdir('/proc').catch(() => []);
  const own = await realpath(folder).catch(() => undefined);
  if (own === undefined) return [];
  const pids = names.map(Number).filter(Number.isInteger);
  const folders = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => undefined)));
  return pids.filter((_, index) => folders[index] === own);
}

/** SIGKILL until none is left. */
export async function killProcessesIn(folder: string): Promise<void> {
  await until(
    async () => {
      const pids = await processesIn(folder);
      for (const pid of pids) signalProcess(pid, 'SIGKILL');
      return pids.length === 0;
    },
    { timeoutMs: END_TIMEOUT_MS },
  );
}
