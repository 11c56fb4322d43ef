import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const hasTaskset = spawnSync('taskset', ['--version']).status === 0;
const cores = availableParallelism();

/** Servers run on the first core, the load on the others. Without taskset or a second core they share. */
const SERVER_CORE = '0';
export const isPinned = hasTaskset && cores > 1;
export const launcher: readonly string[] = isPinned ? ['taskset', '-c', SERVER_CORE] : [];

/** Moves this process, which makes the load, away from the servers' core. */
export function pinLoad(): void {
  if (isPinned) spawnSync('taskset', ['-a', '-p', '-c', `1-${cores - 1}`, String(process.pid)]);
}

/** Starts a program on the servers' core. @returns its process */
export function startPinned(command: readonly string[], env: NodeJS.ProcessEnv = process.env) {
  const [program = '', ...args] = [...launcher, ...command];
  return spawn(program, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
}

const TICKS_PER_SECOND = 100;

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

/** Processor time that a process and its children have used, in seconds. Undefined where the system does not tell. */
export function processorSeconds(pid: number): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    const own = (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
    return childrenOf(pid).reduce((sum, child) => sum + (processorSeconds(child) ?? 0), own);
  } catch {
    return undefined;
  }
}
