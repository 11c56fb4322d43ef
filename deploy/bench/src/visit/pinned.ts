import { spawn, spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

const hasTaskset = spawnSync('taskset', ['--version']).status === 0;
const cores = availableParallelism();

/** Servers run on the first core, the load on the others. Without taskset or a second core they share. */
const SERVER_CORE = '0';
export const isPinned = hasTaskset && cores > 1;
export const launcher: readonly string[] = isPinned ? ['taskset', '-c', SERVER_CORE] : [];

const runOn = (list: string): void => void spawnSync('taskset', ['-a', '-p', '-c', list, String(process.pid)]);

/** Moves this process, which makes the load, away from the servers' core. @returns ends that */
export function pinLoad(): () => void {
  if (!isPinned) return () => undefined;
  runOn(`1-${cores - 1}`);
  return () => runOn(`0-${cores - 1}`);
}

/** Starts a program on the servers' core, which ends with this one at the latest. @returns its process */
export function startPinned(command: readonly string[], env: NodeJS.ProcessEnv = process.env) {
  const [program = '', ...args] = [...launcher, ...command];
  const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const end = (): void => void child.kill('SIGKILL');
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  return child;
}
