import { spawn } from 'node:child_process';
import { access, constants, open } from 'node:fs/promises';
import path from 'node:path';
import { SetupError } from '../errors.js';

export interface RunOptions {
  /** Names the command in the error. */
  what: string;
  /** Where its output goes. */
  log: string;
  cwd?: string;
  env?: Record<string, string>;
  /** A file descriptor to read from. */
  input?: number;
  signal?: AbortSignal | undefined;
}

/**
 * Runs a command to its end.
 * @throws {SetupError} when it fails, naming the log
 */
export async function run(
  command: string,
  args: readonly string[],
  { what, log, cwd, env, input, signal }: RunOptions,
): Promise<void> {
  signal?.throwIfAborted();
  const output = await open(log, 'a');
  try {
    const child = spawn(command, args, {
      detached: true,
      stdio: [input ?? 'ignore', output.fd, output.fd],
      env: { ...process.env, ...env },
      ...(cwd !== undefined && { cwd }),
    });
    const onAbort = (): void => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    const status = await new Promise<number | null>((resolve) => {
      child.once('error', () => resolve(null));
      child.once('close', (code) => resolve(code));
    });
    signal?.removeEventListener('abort', onAbort);
    signal?.throwIfAborted();
    if (status !== 0) throw new SetupError(`${what} failed; the reason is at the end of ${log}.`);
  } finally {
    await output.close();
  }
}

/** Runs a command and hands back what it prints; undefined when it cannot run or fails. */
export async function outputOf(
  command: string,
  args: readonly string[],
  env?: Record<string, string>,
): Promise<string | undefined> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'], env: { ...process.env, ...env } });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const status = await new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null));
    child.once('close', (code) => resolve(code));
  });
  return status === 0 ? text : undefined;
}

/** The path of a program that PATH leads to. */
export async function onPath(program: string, searched = process.env['PATH'] ?? ''): Promise<string | undefined> {
  for (const folder of searched.split(path.delimiter).filter(Boolean)) {
    const file = path.join(folder, program);
    try {
      await access(file, constants.X_OK);
      return file;
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}
