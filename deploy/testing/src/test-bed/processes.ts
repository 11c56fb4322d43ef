import { execFile } from 'node:child_process';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';

/** Collects garbage, with `COLLECT_ON_SIGNAL`. */
export const COLLECT_SIGNAL = 'SIGUSR2';

/** For a service. */
export const COLLECT_ON_SIGNAL = ['--import', new URL('./collect-on-signal.js', import.meta.url).href] as const;

/** For `longestHolds`. */
export const WATCH_LOOP = ['--import', new URL('./watch-loop.js', import.meta.url).href] as const;

/** Of a service with `WATCH_LOOP`. */
export const loopSocketOf = (pid: number): string => path.join(tmpdir(), `najwa-loop-${pid}.sock`);

export interface ServiceProcess {
  pid: number;
  /** Resident. */
  megabytes: number;
}

/** Compiled main files that run as our children. */
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

/** Takes less than a second. */
export async function requestGc(): Promise<void> {
  for (const { pid } of Object.values(await processesByService())) process.kill(pid, COLLECT_SIGNAL);
}

const ask = (socketPath: string): Promise<number> =>
  new Promise((resolve, reject) => {
    request({ socketPath, agent: false }, (response) => void text(response).then(Number).then(resolve, reject))
      .on('error', reject)
      .end();
  });

/** Milliseconds of processor time since the last call. */
export async function longestHolds(services: Record<string, ServiceProcess>): Promise<Record<string, number>> {
  const asked = Object.entries(services).map(async ([name, { pid }]) => [name, await ask(loopSocketOf(pid))] as const);
  return Object.fromEntries(await Promise.all(asked));
}
