import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** A process beyond doubt: its number may be another's later, but then it started at another time. */
export interface ProcessIdentity {
  pid: number;
  startedAt: string;
}

/** The start time in the text of /proc/PID/stat; undefined for a process that has ended and only waits to be collected. */
export function startTimeIn(stat: string): string | undefined {
  // The second field is the program's name in brackets, which may hold blanks and brackets itself.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  return state === 'Z' || state === 'X' ? undefined : fields[19];
}

/** When the process started, in the system's own terms; undefined when there is none with this number. */
export async function startTimeOf(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') {
    try {
      return startTimeIn(await readFile(`/proc/${pid}/stat`, 'utf8'));
    } catch {
      return undefined;
    }
  }
  try {
    const { stdout } = await promisify(execFile)('ps', ['-p', String(pid), '-o', 'lstart=']);
    return stdout.trim() || undefined;
  } catch {
    return undefined;
  }
}

export async function identify(pid: number): Promise<ProcessIdentity | undefined> {
  const startedAt = await startTimeOf(pid);
  return startedAt === undefined ? undefined : { pid, startedAt };
}

export async function isAlive({ pid, startedAt }: ProcessIdentity): Promise<boolean> {
  return (await startTimeOf(pid)) === startedAt;
}
