import { createPrivateKey } from 'node:crypto';
import path from 'node:path';
import { createServiceCaller, type ServiceCaller } from '@najwa/common/grpc';
import { checkoutRoot, isSetupError, type Environment } from '../bootstrap/environment.js';
import { VARIABLES } from '../infrastructure/from-environment.js';
import {
  beginInfrastructure,
  PART_NAMES,
  type BegunInfrastructure,
  type Infrastructure,
  type PartName,
} from '../infrastructure/index.js';
import { makePrivateFolder } from '../private-files.js';
import { keepRunning } from '../processes/keep-running.js';
import { freePort } from '../processes/ports.js';
import type { Program } from '../processes/program.js';
import { openSupervisor } from '../processes/supervisor.js';
import type { Reporter } from '../reporter.js';
import { webServerProgram } from '../web-server/program.js';
import { checkConfiguration } from './configuration.js';
import {
  environmentOf,
  SERVICE_NAMES,
  type Ports,
  type Secrets,
  type ServiceName,
  type Wiring,
} from './environment.js';
import { provideSecrets } from './secrets.js';
import { createServiceProgram } from './service-program.js';

const HOST = '127.0.0.1';

/** Not needed for texts: they take longest to prepare on a new machine. */
const FOR_MEDIA: readonly PartName[] = ['s3', 'ffmpeg'];

export type SystemPart = ServiceName | 'web';

/** The whole system, each service as a process of its own. */
export interface System {
  /** The gateway's address. */
  readonly url: string;
  readonly infrastructure: Infrastructure;
  readonly adminSecret: string;
  urlOf(part: SystemPart): string;
  grpcOf(service: ServiceName): string;
  /** Calls other services over gRPC in the name of a service. */
  callerOf(service: ServiceName): ServiceCaller;
  /** Sends SIGKILL. The part stays down until `restart`. */
  kill(part: SystemPart): Promise<void>;
  /** Signals a part that is kept running: after SIGKILL it starts again by itself. */
  signal(part: SystemPart, signal: NodeJS.Signals): void;
  /** Starts a service again, on the same port, and waits until it is ready. */
  restart(part: SystemPart): Promise<void>;
  /** Stops the gateway, then services, then infrastructure. */
  stop(): Promise<void>;
}

export interface SystemOptions {
  dataDir: string;
  reporter: Reporter;
  /** The gateway's port; a free one unless given. */
  port?: number;
  signal?: AbortSignal;
  environment?: Environment;
  /** Parts of the infrastructure to start for this system alone, even if the environment names a server. */
  ownParts?: readonly PartName[];
  /** Keeps data between starts. Otherwise everything is removed, even after a kill. */
  persistent?: boolean;
  /** Everything that services need beside the infrastructure. By default it is there. */
  prepared?: Promise<unknown>;
  /**
   * Called when texts work. What pictures and voices need is only begun then, and if it cannot be had, the system runs
   * without. By default everything starts together.
   */
  onTextsWork?: () => void;
  databasePrefix?: string;
  /** Another version that runs beside this system on the same data, or proxies that it calls its own services through. */
  beside?: Partial<Beside>;
}

/** Data that two versions of the system share, and services that they call of each other. */
export interface Beside {
  /** Root of the checkout with the compiled services; this one unless given. */
  checkout?: string;
  secrets: Secrets;
  ports: Wiring['ports'];
  /** Ports at which a service of this system calls others, where they differ from `ports`. */
  callsOf: (caller: ServiceName) => Partial<Wiring['ports']>;
  /** Options of Node.js for each service. */
  nodeOptions: readonly string[];
}

export async function choosePorts(gateway?: number): Promise<Wiring['ports']> {
  const taken = new Set<number | undefined>([gateway]);
  const next = async (): Promise<number> => {
    for (;;) {
      const port = await freePort();
      if (taken.has(port)) continue;
      taken.add(port);
      return port;
    }
  };
  const ports: Partial<Record<SystemPart, Ports>> = {};
  for (const name of [...SERVICE_NAMES, 'web'] as const)
    ports[name] = { http: name === 'gateway' && gateway !== undefined ? gateway : await next(), grpc: await next() };
  return ports as Wiring['ports'];
}

/**
 * Starts the compiled system and keeps it running.
 * @throws {SetupError} when a part does not start; everything that was started is stopped then
 */
