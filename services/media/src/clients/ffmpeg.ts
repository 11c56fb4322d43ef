import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { AppError } from '@najwa/common';

export interface FfmpegRun {
  args: string[];
  /** Written to its standard input. */
  input?: Uint8Array;
  /** An open file, which it finds at `INHERITED_FILE`. */
  file?: number;
  /** In bytes; more ends the run. */
  mostOutput: number;
}

export interface FfmpegOptions {
  /** Its path, or its name where it is on the path. */
  program: string;
  path: string;
}

export interface Ffmpeg {
  /** @throws {AppError} `unavailable` unless it can be run and has what we need of it */
  check(): Promise<void>;
  /** @returns what it wrote to its standard output. @throws {FfmpegError} */
  run(run: FfmpegRun): Promise<Buffer>;
}

/** The run did not end well. What ffmpeg itself says is never read: it can quote what a stranger sent. */
export class FfmpegError extends Error {
  constructor(readonly code: 'refused' | 'too_slow' | 'too_much_output') {
    super(`ffmpeg did not end well: ${code}`);
    this.name = 'FfmpegError';
  }
}

/** How a program names a file that it was handed open. Such a file needs no name on the disk. */
export const INHERITED_FILE = '/dev/fd/3';

const RUN_TIMEOUT_MS = 30_000;

/** Present wherever there is a Linux; elsewhere the limits are those that ffmpeg sets itself. */
const PRLIMIT = '/usr/bin/prlimit';

/** Address space, of which a run takes about a third; seconds of work; the size of a file; open files; no memory image on disk. */
const LIMITS = ['--as=1073741824', '--cpu=30', '--fsize=33554432', '--nofile=64', '--core=0'];

/** Its one part that not every ffmpeg has. */
const NEEDED_FILTER = 'rubberband';
const MOST_FILTERS_BYTES = 256 * 1024;

export function createFfmpeg({ program, path }: FfmpegOptions): Ffmpeg {
  const [command, ...prefix] = existsSync(PRLIMIT) ? [PRLIMIT, ...LIMITS, '--', program] : [program];

  const run: Ffmpeg['run'] = ({ args, input, file, mostOutput }) =>
    new Promise((resolve, reject) => {
      const child = spawn(command, [...prefix, ...args], {
        cwd: '/',
        // None of what the environment tells the service.
        env: { PATH: path },
        stdio: [input ? 'pipe' : 'ignore', 'pipe', 'ignore', ...(file === undefined ? [] : [file])],
      });
      yieldToOthers(child);
      let failure: FfmpegError | undefined;
      const end = (error: FfmpegError): void => {
        failure ??= error;
        child.kill('SIGKILL');
      };
      const deadline = setTimeout(() => end(new FfmpegError('too_slow')), RUN_TIMEOUT_MS);

      const output: Buffer[] = [];
      let size = 0;
      child.stdout?.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > mostOutput) end(new FfmpegError('too_much_output'));
        else output.push(chunk);
      });
      // It may end before it has read everything; its status says whether that was right.
      child.stdin?.on('error', () => undefined).end(input);
      child.once('error', (error) => {
        clearTimeout(deadline);
        reject(error);
      });
      child.once('close', (status) => {
        clearTimeout(deadline);
        if (status !== 0) failure ??= new FfmpegError('refused');
        if (failure) reject(failure);
        else resolve(Buffer.concat(output));
      });
    });

  return {
    run,
    async check() {
      const filters = await run({ args: ['-hide_banner', '-filters'], mostOutput: MOST_FILTERS_BYTES }).catch(
        () => undefined,
      );
      if (filters?.includes(` ${NEEDED_FILTER} `) !== true) {
        throw new AppError({
          code: 'unavailable',
          message: `There is no ffmpeg with the filter ${NEEDED_FILTER}. FFMPEG_BIN can name one.`,
        });
      }
    },
  };
}

/** Answering comes before altering. */
function yieldToOthers({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has ended already.
  }
}
