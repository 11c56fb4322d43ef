import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
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
export class Child {
  /** Also after its output is written. */
  readonly ended: Promise<void>;
  hasEnded = false;
  /** If it did not start. */
  startError: Error | undefined;

  private constructor(private readonly child: ChildProcess) {
    this.ended = new Promise<void>((resolve) => {
      child.once('error', (error) => {
        this.startError = error;
        if (child.pid === undefined) resolve();
      });
      child.once('close', () => resolve());
      child.once('exit', () => setTimeout(resolve, OUTPUT_GRACE_MS));
    }).then(() => {
      this.hasEnded = true;
    });
  }

  static async start({ command, args, env, cwd, log, onLine }: ChildOptions): Promise<Child> {
    const file = onLine ? undefined : await open(log, 'a');
    const output = file?.fd ?? 'pipe';
    const stdio: StdioOptions = ['ignore', output, output];
    const process = spawn(command, args, { detached: true, stdio, env, ...(cwd !== undefined && { cwd }) });
    const child = new Child(process);
    await file?.close();
    if (onLine) {
      const copy = createWriteStream(log, { flags: 'a' });
      for (const stream of [process.stdout, process.stderr]) {
        if (!stream) continue;
        createInterface({ input: stream }).on('line', (line) => {
          if (!copy.writableEnded) copy.write(`${line}\n`);
          onLine(line);
        });
      }
      void child.ended.then(() => copy.end());
    }
    return child;
  }

  /** Undefined if it did not start. */
  get pid(): number | undefined {
    return this.child.pid;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Includes descendants. */
  signalGroup(signal: NodeJS.Signals): void {
    if (this.pid !== undefined) signalGroup(this.pid, signal);
  }
}
