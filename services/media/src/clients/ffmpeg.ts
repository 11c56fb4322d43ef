import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { AppError } from '@najwa/common/errors';
import { lowerPriority } from '@najwa/common/priority';
import { withSpan } from '@najwa/common/tracing';

export interface FfmpegRun {
  args: string[];
  /** Standard input. */
  input?: Uint8Array;
  /** Descriptor passed to ffmpeg as `INHERITED_FILE`. */
  file?: number;
  /** Bytes. Exceeding it ends the run. */
  maxOutput: number;
}

export interface FfmpegOptions {
  /** A path, or a name on the PATH. */
  program: string;
  path: string;
}

/** Omits ffmpeg's messages, which can quote the upload. */
export class FfmpegError extends Error {
  constructor(readonly code: 'refused' | 'too_slow' | 'too_much_output' | 'killed') {
    super(`ffmpeg failed: ${code}`);
    this.name = 'FfmpegError';
  }
}

export const INHERITED_FILE = '/dev/fd/3';

const RUN_TIMEOUT_MS = 30_000;

/** Linux only. Elsewhere only ffmpeg's own limits apply. */
const PRLIMIT = '/usr/bin/prlimit';

/**
 * Address space (a run takes about a third), CPU seconds, file size, open files, no core dump. The soft CPU limit
 * signals differently from an out-of-memory kill.
 */
const LIMITS = ['--as=1073741824', '--cpu=30:35', '--fsize=33554432', '--nofile=64', '--core=0'];

/** Out of memory or shutdown: says nothing about the input. */
const OUTSIDE_SIGNALS: readonly (NodeJS.Signals | null)[] = ['SIGKILL', 'SIGTERM', 'SIGINT'];

const MAX_VERSION_BYTES = 64 * 1024;

export class Ffmpeg {
  readonly #path: string;
  readonly #command: readonly [string, ...string[]];

  constructor({ program, path }: FfmpegOptions) {
    this.#path = path;
    this.#command = existsSync(PRLIMIT) ? [PRLIMIT, ...LIMITS, '--', program] : [program];
  }

  /** @throws {AppError} `unavailable` unless ffmpeg runs */
  async check(): Promise<void> {
    try {
      await this.#start({ args: ['-version'], maxOutput: MAX_VERSION_BYTES });
    } catch {
      throw new AppError({ code: 'unavailable', message: 'No ffmpeg that runs was found. Set FFMPEG_BIN to one.' });
    }
  }
  /** @returns standard output. @throws {FfmpegError} */
  run(run: FfmpegRun): Promise<Buffer> {
    return withSpan('ffmpeg', () => this.#start(run));
  }

  #start({ args, input, file, maxOutput }: FfmpegRun): Promise<Buffer> {
    const [command, ...prefix] = this.#command;
    return new Promise((resolve, reject) => {
      const child = spawn(command, [...prefix, ...args], {
        cwd: '/',
        // Keeps secrets out.
        env: { PATH: this.#path },
        stdio: [input ? 'pipe' : 'ignore', 'pipe', 'ignore', ...(file === undefined ? [] : [file])],
      });
      if (child.pid !== undefined) lowerPriority(child.pid);
      let failure: FfmpegError | undefined;
      const end = (error: FfmpegError): void => {
        failure ??= error;
        child.kill('SIGKILL');
      };
      const deadline = setTimeout(() => end(new FfmpegError('too_slow')), RUN_TIMEOUT_MS);

      // Filled incrementally: joining at the end would block the event loop. Memory is committed on use.
      const output = Buffer.from(new ArrayBuffer(maxOutput));
      let size = 0;
      child.stdout?.on('data', (chunk: Buffer) => {
        if (size + chunk.length > maxOutput) end(new FfmpegError('too_much_output'));
        else size += chunk.copy(output, size);
      });
      // ffmpeg may exit before it reads all input; the exit status shows errors.
      child.stdin?.on('error', () => undefined).end(input);
      child.once('error', (error) => {
        clearTimeout(deadline);
        reject(error);
      });
      child.once('close', (status, signal) => {
        clearTimeout(deadline);
        if (status !== 0) failure ??= new FfmpegError(OUTSIDE_SIGNALS.includes(signal) ? 'killed' : 'refused');
        if (failure) reject(failure);
        else resolve(output.subarray(0, size));
      });
    });
  }
}
