import mongoose, { type Connection } from 'mongoose';
import type { Logger } from '../logger.js';

export interface MongoConfig {
  /** Without a database in it. */
  url: string;
  database: string;
}

/** Long enough for a server that restarts, and shorter than the deadline of a call, so that a caller hears why. */
const SELECTION_TIMEOUT_MS = 4_000;

/**
 * Opens a service's own database. Collections and indexes are made by an explicit step at start, never on the way.
 * Writes are acknowledged by a majority, so that what was accepted survives a failover.
 */
export async function connectMongo({ url, database }: MongoConfig, logger: Logger): Promise<Connection> {
  const connection = await mongoose
    .createConnection(url, {
      dbName: database,
      autoIndex: false,
      autoCreate: false,
      serverSelectionTimeoutMS: SELECTION_TIMEOUT_MS,
      writeConcern: { w: 'majority' },
      ignoreUndefined: true,
    })
    .asPromise();
  connection.on('disconnected', () => logger.warn('database away'));
  connection.on('reconnected', () => logger.info('database back'));
  connection.on('error', (error: unknown) => logger.error({ err: error }, 'database connection failed'));
  return connection;
}

/** @throws when the database does not answer. */
export async function pingMongo(connection: Connection): Promise<void> {
  await connection.db?.command({ ping: 1 });
}
