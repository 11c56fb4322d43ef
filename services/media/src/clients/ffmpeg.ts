import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { AppError } from '@najwa/common/errors';
import { lowerPriority } from '@najwa/common/priority';
import { withSpan } from '@najwa/common/tracing';

export interface FfmpegRun {
  args: string[];
  /** Written to its standard input. */
  input?: Uint8Array;
  /** Descriptor of an open file, passed to ffmpeg as `INHERITED_FILE`. */
  file?: number;
  /** In bytes. A run with more output is ended. */
  maxOutput: number;
}

export interface FfmpegOptions {
  /** A path, or a name to be found on the PATH. */
  program: string;
  path: string;
}

export interface Ffmpeg {
  /** @throws {AppError} `unavailable` unless ffmpeg runs */
  check(): Promise<void>;
  /** @returns its standard output. @throws {FfmpegError} */
  run(run: FfmpegRun): Promise<Buffer>;
}

/** The run failed. Leaves out ffmpeg's messages, because they can quote the upload. */
export class FfmpegError extends Error {
  constructor(readonly code: 'refused' | 'too_slow' | 'too_much_output' | 'killed') {
    super(`ffmpeg failed: ${code}`);
    this.name = 'FfmpegError';
  }
}

/** Path of the inherited file descriptor, for a file without a name. */
export const INHERITED_FILE = '/dev/fd/3';

const RUN_TIMEOUT_MS = 30_000;

/** Linux only. Other systems have only ffmpeg's own limits. */
const PRLIMIT = '/usr/bin/prlimit';

/**
 * Address space (a run takes about a third), CPU seconds, file size, open files, no core dump. The CPU limit sends its
 * own signal first, which is not that of a system without memory.
 */
const LIMITS = ['--as=1073741824', '--cpu=30:35', '--fsize=33554432', '--nofile=64', '--core=0'];

/** Signals from outside, which say nothing about the input: no memory is left, or the system stops. */
const OUTSIDE_SIGNALS: readonly (NodeJS.Signals | null)[] = ['SIGKILL', 'SIGTERM', 'SIGINT'];

const MAX_VERSION_BYTES = 64 * 1024;

export function createFfmpeg({ program, path }: FfmpegOptions): Ffmpeg {
  const [command, ...prefix] = existsSync(PRLIMIT) ? [PRLIMIT, ...LIMITS, '--', program] : [program];

  const run: Ffmpeg['run'] = ({ args, input, file, maxOutput }) =>
    new Promise((resolve, reject) => {
      const child = spawn(command, [...prefix, ...args], {
        cwd: '/',
        // Does not pass the service's secrets on.
        env: { PATH: path },
        stdio: [input ? 'pipe' : 'ignore', 'pipe', 'ignore', ...(file === undefined ? [] : [file])],
      });
      // Requests take precedence over voice processing.
      if (child.pid !== undefined) lowerPriority(child.pid);
      let failure: FfmpegError | undefined;
      const end = (error: FfmpegError): void => {
        failure ??= error;
        child.kill('SIGKILL');
      };
      const deadline = setTimeout(() => end(new FfmpegError('too_slow')), RUN_TIMEOUT_MS);

      // Filled as it comes, since joining its pieces at the end would hold everybody up. The system gives memory as it is used.
      const output = Buffer.from(new ArrayBuffer(maxOutput));
      let size = 0;
      child.stdout?.on('data', (chunk: Buffer) => {
        if (size + chunk.length > maxOutput) end(new FfmpegError('too_much_output'));
        else size += chunk.copy(output, size);
      });
      // ffmpeg may exit before it has read all input. The exit status shows whether that is an error.
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

  return {
    run: (options) => withSpan('ffmpeg', () => run(options)),
    async check() {
      try {
        await run({ args: ['-version'], maxOutput: MAX_VERSION_BYTES });
      } catch {
        throw new AppError({ code: 'unavailable', message: 'No ffmpeg that runs was found. Set FFMPEG_BIN to one.' });
      }
    },
  };
}
