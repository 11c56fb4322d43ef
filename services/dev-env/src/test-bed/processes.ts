import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Makes a service that was started with `COLLECT_ON_SIGNAL` collect its garbage. */
export const COLLECT_SIGNAL = 'SIGUSR2';

/** Options of Node.js for a service. */
export const COLLECT_ON_SIGNAL = ['--import', new URL('./collect-on-signal.js', import.meta.url).href] as const;

export interface ServiceProcess {
  pid: number;
  /** Resident memory. */
  megabytes: number;
}

/** The process of each service: the compiled main files that run as our children. */
export async function processesByService(): Promise<Record<string, ServiceProcess>> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,rss=,args='], { maxBuffer: 10_000_000 });
  const processes: Record<string, ServiceProcess> = {};
  for (const line of stdout.split('\n')) {
    const [, pid, parent, kilobytes, service] =
      /^\s*(\d+)\s+(\d+)\s+(\d+)\s.*services\/([a-z]+)\/dist\/main\.js/.exec(line) ?? [];
    if (service !== undefined && Number(parent) === process.pid)
      processes[service] = { pid: Number(pid), megabytes: Number(kilobytes) / 1_024 };
  }
  return processes;
}

/**
 * Has services that were started with `COLLECT_ON_SIGNAL` give back the memory of what they no longer need, which takes them
 * less than a second.
 */
export async function askToCollect(): Promise<void> {
  for (const { pid } of Object.values(await processesByService())) process.kill(pid, COLLECT_SIGNAL);
}
