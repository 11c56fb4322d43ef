import { spawn, type StdioOptions } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { signalGroup } from '../bootstrap/processes.js';

/** Its children may keep the stream open after it exits. */
const OUTPUT_GRACE_MS = 500;

export interface ChildOptions {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd?: string | undefined;
  log: string;
  onLine?: ((line: string) => void) | undefined;
}

/** In its own process group, so that Ctrl-C reaches only us. */
export interface Child {
  /** Undefined if it did not start. */
  readonly pid: number | undefined;
  /** Also after its output is written. */
  readonly ended: Promise<void>;
  hasEnded(): boolean;
  /** If it did not start. */
  startError(): Error | undefined;
  signal(signal: NodeJS.Signals): void;
  /** Includes descendants. */
  signalGroup(signal: NodeJS.Signals): void;
}

export async function startChild({ command, args, env, cwd, log, onLine }: ChildOptions): Promise<Child> {
  const file = onLine ? undefined : await open(log, 'a');
  const output = file?.fd ?? 'pipe';
  const stdio: StdioOptions = ['ignore', output, output];
  const child = spawn(command, args, { detached: true, stdio, env, ...(cwd !== undefined && { cwd }) });
  let hasEnded = false;
  let startError: Error | undefined;
  const ended = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      startError = error;
      if (child.pid === undefined) resolve();
    });
    child.once('close', () => resolve());
    child.once('exit', () => setTimeout(resolve, OUTPUT_GRACE_MS));
  }).then(() => {
    hasEnded = true;
  });
  await file?.close();

  if (onLine) {
    const copy = createWriteStream(log, { flags: 'a' });
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue;
      createInterface({ input: stream }).on('line', (line) => {
        if (!copy.writableEnded) copy.write(`${line}\n`);
        onLine(line);
      });
    }
    void ended.then(() => copy.end());
  }

  return {
    pid: child.pid,
    ended,
    hasEnded: () => hasEnded,
    startError: () => startError,
    signal: (signal) => void child.kill(signal),
    signalGroup: (signal) => {
      if (child.pid !== undefined) signalGroup(child.pid, signal);
    },
  };
}
