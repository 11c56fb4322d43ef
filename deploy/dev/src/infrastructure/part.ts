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

/** In order of preference. */
export type Source = 'environment' | 'path' | 'docker' | 'prepared';

export interface ProvidedPart {
  readonly name: PartName;
  readonly source: Source;
  /** For people. */
  readonly description: string;
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
  /** For crash tests. */
  readonly program?: Program;
  /** SIGKILL. Undefined if we started none. */
  kill?(): Promise<void>;
  /** On the same port and data, after `kill` or `stop`. */
  restart?(): Promise<void>;
}

export interface ProviderContext {
  environment: Environment;
  reporter: Reporter;
  supervisor: Supervisor;
  cache: Cache;
  debian: Debian;
  /** Otherwise data is removed after a stop. */
  persistent: boolean;
  /** Without it, data survives a killed server but not a power loss. */
  syncsToDisk: boolean;
  signal: AbortSignal;
}

export interface Provider {
  source: Source;
  /**
   * @returns undefined if not applicable
   * @throws {Unavailable}
   */
  take(step: Step): Promise<ProvidedPart | undefined>;
}

/** Drawn once, and kept with the data. */
export const loadCredentials = async (
  { folder }: Supervisor,
  server: string,
): Promise<{ user: string; password: string }> => ({
  user: await loadOrCreateSecret(path.join(folder, `${server}-user`), createUserName),
  password: await loadOrCreateSecret(path.join(folder, `${server}-secret`), createPassword),
});

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

export const programEnvironment = (environment: Environment): Record<string, string> => ({
  PATH: environment['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
  HOME: environment['HOME'] ?? '/',
  LANG: 'C.UTF-8',
});
