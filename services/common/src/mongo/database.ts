import { createRequire } from 'node:module';
import mongoose, { type Connection, type mongo } from 'mongoose';
import type { Logger } from '../logger.js';
import type { Metrics } from '../metrics/metrics.js';
import { currentSpan } from '../request-context.js';
import type { Span, Tracing } from '../tracing/tracing.js';

export interface MongoConfig {
  /** URL without a database name. */
  url: string;
  database: string;
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

/** The parts of the driver's connection that are used here. Its types leave them out. */
type DriverConnection = new (...args: unknown[]) => {
  socket: { destroyed: boolean };
  onError(error: Error): void;
  writeCommand(command: unknown, options: unknown): Promise<void>;
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

/** Long enough for a server restart, shorter than a call's deadline, so that the caller gets a response. */
const SELECTION_TIMEOUT_MS = 4_000;

/**
 * Creates a service's database without connecting. Collections and indexes are created explicitly at start, never
 * implicitly. Writes use majority write concern, so accepted data survives a failover.
 */
export function createDatabase(
  { url, database }: MongoConfig,
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
        writeConcern: { w: 'majority' },
        ignoreUndefined: true,
        monitorCommands: tracing?.isOn === true,
        ...{ connectionType: FailingConnection },
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
