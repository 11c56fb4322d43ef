import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Database } from '@najwa/common/mongo';
import type { PartName } from '@najwa/dev/infrastructure';
import { silentReporter, type Reporter } from '@najwa/dev/reporter';
import { startSystem, type SystemOverrides, type System } from '@najwa/dev/system';
import { SERVICE_NAMES, type ServiceName } from '@najwa/dev/system/environment';
import { deleteTopology, dropDatabase } from './cleanup.js';
import { eventually } from './eventually.js';
import {
  accountFrom,
  buildMessage,
  buildRegistration,
  messageFrom,
  type NewMessage,
  type Registration,
  type SentMessage,
  type TestAccount,
} from './factories.js';
import { attachSystem, runningSystem, type RunningSystem } from './running-system.js';
import { openLine, type Line } from './network.js';
import { openDatabase } from './open-database.js';
import { makeTestFolder } from './test-folder.js';
import { keepLogs, testLogLevel } from './test-logs.js';
import { eventsIn } from './waiting-events.js';

/** Each service is a process; databases, queues and bucket are its own. */
export interface TestSystem extends System {
  eventually: typeof eventually;
  databaseOf(service: ServiceName): string;
  /** The caller closes the connection. */
  openDatabase(service: ServiceName): Promise<Database['connection']>;
  /** In all queues. */
  events(): Promise<{ waiting: number; parked: number }>;
  /** With the web client's headers. */
  request(
    method: string,
    path: string,
    options?: RequestOptions,
  ): Promise<{ status: number; headers: Headers; body: unknown }>;
  /** Signed in. */
  newAccount(changes?: Partial<Registration>, options?: RequestOptions): Promise<TestAccount>;
  /** Signed in. @throws if refused */
  newStaff(
    role: 'moderator' | 'administrator',
    changes?: Partial<Pick<Registration, 'name' | 'username' | 'password'>>,
  ): Promise<TestAccount>;
  /** A visitor's unless `options.cookie`. @throws if refused */
  sendMessage(userId: number, changes?: Partial<NewMessage>, options?: RequestOptions): Promise<SentMessage>;
  /** To the gateway. */
  openLine(): Promise<Line>;
}

export interface RequestOptions {
  body?: unknown;
  cookie?: string;
  headers?: Record<string, string>;
}

export interface TestSystemOptions {
  /** Of every service. */
  env?: Record<string, string>;
  /** Parts that this test may kill. */
  ownParts?: readonly PartName[];
  /** Ports of its services, and those that services call instead. */
  overrides?: Partial<SystemOverrides>;
  /** Silent by default. */
  reporter?: Reporter;
}

/** Only `newStaff` needs `adminSecret`. */
export function callsThrough(
  url: string,
  adminSecret?: string,
): Pick<TestSystem, 'eventually' | 'request' | 'newAccount' | 'newStaff' | 'sendMessage' | 'openLine'> {
  const request: TestSystem['request'] = async (method, target, { body, cookie, headers = {} } = {}) => {
    const response = await fetch(`${url}${target}`, {
      method,
      headers: {
        origin: url,
        'x-requested-with': 'XMLHttpRequest',
        ...(cookie !== undefined && { cookie }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== '';
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? (JSON.parse(text) as unknown) : text,
    };
  };

  return {
    eventually,
    request,
    async newAccount(changes, options) {
      const body = buildRegistration(changes);
      return accountFrom(await request('POST', '/api/register', { ...options, body }), body.password);
    },
    async newStaff(role, changes) {
      const { name, username, password } = buildRegistration(changes);
      const { status } = await request('POST', '/api/admin/create', {
        body: { name, username, password, email: `${username}@mail.example`, role, adminSecret },
      });
      if (status !== 201) throw new Error(`Creating the ${role} failed with status ${status}.`);
      return accountFrom(await request('POST', '/api/login', { body: { username, password } }), password);
    },
    sendMessage: async (userId, changes, options) =>
      messageFrom(await request('POST', '/api/messages', { ...options, body: buildMessage(userId, changes) })),
    openLine: () => openLine(Number(new URL(url).port)),
  };
}

const ownOnly = (): never => {
  throw new Error('This test needs a system of its own.');
};

/** Started by another process, and maybe shared. */
export const attachTestSystem = (running: RunningSystem): TestSystem => ({
  ...attachSystem(running),
  ...callsThrough(running.url, running.adminSecret),
  databaseOf: ownOnly,
  openDatabase: ownOnly,
  events: ownOnly,
});

/** Or the one of NAJWA_RUNNING_SYSTEM. */
export async function startTestSystem({
  env = {},
  ownParts = [],
  overrides,
  reporter = silentReporter,
}: TestSystemOptions = {}): Promise<TestSystem> {
  const running = runningSystem();
  if (running) {
    if (Object.keys(env).length > 0 || ownParts.length > 0) ownOnly();
    return attachTestSystem(running);
  }
  const run = `test-${randomUUID().slice(0, 8)}`;
  const dataDir = await makeTestFolder(`najwa-${run}-`);
  const system = await startSystem({
    dataDir,
    reporter,
    ownParts,
    persistent: false,
    databasePrefix: run,
    ...(overrides && { overrides }),
    environment: {
      ...process.env,
      AMQP_PREFIX: run,
      S3_BUCKET: run,
      RATE_LIMIT_SCALE: '0',
      LOG_LEVEL: testLogLevel(),
      ...env,
    },
  });
  const databaseOf = (service: ServiceName): string => `${run}_${service}`;
  const { MONGO_URL = '', AMQP_URL = '' } = system.infrastructure.env;

  return {
    ...system,
    ...callsThrough(system.url, system.adminSecret),
    databaseOf,
    openDatabase: (service) => openDatabase(databaseOf(service), MONGO_URL),
    events: () => eventsIn(AMQP_URL, run),
    async stop() {
      if (!ownParts.includes('amqp')) await deleteTopology(AMQP_URL, run);
      if (!ownParts.includes('mongo'))
        await Promise.all(SERVICE_NAMES.map((service) => dropDatabase(MONGO_URL, databaseOf(service))));
      await system.stop();
      await keepLogs(run, path.join(dataDir, 'logs'));
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
