import type { Environment } from '../bootstrap/environment.js';
import { openSupervisor, type Supervisor } from '../processes/supervisor.js';
import type { Reporter } from '../reporter.js';
import { amqpWays } from './amqp.js';
import { ffmpegWays } from './ffmpeg.js';
import { VARIABLES } from './from-environment.js';
import { mongoWays } from './mongo.js';
import { PART_NAMES, type PartName, type ProvidedPart, type Setting, type Way } from './part.js';
import { createCache } from '../bootstrap/cache.js';
import { createDebian } from './prepare/debian.js';
import { resolvePart } from './resolve.js';
import { s3Ways } from './s3.js';

export type { PartName, ProvidedPart, Source } from './part.js';

/** Every server and program that the services need. */
export interface Infrastructure {
  readonly parts: Readonly<Record<PartName, ProvidedPart>>;
  /** The variables that lead the services to all of it. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

export interface InfrastructureOptions {
  /** Where what we start keeps its data. */
  dataDir: string;
  reporter: Reporter;
  signal?: AbortSignal;
  /** Whether the data must outlive us, also that of containers. If not, nothing of it is left even when we are killed. */
  persistent?: boolean;
  environment?: Environment;
  /** Whose processes they become; one of `dataDir` unless given. */
  supervisor?: Supervisor;
}

const PARTS: Readonly<Record<PartName, { title: string; ways: (setting: Setting) => Way[] }>> = {
  mongo: { title: 'MongoDB', ways: mongoWays },
  amqp: { title: 'RabbitMQ', ways: amqpWays },
  s3: { title: 'MinIO', ways: s3Ways },
  ffmpeg: { title: 'ffmpeg', ways: ffmpegWays },
};

const waysOut = (name: PartName): string => {
  const set = `set ${VARIABLES[name].join(', ')}`;
  return name === 'ffmpeg' ? `install it, or ${set}` : `start a Docker engine, or ${set}`;
};

const SOURCES = {
  environment: 'from the environment',
  path: 'found on PATH',
  docker: 'in Docker',
  prepared: 'prepared here',
} as const;

/**
 * Gets each part from the environment, from PATH, from Docker, or prepares it, whichever works first.
 * @throws {SetupError} when a part cannot be had; nothing that was started is left then
 */
export async function provideInfrastructure(options: InfrastructureOptions): Promise<Infrastructure> {
  const { dataDir, reporter, persistent = true, environment = process.env } = options;
  const failure = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, failure.signal]) : failure.signal;
  const supervisor = options.supervisor ?? (await openSupervisor(dataDir, { temporary: !persistent }));
  const setting: Setting = {
    environment,
    reporter,
    supervisor,
    cache: createCache(environment),
    debian: createDebian({ supervisor, signal }),
    persistent,
    signal,
  };

  const provide = async (name: PartName): Promise<ProvidedPart> => {
    const { title, ways } = PARTS[name];
    const step = reporter.step(title);
    try {
      const part = await resolvePart(ways(setting), step, { title, waysOut: waysOut(name), signal });
      step.done(`${part.description}, ${SOURCES[part.source]}`);
      return part;
    } catch (error) {
      step.fail();
      // The others need not be prepared any more.
      failure.abort(error);
      throw error;
    }
  };

  const results = await Promise.allSettled(PART_NAMES.map(provide));
  const provided = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const stop = async (): Promise<void> => {
    await Promise.all(provided.map((part) => part.stop()));
    if (!options.supervisor) await supervisor.release();
  };
  if (provided.length < PART_NAMES.length) {
    await stop();
    throw signal.reason;
  }
  return {
    parts: Object.fromEntries(provided.map((part) => [part.name, part])) as Record<PartName, ProvidedPart>,
    env: Object.assign({}, ...provided.map((part) => part.env)) as Record<string, string>,
    stop,
  };
}
