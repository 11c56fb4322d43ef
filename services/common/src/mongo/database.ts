import { createRequire } from 'node:module';
import mongoose, { type Connection, type mongo } from 'mongoose';
import type { Metrics } from '../metrics/metrics.js';
import { currentSpan, type Logger } from '../logging/logger.js';
import type { Span } from '../tracing/span.js';
import type { Tracing } from '../tracing/tracing.js';

export interface MongoConfig {
  url: string;
  database: string;
  /** For an answer and for a free connection. Shorter in tests. */
  operationTimeoutMs?: number;
}

interface CommandOptions {
  socketTimeoutMS?: number;
}

/** Internal parts of the driver, without public types. */
type DriverConnection = new (...args: unknown[]) => {
  socket: { destroyed: boolean };
  onError(error: Error): void;
  writeCommand(command: unknown, options: unknown): Promise<void>;
  command(
    namespace: unknown,
    command: mongo.Document,
    options?: CommandOptions,
    responseType?: unknown,
  ): Promise<mongo.Document>;
};

const requireOfMongoose = createRequire(createRequire(import.meta.url).resolve('mongoose'));
const driver = requireOfMongoose('mongodb/lib/cmap/connection.js') as { Connection: DriverConnection };

/**
 * Fails a command at once if the server has closed its socket. The driver would wait for the socket to drain forever;
 * after such a heartbeat, the server counts as down until the process ends.
 */
class FailingConnection extends driver.Connection {
  override async writeCommand(command: unknown, options: unknown): Promise<void> {
    if (this.socket.destroyed) {
      const error = new mongoose.mongo.MongoNetworkError('The server closed the connection.');
      this.onError(error);
      throw error;
    }
    return super.writeCommand(command, options);
  }
}

/** Large indexes take minutes. */
const UNLIMITED = ['createIndexes', 'dropDatabase'];

/**
 * Closes a connection without a timely answer, which also ends the command on the server. The driver's `timeoutMS` has
 * no effect, and after its `socketTimeoutMS` it retries.
 */
const connectionWithDeadline = (deadlineMs: number) =>
  class extends FailingConnection {
    override async command(
      namespace: unknown,
      command: mongo.Document,
      options: CommandOptions = {},
      responseType?: unknown,
    ): Promise<mongo.Document> {
      const answer = super.command(namespace, command, options, responseType);
      const { socketTimeoutMS = 0 } = options;
      if (socketTimeoutMS > 0 || UNLIMITED.some((name) => name in command)) return answer;
      const { maxTimeMS } = command as { maxTimeMS?: number };
      let timer: NodeJS.Timeout | undefined;
      const deadline = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => {
          const error = new mongoose.mongo.MongoOperationTimeoutError('The database did not answer in time.');
          this.onError(error);
          reject(error);
        }, maxTimeMS ?? deadlineMs);
      });
      try {
        return await Promise.race([answer, deadline]);
      } finally {
        clearTimeout(timer);
      }
    }
  };

/** Outlasts a server restart, ends before a call's deadline. */
const SELECTION_TIMEOUT_MS = 4_000;

/** Below a call's deadline too: a hanging operation would hold all requests of its batch. */
const OPERATION_TIMEOUT_MS = 4_500;

/** For sweeps and the like. A server may roll back what did not finish in time. */
export const IN_BACKGROUND = { maxTimeMS: 60_000 } as const;

/** Indexes are created explicitly at start. Majority write concern: accepted data survives a failover. */
export class Database {
  readonly connection: Connection = mongoose.createConnection();

  constructor(
    private readonly config: MongoConfig,
    logger: Logger,
    private readonly telemetry: { metrics?: Metrics; tracing?: Tracing } = {},
  ) {
    this.connection.on('disconnected', () => logger.warn('database disconnected'));
    this.connection.on('reconnected', () => logger.info('database reconnected'));
    this.connection.on('error', (error: unknown) => logger.debug({ err: error }, 'database connection failed'));
  }

  /** May be repeated after a failure. @throws if the database does not respond */
  async connect(): Promise<void> {
    const { url, database, operationTimeoutMs = OPERATION_TIMEOUT_MS } = this.config;
    const { metrics, tracing } = this.telemetry;
    await this.connection.openUri(url, {
      dbName: database,
      autoIndex: false,
      autoCreate: false,
      serverSelectionTimeoutMS: SELECTION_TIMEOUT_MS,
      waitQueueTimeoutMS: operationTimeoutMs,
      writeConcern: { w: 'majority' },
      ignoreUndefined: true,
      monitorCommands: tracing?.isOn === true,
      ...{ connectionType: connectionWithDeadline(operationTimeoutMs) },
    });
    const countError = (): void => metrics?.dependencyErrors.inc({ dependency: 'database' });
    const client = this.connection.getClient();
    client.on('serverHeartbeatFailed', countError);
    client.on('connectionCheckOutFailed', countError);
    if (tracing?.isOn) traceCommands(client);
  }
  async ping(): Promise<void> {
    await this.connection.db?.command({ ping: 1 });
  }
  close(): Promise<void> {
    return this.connection.close();
  }
}

/** Never a filter or a document. */
function traceCommands(client: mongo.MongoClient): void {
  const steps = new Map<number, Span>();
  const end = (requestId: number, error?: string): void => {
    steps.get(requestId)?.end(error === undefined ? {} : { error });
    steps.delete(requestId);
  };
  client.on('commandStarted', ({ requestId, commandName, command }) => {
    const target: unknown = command[commandName];
    const collection = typeof target === 'string' ? target : '';
    const step = currentSpan()?.child(`${commandName} ${collection}`.trim(), 'client', {
      'db.system.name': 'mongodb',
      'db.operation.name': commandName,
      'db.collection.name': collection,
    });
    if (step !== undefined) steps.set(requestId, step);
  });
  client.on('commandSucceeded', ({ requestId }) => end(requestId));
  client.on('commandFailed', ({ requestId, failure }) => end(requestId, failure.name));
}
