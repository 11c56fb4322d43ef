import { readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

/**
 * Processor time of this process and of those of its children that have ended, in seconds.
 * @returns {number | undefined} undefined where the system does not say
 */
export function processorSeconds() {
  if (process.platform !== 'linux') return undefined;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND;
}
