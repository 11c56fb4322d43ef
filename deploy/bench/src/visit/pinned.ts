import { spawn, spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

const hasTaskset = spawnSync('taskset', ['--version']).status === 0;
const cores = availableParallelism();

/** Servers on the first core, load on the others. Shared without taskset or a second core. */
const SERVER_CORE = '0';
export const isPinned = hasTaskset && cores > 1;
export const launcher: readonly string[] = isPinned ? ['taskset', '-c', SERVER_CORE] : [];

const runOn = (list: string): void => void spawnSync('taskset', ['-a', '-p', '-c', list, String(process.pid)]);

/** Away from the servers' core. @returns undo */
export function pinLoad(): () => void {
  if (!isPinned) return () => undefined;
  runOn(`1-${cores - 1}`);
  return () => runOn(`0-${cores - 1}`);
}

/** On the servers' core; ends with this process. */
export function startPinned(command: readonly string[], env: NodeJS.ProcessEnv = process.env) {
  const [program = '', ...args] = [...launcher, ...command];
  const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const end = (): void => void child.kill('SIGKILL');
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  return child;
}
