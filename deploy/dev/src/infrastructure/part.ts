import path from 'node:path';
import type { Environment } from '../bootstrap/environment.js';
import { createPassword, createUserName } from '../bootstrap/keys.js';
import { loadOrCreateSecret } from '../private-files.js';
import type { Reporter, Step } from '../reporter.js';
import type { Program } from '../processes/program.js';
import type { Supervisor } from '../processes/supervisor.js';
import type { Cache } from '../bootstrap/cache.js';
import type { Debian } from './prepare/debian.js';

export const PART_NAMES = ['mongo', 'amqp', 's3', 'ffmpeg'] as const;
export type PartName = (typeof PART_NAMES)[number];

/** Sources of a part, in the order in which they are tried. */
export type Source = 'environment' | 'path' | 'docker' | 'prepared';

/** A part of the infrastructure that is ready for use. */
export interface ProvidedPart {
  readonly name: PartName;
  readonly source: Source;
  /** Shown to people. */
  readonly description: string;
  /** Variables that point services to it. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
  /** Its processes, if we started any: for crash tests, and to restart it after a crash. */
  readonly program?: Program;
  /** Sends SIGKILL to all its processes. Undefined if we started none. */
  kill?(): Promise<void>;
  /** Starts it again after `kill` or `stop`, on the same port and data. */
  restart?(): Promise<void>;
}

/** Dependencies of providers. */
export interface ProviderContext {
  environment: Environment;
  reporter: Reporter;
  supervisor: Supervisor;
  cache: Cache;
  debian: Debian;
  /** Keeps data after a stop, also that of a container. */
  persistent: boolean;
  /** Flushes accepted data to the disk. Without it, data survives a killed server but not a machine that loses power. */
  syncsToDisk: boolean;
  signal: AbortSignal;
}

/** One source of a part. */
export interface Provider {
  source: Source;
  /**
   * @returns undefined if this source does not apply
   * @throws {Unavailable} saying why this source cannot provide the part
   */
  take(step: Step): Promise<ProvidedPart | undefined>;
}

/** Loads the user and the password of a server that we start. They are drawn once, and stay with its data. */
export const loadCredentials = async (
  { folder }: Supervisor,
  server: string,
): Promise<{ user: string; password: string }> => ({
  user: await loadOrCreateSecret(path.join(folder, `${server}-user`), createUserName),
  password: await loadOrCreateSecret(path.join(folder, `${server}-secret`), createPassword),
});

/** Starts a program and describes it as a part. */
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

/** Variables that every server inherits from our environment. */
export const programEnvironment = (environment: Environment): Record<string, string> => ({
  PATH: environment['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
  HOME: environment['HOME'] ?? '/',
  LANG: 'C.UTF-8',
});
