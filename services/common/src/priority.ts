import { constants, getPriority, platform, setPriority } from 'node:os';

const { PRIORITY_BELOW_NORMAL } = constants.priority;

export function lowerPriority(pid: number): void {
  try {
    setPriority(pid, PRIORITY_BELOW_NORMAL);
  } catch {
    // The process has exited.
  }
}

/** For the calling worker thread; elsewhere than on Linux it would affect the process. Never raises a lower one. */
export function lowerThreadPriority(): void {
  if (platform() === 'linux' && getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL);
}
