import { createRequire } from 'node:module';
import mongoose, { type Connection, type mongo } from 'mongoose';
import type { Logger } from '../logging/logger.js';
import type { Metrics } from '../metrics/metrics.js';
import { currentSpan } from '../logging/request-context.js';
import type { Span } from '../tracing/span.js';
import type { Tracing } from '../tracing/tracing.js';

export interface MongoConfig {
  /** URL without a database name. */
  url: string;
  database: string;
  /** Time for the answer to a command, and for a free connection, in milliseconds. Shorter in tests. */
  operationTimeoutMs?: number;
}

/** Database of one service. */
export interface Database {
  /** Models and collections may be created before it is connected. */
  connection: Connection;
  /** May be called again after a failure. @throws if the database does not respond */
  connect(): Promise<void>;
  /** @throws if the database does not respond */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface DatabaseTelemetry {
  metrics?: Metrics;
  tracing?: Tracing;
}

interface CommandOptions {
  /** Of handshakes and heartbeats, which have deadlines of the driver. */
  socketTimeoutMS?: number;
}

/** The parts of the driver's connection that are used here. Its types leave them out. */
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
 * Fails a command at once whose socket the server has just closed. The driver would wait for this socket to drain, which
 * never happens. When its heartbeat does so, the server counts as away until the process ends.
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

/** An index over everything that is stored takes minutes. */
const UNLIMITED = ['createIndexes', 'dropDatabase'];

/**
 * Closes a connection on which a command is not answered in time, which also ends the command on the server. The driver has
 * no such deadline: its `timeoutMS` has no effect, and what its `socketTimeoutMS` ends is tried once more.
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

/** Long enough for a server restart, shorter than a call's deadline, so that the caller gets a response. */
const SELECTION_TIMEOUT_MS = 4_000;

/**
 * Shorter than a call's deadline as well: without it, an operation on a database that hangs holds its request, and every
 * request that shares a batch with it.
 */
const OPERATION_TIMEOUT_MS = 4_500;

/**
 * For work that no request waits for, such as a sweep over everything that is old. A server may take everything back that
 * it did not finish in time.
 */
export const IN_BACKGROUND = { maxTimeMS: 60_000 } as const;

/**
 * Creates a service's database without connecting. Collections and indexes are created explicitly at start, never
 * implicitly. Writes use majority write concern, so accepted data survives a failover.
 */
export function createDatabase(
  { url, database, operationTimeoutMs = OPERATION_TIMEOUT_MS }: MongoConfig,
  logger: Logger,
  { metrics, tracing }: DatabaseTelemetry = {},
): Database {
  const connection = mongoose.createConnection();
  const countError = (): void => metrics?.dependencyErrors.inc({ dependency: 'database' });
  connection.on('disconnected', () => logger.warn('database disconnected'));
  connection.on('reconnected', () => logger.info('database reconnected'));
  connection.on('error', (error: unknown) => logger.debug({ err: error }, 'database connection failed'));

  return {
    connection,
    async connect() {
      await connection.openUri(url, {
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
      const client = connection.getClient();
      client.on('serverHeartbeatFailed', countError);
      client.on('connectionCheckOutFailed', countError);
      if (tracing?.isOn) traceCommands(client);
    },
    async ping() {
      await connection.db?.command({ ping: 1 });
    },
    close: () => connection.close(),
  };
}

/** Makes each command a step of the trace: the command and its collection, never a filter or a document. */
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
