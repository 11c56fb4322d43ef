import { createHash, createPrivateKey, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { EventBus, SUBSCRIBERS, type Subscriber } from '@najwa/common/amqp';
import type { Environment } from '@najwa/common/config';
import { createGrpcClient, createServiceCaller, publicKeyEntry, unary, type ServiceCaller } from '@najwa/common/grpc';
import { createIdentitySigner } from '@najwa/common/identity';
import { createLogger } from '@najwa/common/logging';
import { Metrics } from '@najwa/common/metrics';
import type { Database } from '@najwa/common/mongo';
import { encryptBytes, sealingKeys } from '@najwa/common/sealing';
import { SERVICE_NAMES, type ServiceName } from '@najwa/dev/system/environment';
import { SERVICE_MODULES, type RunningService } from '@najwa/dev/system/service-module';
import { createEnvironmentKeyWrapper, traceOwner } from '@najwa/product';
import { AuthServiceClient, type ResolveSessionResponse } from '@najwa/proto/auth';
import type { Event, SealedTrace, SenderTrace } from '@najwa/proto/events';
import { TrackingServiceClient, type TrackingRecord } from '@najwa/proto/tracking';
import { callService, identityToken, type Answer, type CallerIdentity, type CallOptions } from './call.js';
import { deleteTopology, dropDatabase } from './cleanup.js';
import { eventually } from './eventually.js';
import {
  accountFrom,
  buildMessage,
  buildRegistration,
  messageFrom,
  PASSWORD,
  type BedAccount,
  type NewMessage,
  type Registration,
  type SentMessage,
} from './factories.js';
import { openDatabase } from './open-database.js';
import { createOpenApiChecker, type OpenApiChecker } from './openapi.js';
import { chosenShell, requiredVariable } from './required-variable.js';
import { createTestLogger } from './test-logs.js';

export interface TestBedOptions {
  services: ServiceName[];
  /** For every service. */
  env?: Record<string, string>;
  /** Prefix of databases and queues, and the bucket: of a restored backup. New by default. */
  run?: string;
  onLogLine?: (line: string) => void;
  /** Of contexts. */
  overrides?: Partial<Record<ServiceName, object>>;
}

const createKeyPair = () =>
  generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });

/** Nothing listens here. */
const NOWHERE = '127.0.0.1:1';

/** Only these queues: a quorum queue syncs to the disk about ten times. */
const subscribersIn = (services: readonly ServiceName[]): Subscriber[] =>
  SUBSCRIBERS.filter((subscriber) => services.includes(subscriber === 'push' ? 'messages' : subscriber));

/** Once per process. */
let checker: OpenApiChecker | undefined;

/** Real services in this process, on real infrastructure, with their own databases, queues and bucket, of one file. */
export class TestBed {
  /** Of all services. */
  readonly environment: Record<string, string>;
  readonly eventually = eventually;
  readonly #keys = createKeyPair();
  readonly #signer = createIdentitySigner(this.#keys.privateKey);
  readonly #serviceKeys = Object.fromEntries(SERVICE_NAMES.map((name) => [name, createKeyPair().privateKey])) as Record<
    ServiceName,
    string
  >;
  readonly #run: string;
  readonly #subscribers: Subscriber[];
  readonly #databases: string[] = [];
  readonly #started = new Map<ServiceName, RunningService>();
  readonly #closers: (() => Promise<void> | void)[] = [];
  #bus: Promise<EventBus> | undefined;
  #auth: AuthServiceClient | undefined;

