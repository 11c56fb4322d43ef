import type { Environment } from '../bootstrap/environment.js';
import { openSupervisor, type Supervisor } from '../processes/supervisor.js';
import type { Reporter } from '../reporter.js';
import { amqpProviders } from './amqp.js';
import { ffmpegProviders } from './ffmpeg.js';
import { VARIABLES } from './from-environment.js';
import { mongoProviders } from './mongo.js';
import {
  PART_NAMES,
  type PartName,
  type ProvidedPart,
  type Provider,
  type ProviderContext,
  type Source,
} from './part.js';
import { createCache } from '../bootstrap/cache.js';
import { Debian } from './prepare/debian.js';
import { resolvePart } from './resolve.js';
import { s3Providers } from './s3.js';

export { PART_NAMES, type PartName, type ProvidedPart, type Source } from './part.js';

export interface Infrastructure {
  readonly parts: Readonly<Record<PartName, ProvidedPart>>;
  /** Point the services to all parts. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

export interface InfrastructureOptions {
  /** Of the servers that are started. */
  dataDir: string;
  reporter: Reporter;
  signal?: AbortSignal;
  /** Otherwise data is removed, even after a kill. */
  persistent?: boolean;
  /** True by default, as for servers. */
  syncsToDisk?: boolean;
  environment?: Environment;
  /** For servers. Programs may come from any source. */
  only?: Source;
  /** All by default. */
  wanted?: readonly PartName[];
  /** A new one of `dataDir` by default. */
  supervisor?: Supervisor;
  /** Pass yours if you install packages too: apt allows one process. */
  debian?: Debian;
}

const PARTS: Readonly<Record<PartName, { title: string; providers: (context: ProviderContext) => Provider[] }>> = {
  mongo: { title: 'MongoDB', providers: mongoProviders },
  amqp: { title: 'RabbitMQ', providers: amqpProviders },
  s3: { title: 'MinIO', providers: s3Providers },
  ffmpeg: { title: 'ffmpeg', providers: ffmpegProviders },
};

const advice = (name: PartName): string => {
  const set = `set ${VARIABLES[name].join(', ')}`;
  return name === 'ffmpeg' ? `install it, or ${set}` : `start a Docker engine, or ${set}`;
};

const SOURCES = {
  environment: 'from the environment',
  path: 'found on PATH',
  docker: 'in Docker',
  prepared: 'prepared here',
} as const;

/** Each part is available as soon as it is ready. */
export interface BegunInfrastructure {
  /** @throws {SetupError} if one is unavailable */
  take: (names: readonly PartName[]) => Promise<Pick<Infrastructure, 'parts' | 'env'>>;
  /** Cancels preparations. */
  stop: () => Promise<void>;
}

/**
 * Takes each part from the first source that works: environment, PATH, Docker, or prepared here.
 * @param joining begin after the others, and may fail alone
 */
export async function beginInfrastructure(
  options: InfrastructureOptions,
  joining: readonly PartName[] = [],
): Promise<BegunInfrastructure> {
  const { dataDir, reporter, persistent = true, syncsToDisk = true, environment = process.env } = options;
  const { only, wanted = PART_NAMES } = options;
  const failure = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, failure.signal]) : failure.signal;
  const supervisor = options.supervisor ?? (await openSupervisor(dataDir, { temporary: !persistent }));
  const context: ProviderContext = {
    environment,
    reporter,
    supervisor,
    cache: createCache(environment),
    debian: options.debian ?? new Debian(supervisor, signal),
    persistent,
    syncsToDisk,
    signal,
  };

  const provide = async (name: PartName): Promise<ProvidedPart> => {
    const { title, providers } = PARTS[name];
    const step = reporter.step(title);
    try {
      const all = providers(context);
      const fromThere = all.filter(({ source }) => source === only);
      const part = await resolvePart(fromThere.length > 0 ? fromThere : all, step, {
        title,
        advice: advice(name),
        signal,
      });
      step.done(`${part.description}, ${SOURCES[part.source]}`);
      return part;
    } catch (error) {
      step.fail();
      // Cancels the other parts.
      if (!joining.includes(name)) failure.abort(error);
      throw error;
    }
  };

  const providing = new Map<PartName, Promise<ProvidedPart>>();
  const begin = (name: PartName, after?: Promise<unknown>): void => {
    const part = after === undefined ? provide(name) : after.then(() => provide(name));
    // Reported by `take`.
    part.catch(() => undefined);
    providing.set(name, part);
  };
  for (const name of wanted) if (!joining.includes(name)) begin(name);
  const others = Promise.all(providing.values());
  others.catch(() => undefined);
  for (const name of wanted) if (joining.includes(name)) begin(name, others);

  return {
    async take(names) {
      const results = await Promise.allSettled(names.flatMap((name) => providing.get(name) ?? []));
      const provided = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
      const failed = results.find((result) => result.status === 'rejected');
      // The first failure caused the others.
      if (failed) throw failure.signal.aborted ? failure.signal.reason : failed.reason;
      return {
        parts: Object.fromEntries(provided.map((part) => [part.name, part])) as Record<PartName, ProvidedPart>,
        env: Object.assign({}, ...provided.map((part) => part.env)) as Record<string, string>,
      };
    },
    async stop() {
      failure.abort(new Error('Everything is being stopped.'));
      const results = await Promise.allSettled(providing.values());
      await Promise.all(results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.stop()] : [])));
      if (!options.supervisor) await supervisor.release();
    },
  };
}

/** @throws {SetupError} if a part is unavailable; all others are stopped then */
export async function provideInfrastructure(options: InfrastructureOptions): Promise<Infrastructure> {
  const { take, stop } = await beginInfrastructure(options);
  try {
    return { ...(await take(options.wanted ?? PART_NAMES)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
