import { createHash, createPrivateKey, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { createEventBus, SUBSCRIBERS, type EventBus, type Subscriber } from '@najwa/common/amqp';
import type { Environment } from '@najwa/common/config';
import { createGrpcClient, createServiceCaller, publicKeyEntry, unary, type ServiceCaller } from '@najwa/common/grpc';
import { createIdentitySigner } from '@najwa/common/identity';
import { createLogger, type Logger } from '@najwa/common/logging';
import { createMetrics } from '@najwa/common/metrics';
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

/** Real services in this process, on real infrastructure, with their own databases, queues and bucket. */
export interface Bed {
  url(service: ServiceName): string;
  grpc(service: ServiceName): string;
  /** gRPC calls as this service. */
  callerOf(service: ServiceName): ServiceCaller;
  /** As the gateway does. Answers are checked against the OpenAPI document. */
  call(service: ServiceName, method: string, path: string, options?: CallOptions): Promise<Answer>;
  identityToken(service: ServiceName, identity?: CallerIdentity): Promise<string>;
  /** Signed in. Needs auth. */
  newAccount(changes?: Partial<Registration>, options?: CallOptions): Promise<BedAccount>;
  /** Needs auth. @throws if refused */
  logIn(credentials: { username: string; password?: string }, options?: CallOptions): Promise<BedAccount>;
  /** A visitor's unless `options.identity`. Needs messages and auth. @throws if refused */
  sendMessage(userId: number, changes?: Partial<NewMessage>, options?: CallOptions): Promise<SentMessage>;
  /** As the gateway does. */
  resolveSession(token: string): Promise<ResolveSessionResponse>;
  /** Newest first. */
  listTracking(page?: { limit: number }): Promise<TrackingRecord[]>;
  publish(events: Event[]): Promise<void>;
  /** As messages does. */
  sealTrace(trace: SenderTrace, messageId: number): Promise<SealedTrace>;
  eventually: typeof eventually;
  /** Of all services. */
  environment: Environment;
  /** With its own database and key. */
  environmentOf(service: ServiceName): Environment;
  /** The caller closes the connection. */
  openDatabase(service: ServiceName): Promise<Database['connection']>;
}

/** Of one file. */
export interface TestBed extends Bed {
  stop(): Promise<void>;
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

export async function startTestBed({
  services,
  env = {},
  run = `test-${randomUUID().slice(0, 8)}`,
  onLogLine,
  overrides = {},
}: TestBedOptions): Promise<TestBed> {
  const subscribers = subscribersIn(services);
  const keys = createKeyPair();
  const serviceKeys = Object.fromEntries(SERVICE_NAMES.map((name) => [name, createKeyPair().privateKey])) as Record<
    ServiceName,
    string
  >;
  const infrastructure = Object.fromEntries(
    ['MONGO_URL', 'AMQP_URL', 'S3_ENDPOINT', 'S3_ACCESS_KEY', 'S3_SECRET_KEY', 'FFMPEG_BIN'].map((name) => [
      name,
      requiredVariable(name),
    ]),
  );
  const environment: Record<string, string> = {
    ...infrastructure,
    HOST: '127.0.0.1',
    PORT: '0',
    GRPC_PORT: '0',
    LOG_LEVEL: 'silent',
    AMQP_PREFIX: run,
    AMQP_SUBSCRIBERS: subscribers.join(),
    S3_BUCKET: run,
    IDENTITY_PUBLIC_KEY: keys.publicKey,
    IDENTITY_PRIVATE_KEY: keys.privateKey,
    SERVICE_PUBLIC_KEYS: SERVICE_NAMES.map((name) => publicKeyEntry(name, serviceKeys[name])).join(','),
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
  const databaseOf = (service: ServiceName): string => `${run}_${service}`;
  const environmentOf = (service: ServiceName): Environment => ({
    ...environment,
    MONGO_DATABASE: databaseOf(service),
    SERVICE_PRIVATE_KEY: serviceKeys[service],
  });
  const loggerOf = (service: ServiceName): Logger =>
    onLogLine
      ? createLogger({ service, level: 'debug', destination: { write: onLogLine } })
      : createTestLogger(run, service);
  const databases: string[] = [];
  const started = new Map<ServiceName, RunningService>();
  const closers: (() => Promise<void> | void)[] = [];

  const stop = async (): Promise<void> => {
    for (const close of closers.splice(0).reverse()) await close();
    for (const service of [...started.values()].reverse()) await service.stop();
    started.clear();
    await Promise.all([
      deleteTopology(requiredVariable('AMQP_URL'), run, subscribers),
      ...databases.map((database) => dropDatabase(requiredVariable('MONGO_URL'), database)),
    ]);
  };

  try {
    for (const name of SERVICE_NAMES.filter((candidate) => services.includes(candidate))) {
      const module = await SERVICE_MODULES[name]();
      databases.push(databaseOf(name));
      const service = await module.create(module.loadConfig(environmentOf(name)) as never, {
        ...overrides[name],
        logger: loggerOf(name),
      });
      started.set(name, service);
      await service.start();
      const { http, grpc } = service.ports();
      environment[`${name.toUpperCase()}_URL`] = `http://127.0.0.1:${http}`;
      if (grpc !== undefined) environment[`${name.toUpperCase()}_GRPC`] = `127.0.0.1:${grpc}`;
    }
  } catch (error) {
    await stop();
    throw error;
  }

  const signer = createIdentitySigner(keys.privateKey);
  let bus: Promise<EventBus> | undefined;

  const connectBus = async (): Promise<EventBus> => {
    const created = createEventBus({
      url: requiredVariable('AMQP_URL'),
      prefix: run,
      subscribers,
      service: 'test',
      logger: createLogger({ service: 'test', level: 'silent' }),
      metrics: createMetrics('test'),
    });
    await created.start();
    await eventually(() => {
      if (!created.isConnected()) throw new Error('The broker does not respond.');
    });
    closers.push(() => created.stop());
    return created;
  };

  const callerOf = (service: ServiceName): ServiceCaller =>
    createServiceCaller(service, createPrivateKey(serviceKeys[service]));

  const addressOf = (service: ServiceName, kind: 'URL' | 'GRPC'): string => {
    if (!started.has(service)) throw new Error(`The test bed was not asked to start ${service}.`);
    return environment[`${service.toUpperCase()}_${kind}`] ?? '';
  };

  const call: TestBed['call'] = (service, method, path, options) =>
    callService(
      { signer, checker: (checker ??= createOpenApiChecker()), service },
      addressOf(service, 'URL'),
      method,
      path,
      options,
    );

  let auth: AuthServiceClient | undefined;
  const connectToAuth = (): AuthServiceClient => {
    const client = createGrpcClient(AuthServiceClient, addressOf('auth', 'GRPC'), callerOf('gateway'));
    closers.push(() => client.close());
    return client;
  };

  const resolveSession: TestBed['resolveSession'] = (token) => {
    const client = (auth ??= connectToAuth());
    return unary(client.resolveSession.bind(client))({ tokenHash: createHash('sha256').update(token).digest() });
  };

  const signIn = async (
    path: string,
    body: { username: string; password: string },
    options?: CallOptions,
  ): Promise<BedAccount> => {
    const account = accountFrom(await call('auth', 'POST', path, { ...options, body }), body.password);
    const { sessionId } = await resolveSession(account.token);
    return { ...account, identity: { userId: account.id, sessionId } };
  };

  return {
    environment,
    environmentOf,
    openDatabase: (service) => openDatabase(databaseOf(service)),
    url: (service) => addressOf(service, 'URL'),
    grpc: (service) => addressOf(service, 'GRPC'),
    callerOf,
    call,
    identityToken: (service, identity) => identityToken(signer, service, identity),
    newAccount: (changes, options) => signIn('/api/register', buildRegistration(changes), options),
    logIn: ({ username, password = PASSWORD }, options) => signIn('/api/login', { username, password }, options),
    sendMessage: async (userId, changes, options) =>
      messageFrom(await call('messages', 'POST', '/api/messages', { ...options, body: buildMessage(userId, changes) })),
    resolveSession,
    async listTracking({ limit } = { limit: 100 }) {
      const client = createGrpcClient(TrackingServiceClient, addressOf('tracking', 'GRPC'), callerOf('admin'));
      try {
        return (await unary(client.listTracking.bind(client))({ before: 0, limit, recipientId: 0, text: '' })).records;
      } finally {
        client.close();
      }
    },
    async publish(events) {
      await (await (bus ??= connectBus())).publish(events);
    },
    async sealTrace(trace, messageId) {
      const wrapper = createEnvironmentKeyWrapper(sealingKeys.parse(environment['SENDER_KEYS']));
      const [key, day] = [randomBytes(32), new Date().toISOString().slice(0, 10)];
      const sealed = encryptBytes(key, Buffer.from(JSON.stringify(trace)), traceOwner(messageId)).toString('base64url');
      return { wrappedKey: await wrapper.wrap(key, day), sealed: `${day}.${sealed}` };
    },
    eventually,
    stop,
  };
}