  private constructor({ services, env = {}, run = `test-${randomUUID().slice(0, 8)}` }: TestBedOptions) {
    this.#run = run;
    this.#subscribers = subscribersIn(services);
    const infrastructure = ['MONGO_URL', 'AMQP_URL', 'S3_ENDPOINT', 'S3_ACCESS_KEY', 'S3_SECRET_KEY', 'FFMPEG_BIN'];
    this.environment = {
      ...Object.fromEntries(infrastructure.map((name) => [name, requiredVariable(name)])),
      HOST: '127.0.0.1',
      PORT: '0',
      GRPC_PORT: '0',
      LOG_LEVEL: 'silent',
      AMQP_PREFIX: run,
      AMQP_SUBSCRIBERS: this.#subscribers.join(),
      S3_BUCKET: run,
      IDENTITY_PUBLIC_KEY: this.#keys.publicKey,
      IDENTITY_PRIVATE_KEY: this.#keys.privateKey,
      SERVICE_PUBLIC_KEYS: SERVICE_NAMES.map((name) => publicKeyEntry(name, this.#serviceKeys[name])).join(','),
      WEB_URL: `http://${NOWHERE}`,
      ...chosenShell(),
      ADMIN_SECRET: randomUUID(),
      ACCOUNT_KEYS: randomBytes(32).toString('base64'),
      MODERATION_KEYS: randomBytes(32).toString('base64'),
      SENDER_KEYS: randomBytes(32).toString('base64'),
      PUSH_KEYS: randomBytes(32).toString('base64'),
      ...Object.fromEntries(
        SERVICE_NAMES.flatMap((name) => [
          [`${name.toUpperCase()}_GRPC`, NOWHERE],
          [`${name.toUpperCase()}_URL`, `http://${NOWHERE}`],
        ]),
      ),
      ...env,
    };
  }

  static async start(options: TestBedOptions): Promise<TestBed> {
    const bed = new TestBed(options);
    try {
      for (const name of SERVICE_NAMES.filter((candidate) => options.services.includes(candidate)))
        await bed.#startService(name, options);
      return bed;
    } catch (error) {
      await bed.stop();
      throw error;
    }
  }

  async #startService(name: ServiceName, { onLogLine, overrides = {} }: TestBedOptions): Promise<void> {
    const module = await SERVICE_MODULES[name]();
    this.#databases.push(this.#databaseOf(name));
    const logger = onLogLine
      ? createLogger({ service: name, level: 'debug', destination: { write: onLogLine } })
      : createTestLogger(this.#run, name);
    const config = module.loadConfig(this.environmentOf(name)) as never;
    const service = await module.create(config, { ...overrides[name], logger });
    this.#started.set(name, service);
    await service.start();
    const { http, grpc } = service.ports();
    this.environment[`${name.toUpperCase()}_URL`] = `http://127.0.0.1:${http}`;
    if (grpc !== undefined) this.environment[`${name.toUpperCase()}_GRPC`] = `127.0.0.1:${grpc}`;
  }

  async stop(): Promise<void> {
    for (const close of this.#closers.splice(0).reverse()) await close();
    for (const service of [...this.#started.values()].reverse()) await service.stop();
    this.#started.clear();
    await Promise.all([
      deleteTopology(requiredVariable('AMQP_URL'), this.#run, this.#subscribers),
      ...this.#databases.map((database) => dropDatabase(requiredVariable('MONGO_URL'), database)),
    ]);
  }

  #databaseOf(service: ServiceName): string {
    return `${this.#run}_${service}`;
  }

  /** With its own database and key. */
  environmentOf(service: ServiceName): Environment {
    return {
      ...this.environment,
      MONGO_DATABASE: this.#databaseOf(service),
      SERVICE_PRIVATE_KEY: this.#serviceKeys[service],
    };
  }

  /** The caller closes the connection. */
  openDatabase(service: ServiceName): Promise<Database['connection']> {
    return openDatabase(this.#databaseOf(service));
  }

  #addressOf(service: ServiceName, kind: 'URL' | 'GRPC'): string {
    if (!this.#started.has(service)) throw new Error(`The test bed was not asked to start ${service}.`);
    return this.environment[`${service.toUpperCase()}_${kind}`] ?? '';
  }

  url(service: ServiceName): string {
    return this.#addressOf(service, 'URL');
  }
  grpc(service: ServiceName): string {
    return this.#addressOf(service, 'GRPC');
  }

  /** gRPC calls as this service. */
  callerOf(service: ServiceName): ServiceCaller {
    return createServiceCaller(service, createPrivateKey(this.#serviceKeys[service]));
  }

  /** As the gateway does. Answers are checked against the OpenAPI document. */
  async call(service: ServiceName, method: string, path: string, options?: CallOptions): Promise<Answer> {
    const caller = { signer: this.#signer, checker: (checker ??= createOpenApiChecker()), service };
    return callService(caller, this.url(service), method, path, options);
  }

  identityToken(service: ServiceName, identity?: CallerIdentity): Promise<string> {
    return identityToken(this.#signer, service, identity);
  }

  /** As the gateway does. */
  resolveSession(token: string): Promise<ResolveSessionResponse> {
    const auth = (this.#auth ??= this.#connectToAuth());
    return unary(auth.resolveSession.bind(auth), 60_000)({ tokenHash: createHash('sha256').update(token).digest() });
  }

  #connectToAuth(): AuthServiceClient {
    const client = createGrpcClient(AuthServiceClient, this.grpc('auth'), this.callerOf('gateway'));
    this.#closers.push(() => client.close());
    return client;
  }

  async #signIn(
    path: string,
    body: { username: string; password: string },
    options?: CallOptions,
  ): Promise<BedAccount> {
    const account = accountFrom(await this.call('auth', 'POST', path, { ...options, body }), body.password);
    const { sessionId } = await this.resolveSession(account.token);
    return { ...account, identity: { userId: account.id, sessionId } };
  }

  /** Signed in. Needs auth. */
  newAccount(changes?: Partial<Registration>, options?: CallOptions): Promise<BedAccount> {
    return this.#signIn('/api/register', buildRegistration(changes), options);
  }

  /** Needs auth. @throws if refused */
  logIn(
    { username, password = PASSWORD }: { username: string; password?: string },
    options?: CallOptions,
  ): Promise<BedAccount> {
    return this.#signIn('/api/login', { username, password }, options);
  }

  /** A visitor's unless `options.identity`. Needs messages and auth. @throws if refused */
  async sendMessage(userId: number, changes?: Partial<NewMessage>, options?: CallOptions): Promise<SentMessage> {
    const body = buildMessage(userId, changes);
    return messageFrom(await this.call('messages', 'POST', '/api/messages', { ...options, body }));
  }

  /** Newest first. */
  async listTracking({ limit }: { limit: number } = { limit: 100 }): Promise<TrackingRecord[]> {
    const client = createGrpcClient(TrackingServiceClient, this.grpc('tracking'), this.callerOf('admin'));
    try {
      return (await unary(client.listTracking.bind(client))({ before: 0, limit, recipientId: 0, text: '' })).records;
    } finally {
      client.close();
    }
  }

  async #connectBus(): Promise<EventBus> {
    const bus = new EventBus({
      url: requiredVariable('AMQP_URL'),
      prefix: this.#run,
      subscribers: this.#subscribers,
      service: 'test',
      logger: createLogger({ service: 'test', level: 'silent' }),
      metrics: new Metrics('test'),
    });
    await bus.start();
    await eventually(() => {
      if (!bus.isConnected()) throw new Error('The broker does not respond.');
    });
    this.#closers.push(() => bus.stop());
    return bus;
  }

  async publish(events: Event[]): Promise<void> {
    await (await (this.#bus ??= this.#connectBus())).publish(events);
  }

  /** As messages does. */
  async sealTrace(trace: SenderTrace, messageId: number): Promise<SealedTrace> {
    const wrapper = createEnvironmentKeyWrapper(sealingKeys.parse(this.environment['SENDER_KEYS']));
    const [key, day] = [randomBytes(32), new Date().toISOString().slice(0, 10)];
    const sealed = encryptBytes(key, Buffer.from(JSON.stringify(trace)), traceOwner(messageId)).toString('base64url');
    return { wrappedKey: await wrapper.wrap(key, day), sealed: `${day}.${sealed}` };
  }
}

/** Shared by files, which cannot stop it. */
export type Bed = Omit<TestBed, 'stop'>;

export const startTestBed = (options: TestBedOptions): Promise<TestBed> => TestBed.start(options);
