import { constants, platform, setPriority } from 'node:os';

const { PRIORITY_BELOW_NORMAL } = constants.priority;

/**
 * Lets a process run after those that answer requests.
 * @param pid of a process that may have ended
 */
export function lowerPriority(pid: number): void {
  try {
    setPriority(pid, PRIORITY_BELOW_NORMAL);
  } catch {
    // The process has already exited.
  }
}

/** The same for the worker thread that calls it. Only Linux has priorities of threads: elsewhere it would be the whole process. */
export function lowerThreadPriority(): void {
  if (platform() === 'linux') setPriority(PRIORITY_BELOW_NORMAL);
}
