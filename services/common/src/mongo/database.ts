import mongoose, { type Connection } from 'mongoose';
import type { Logger } from '../logger.js';

export interface MongoConfig {
  /** Without a database in it. */
  url: string;
  database: string;
}

/** A service's own database. */
export interface Database {
  /** Models and collections may be made before it is connected. */
  connection: Connection;
  /** May be repeated when it failed. @throws when the database does not answer */
  connect(): Promise<void>;
  /** @throws when the database does not answer */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Long enough for a server that restarts, and shorter than the deadline of a call, so that the caller gets an answer. */
const SELECTION_TIMEOUT_MS = 4_000;

/**
 * Describes a service's own database without connecting. Collections and indexes are created by an explicit step at start,
 * never implicitly. Writes are acknowledged by a majority, so that what was accepted survives a failover.
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
