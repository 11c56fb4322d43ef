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
import { openSupervisor, type Supervisor } from '../processes/supervisor.js';
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

/** Not needed for texts, and slowest to prepare on a new machine. */
const FOR_MEDIA: readonly PartName[] = ['s3', 'ffmpeg'];

export type SystemPart = ServiceName | 'web';

/** Each service is a process. */
export interface System {
  /** Of the gateway. */
  readonly url: string;
  readonly infrastructure: Infrastructure;
  readonly adminSecret: string;
  urlOf(part: SystemPart): string;
  grpcOf(service: ServiceName): string;
  /** gRPC calls as this service. */
  callerOf(service: ServiceName): ServiceCaller;
  /** SIGKILL. Stays down until `restart`. */
  kill(part: SystemPart): Promise<void>;
  /** After SIGKILL it restarts by itself. */
  signal(part: SystemPart, signal: NodeJS.Signals): void;
  /** On the same port. Waits until it is ready. */
  restart(part: SystemPart): Promise<void>;
  /** Gateway, services, infrastructure. */
  stop(): Promise<void>;
}

export interface SystemOptions {
  dataDir: string;
  reporter: Reporter;
  /** Of the gateway; free by default. */
  port?: number;
  signal?: AbortSignal;
  environment?: Environment;
  /** Started for this system even if the environment names a server. */
  ownParts?: readonly PartName[];
  /** Otherwise everything is removed, even after a kill. */
  persistent?: boolean;
  /** Resolves when all but the infrastructure is ready. */
  prepared?: Promise<unknown>;
  /** Called when texts work. Media start then, and may be missing. By default everything starts together. */
  onTextsWork?: () => void;
  databasePrefix?: string;
  /** Another version on the same data, or proxies between its services. */
  overrides?: Partial<SystemOverrides>;
}

/** Shared by two versions of the system. */
export interface SystemOverrides {
  /** This one by default. */
  checkout?: string;
  secrets: Secrets;
  ports: Wiring['ports'];
  /** Ports at which a service calls others, if different from `ports`. */
  callsOf: (caller: ServiceName) => Partial<Wiring['ports']>;
  /** For each service. */
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

type Basics = Omit<Wiring, 'infrastructure'>;

class Programs {
  readonly #programs = new Map<SystemPart, Program>();
  readonly #starting = new AbortController();
  readonly #stopping = new AbortController();
  /** Also aborts once a part does not start. */
  readonly signal: AbortSignal;
  readonly #reporter: Reporter;

