import type { Environment } from '../bootstrap/environment.js';
import type { Reporter, Step } from '../reporter.js';
import type { Program } from '../processes/program.js';
import type { Supervisor } from '../processes/supervisor.js';
import type { Cache } from '../bootstrap/cache.js';
import type { Debian } from './prepare/debian.js';

export const PART_NAMES = ['mongo', 'amqp', 's3', 'ffmpeg'] as const;
export type PartName = (typeof PART_NAMES)[number];

/** Where a part was taken from, in the order in which they are tried. */
export type Source = 'environment' | 'path' | 'docker' | 'prepared';

/** A part of the infrastructure that can be used. */
export interface ProvidedPart {
  readonly name: PartName;
  readonly source: Source;
  /** What was taken, for people. */
  readonly description: string;
  /** The variables that lead a service to it. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
  /** The processes behind it, when it was started as processes: for crash tests, and to restart it when it crashes. */
  readonly program?: Program;
  /** SIGKILL to all of it. Only where we started it as processes. */
  kill?(): Promise<void>;
  /** Starts it again after `kill` or `stop`, on the same port and data. */
  restart?(): Promise<void>;
}

/** What a way to get a part may use. */
export interface Setting {
  environment: Environment;
  reporter: Reporter;
  supervisor: Supervisor;
  cache: Cache;
  debian: Debian;
  /** Whether the data must outlive the stop: also that of a container. */
  persistent: boolean;
  signal: AbortSignal;
}

/** One way to get a part. */
export interface Way {
  source: Source;
  /**
   * @returns undefined when nothing of this kind was asked for
   * @throws {Unavailable} saying why the part cannot be had in this way
   */
  take(step: Step): Promise<ProvidedPart | undefined>;
}

/** Makes a part of a program and starts it. */
export async function partOfProgram(
  program: Program,
  part: Pick<ProvidedPart, 'name' | 'source' | 'description' | 'env'>,
  signal: AbortSignal,
): Promise<ProvidedPart> {
  await program.start(signal);
  return {
    ...part,
    program,
    stop: () => program.stop(),
    kill: () => program.kill(),
    restart: async () => {
      await program.stop();
      await program.start();
    },
  };
}

/** What every program of the infrastructure inherits of our environment. */
export const programEnvironment = (environment: Environment): Record<string, string> => ({
  PATH: environment['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
  HOME: environment['HOME'] ?? '/',
  LANG: 'C.UTF-8',
});
