import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Resident megabytes of each service: the compiled main files that run as our children. */
export async function memoryByService(): Promise<Record<string, number>> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'ppid=,rss=,args='], { maxBuffer: 10_000_000 });
  const memory: Record<string, number> = {};
  for (const line of stdout.split('\n')) {
    const [, parent, kilobytes, service] = /^\s*(\d+)\s+(\d+)\s.*services\/([a-z]+)\/dist\/main\.js/.exec(line) ?? [];
    if (service !== undefined && Number(parent) === process.pid) memory[service] = Number(kilobytes) / 1_024;
  }
  return memory;
}