export async function startSystem(options: SystemOptions): Promise<System> {
  const {
    dataDir,
    reporter,
    ownParts = [],
    persistent = true,
    databasePrefix,
    beside,
    prepared,
    onTextsWork,
  } = options;
  const hidden = new Set(ownParts.flatMap((name) => VARIABLES[name]));
  const environment = Object.fromEntries(
    Object.entries(options.environment ?? process.env).filter(([name]) => !hidden.has(name)),
  );
  await makePrivateFolder(dataDir);
  const basics = {
    host: HOST,
    ports: beside?.ports ?? (await choosePorts(options.port)),
    secrets: beside?.secrets ?? (await provideSecrets(dataDir, environment)),
    own: environment,
    ...(databasePrefix !== undefined && { databasePrefix }),
  };
  await checkConfiguration(basics);

  const stopping = new AbortController();
  const starting = new AbortController();
  const signal = AbortSignal.any([stopping.signal, starting.signal, ...(options.signal ? [options.signal] : [])]);
  const supervisor = await openSupervisor(dataDir, { temporary: !persistent });
  // Hide messages about lost connections during shutdown.
  const whileRunning: Reporter = {
    step: (name) => reporter.step(name),
    say: (line) => stopping.signal.aborted || reporter.say(line),
  };
  const programs = new Map<SystemPart, Program>();
  let begun: BegunInfrastructure | undefined;

  const stop = async (): Promise<void> => {
    stopping.abort();
    await programs.get('gateway')?.stop();
    await Promise.all([...programs.values()].map((program) => program.stop()));
    await begun?.stop();
    await supervisor.release();
  };

  const urlOf = (part: SystemPart): string => `http://${HOST}:${basics.ports[part].http}`;

  const createOne = (name: SystemPart, infrastructure: Infrastructure['env']): Program => {
    const common = { name, url: urlOf(name), supervisor, reporter: whileRunning };
    if (name === 'web')
      return createServiceProgram({
        ...common,
        ...webServerProgram({ host: HOST, port: basics.ports.web.http, copy: path.join(dataDir, 'client') }),
      });
    return createServiceProgram({
      ...common,
      main: path.join(beside?.checkout ?? checkoutRoot, 'services', name, 'dist/main.js'),
      env: environmentOf(name, {
        ...basics,
        infrastructure,
        ports: { ...basics.ports, ...beside?.callsOf?.(name), [name]: basics.ports[name] },
      }),
      nodeOptions: beside?.nodeOptions ?? [],
    });
  };

  /** Starts what needs nothing but these parts, and keeps all of it running. */
  const startAll = async (
    title: string,
    names: readonly SystemPart[],
    { parts, env }: Pick<Infrastructure, 'parts' | 'env'>,
  ): Promise<void> => {
    const started = names.map((name) => {
      const program = createOne(name, env);
      programs.set(name, program);
      return program;
    });
    const step = reporter.step(title);
    step.doing(`starting ${names.join(', ')}`);
    const results = await Promise.allSettled(
      started.map(async (program) => {
        try {
          await program.start(signal);
        } catch (error) {
          // Stop waiting for the others.
          starting.abort(error);
          throw error;
        }
      }),
    );
    if (results.some(({ status }) => status === 'rejected')) {
      step.fail();
      throw signal.reason;
    }
    step.done(`${started.length} ready`);
    for (const program of [...started, ...Object.values(parts).flatMap(({ program }) => program ?? [])])
      keepRunning(program, { reporter: whileRunning, signal: stopping.signal });
  };

  try {
    const later = onTextsWork ? FOR_MEDIA : [];
    begun = await beginInfrastructure({ dataDir, reporter, environment, persistent, supervisor, signal }, later);
    const { take } = begun;
    const [first] = await Promise.all([take(PART_NAMES.filter((name) => !later.includes(name))), prepared]);
    const isLater = (name: SystemPart): boolean => onTextsWork !== undefined && name === 'media';
    const all = ['web', ...SERVICE_NAMES] as const;
    await startAll(
      'Services',
      all.filter((name) => !isLater(name)),
      first,
    );
    let infrastructure: Infrastructure = { ...first, stop: begun.stop };
    if (onTextsWork) {
      onTextsWork();
      try {
        const rest = await take(later);
        infrastructure = {
          parts: { ...first.parts, ...rest.parts },
          env: { ...first.env, ...rest.env },
          stop: begun.stop,
        };
        await startAll('Pictures and voices', all.filter(isLater), { parts: rest.parts, env: infrastructure.env });
      } catch (error) {
        signal.throwIfAborted();
        if (!isSetupError(error)) throw error;
        reporter.say(`${error.message} Until the next start there are neither pictures nor voice messages.`);
      }
    }

    const programOf = (part: SystemPart): Program => {
      const program = programs.get(part);
      if (!program) throw new Error(`Unknown part: ${part}.`);
      return program;
    };
    return {
      url: urlOf('gateway'),
      infrastructure,
      adminSecret: basics.secrets.ADMIN_SECRET,
      urlOf,
      grpcOf: (service) => `${HOST}:${basics.ports[service].grpc}`,
      callerOf: (service) => createServiceCaller(service, createPrivateKey(basics.secrets.servicePrivateKeys[service])),
      kill: (part) => programOf(part).kill(),
      signal: (part, signal) => programOf(part).signal(signal),
      restart: async (part) => {
        await programOf(part).stop();
        await programOf(part).start(stopping.signal);
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
