import { constants, platform, setPriority } from 'node:os';

const { PRIORITY_BELOW_NORMAL } = constants.priority;

export function lowerPriority(pid: number): void {
  try {
    setPriority(pid, PRIORITY_BELOW_NORMAL);
  } catch {
    // The process has exited.
  }
}

/** For the calling worker thread. Elsewhere than on Linux it would affect the process. */
export function lowerThreadPriority(): void {
  if (platform() === 'linux') setPriority(PRIORITY_BELOW_NORMAL);
}