  constructor(
    readonly basics: Basics,
    readonly supervisor: Supervisor,
    readonly options: SystemOptions,
  ) {
    const { signal, reporter } = options;
    this.signal = AbortSignal.any([this.#stopping.signal, this.#starting.signal, ...(signal ? [signal] : [])]);
    // Hides lost connections during shutdown.
    this.#reporter = {
      step: (name) => reporter.step(name),
      say: (line) => this.#stopping.signal.aborted || reporter.say(line),
    };
  }

  urlOf(part: SystemPart): string {
    return `http://${HOST}:${this.basics.ports[part].http}`;
  }

  of(part: SystemPart): Program {
    const program = this.#programs.get(part);
    if (!program) throw new Error(`Unknown part: ${part}.`);
    return program;
  }

  #create(name: SystemPart, infrastructure: Infrastructure['env']): Program {
    const { basics, options } = this;
    const { overrides } = options;
    const common = { name, url: this.urlOf(name), supervisor: this.supervisor, reporter: this.#reporter };
    if (name === 'web')
      return createServiceProgram({
        ...common,
        ...webServerProgram({ host: HOST, port: basics.ports.web.http, copy: path.join(options.dataDir, 'client') }),
      });
    return createServiceProgram({
      ...common,
      main: path.join(overrides?.checkout ?? checkoutRoot, 'services', name, 'dist/main.js'),
      env: environmentOf(name, {
        ...basics,
        infrastructure,
        ports: { ...basics.ports, ...overrides?.callsOf?.(name), [name]: basics.ports[name] },
      }),
      nodeOptions: overrides?.nodeOptions ?? [],
    });
  }

  async start(
    title: string,
    names: readonly SystemPart[],
    { parts, env }: Pick<Infrastructure, 'parts' | 'env'>,
  ): Promise<void> {
    const started = names.map((name) => {
      const program = this.#create(name, env);
      this.#programs.set(name, program);
      return program;
    });
    const step = this.options.reporter.step(title);
    step.doing(`starting ${names.join(', ')}`);
    const results = await Promise.allSettled(
      started.map(async (program) => {
        try {
          await program.start(this.signal);
        } catch (error) {
          // Cancels the others.
          this.#starting.abort(error);
          throw error;
        }
      }),
    );
    if (results.some(({ status }) => status === 'rejected')) {
      step.fail();
      throw this.signal.reason;
    }
    step.done(`${started.length} ready`);
    for (const program of [...started, ...Object.values(parts).flatMap(({ program }) => program ?? [])])
      keepRunning(program, { reporter: this.#reporter, signal: this.#stopping.signal });
  }

  async restart(part: SystemPart): Promise<void> {
    await this.of(part).stop();
    await this.of(part).start(this.#stopping.signal);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#programs.get('gateway')?.stop();
    await Promise.all(Array.from(this.#programs.values(), (program) => program.stop()));
  }
}

/** Media may come later, and be missing. */
async function startInSteps(
  programs: Programs,
  { take, stop }: BegunInfrastructure,
  later: readonly PartName[],
): Promise<Infrastructure> {
  const { prepared, reporter, onTextsWork } = programs.options;
  const [first] = await Promise.all([take(PART_NAMES.filter((name) => !later.includes(name))), prepared]);
  const isLater = (name: SystemPart): boolean => onTextsWork !== undefined && name === 'media';
  const all = ['web', ...SERVICE_NAMES] as const;
  await programs.start(
    'Services',
    all.filter((name) => !isLater(name)),
    first,
  );
  let infrastructure: Infrastructure = { ...first, stop };
  if (!onTextsWork) return infrastructure;
  onTextsWork();
  try {
    const rest = await take(later);
    infrastructure = { parts: { ...first.parts, ...rest.parts }, env: { ...first.env, ...rest.env }, stop };
    await programs.start('Pictures and voices', all.filter(isLater), { parts: rest.parts, env: infrastructure.env });
  } catch (error) {
    programs.signal.throwIfAborted();
    if (!isSetupError(error)) throw error;
    reporter.say(`${error.message} Until the next start there are neither pictures nor voice messages.`);
  }
  return infrastructure;
}

/**
 * Keeps it running.
 * @throws {SetupError} if a part does not start; all others are stopped then
 */
export async function startSystem(options: SystemOptions): Promise<System> {
  const { dataDir, reporter, ownParts = [], persistent = true, databasePrefix, overrides, onTextsWork } = options;
  const hidden = new Set(ownParts.flatMap((name) => VARIABLES[name]));
  const environment = Object.fromEntries(
    Object.entries(options.environment ?? process.env).filter(([name]) => !hidden.has(name)),
  );
  await makePrivateFolder(dataDir);
  const basics = {
    host: HOST,
    ports: overrides?.ports ?? (await choosePorts(options.port)),
    secrets: overrides?.secrets ?? (await provideSecrets(dataDir, environment)),
    own: environment,
    ...(databasePrefix !== undefined && { databasePrefix }),
  };
  await checkConfiguration(basics);

  const supervisor = await openSupervisor(dataDir, { temporary: !persistent });
  const programs = new Programs(basics, supervisor, options);
  let begun: BegunInfrastructure | undefined;
  const stop = async (): Promise<void> => {
    await programs.stop();
    await begun?.stop();
    await supervisor.release();
  };

  try {
    const later = onTextsWork ? FOR_MEDIA : [];
    const { signal } = programs;
    begun = await beginInfrastructure({ dataDir, reporter, environment, persistent, supervisor, signal }, later);
    const infrastructure = await startInSteps(programs, begun, later);
    return {
      url: programs.urlOf('gateway'),
      infrastructure,
      adminSecret: basics.secrets.ADMIN_SECRET,
      urlOf: (part) => programs.urlOf(part),
      grpcOf: (service) => `${HOST}:${basics.ports[service].grpc}`,
      callerOf: (service) => createServiceCaller(service, createPrivateKey(basics.secrets.servicePrivateKeys[service])),
      kill: (part) => programs.of(part).kill(),
      signal: (part, signal) => programs.of(part).signal(signal),
      restart: (part) => programs.restart(part),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
