import mongoose, { type Connection } from 'mongoose';
import type { Logger } from '../logger.js';

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

/** Long enough for a server restart, shorter than a call's deadline, so that the caller gets a response. */
const SELECTION_TIMEOUT_MS = 4_000;

/**
 * Creates a service's database without connecting. Collections and indexes are created explicitly at start, never
 * implicitly. Writes use majority write concern, so accepted data survives a failover.
 */
export function createDatabase({ url, database }: MongoConfig, logger: Logger): Database {
  const connection = mongoose.createConnection();
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
      });
    },
    async ping() {
      await connection.db?.command({ ping: 1 });
    },
    close: () => connection.close(),
  };
}
