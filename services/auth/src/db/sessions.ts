import { ensureIndexes, outboxIndex, type Device, type OutboxEntry, type WithOutbox } from '@najwa/common';
import { Schema, type Connection, type mongo } from 'mongoose';

export interface SessionRecord {
  /** Public name of the session; the token cannot be found from it. */
  sessionId: string;
  tokenHash: Buffer;
  userId: number;
  device: Device;
  createdAt: Date;
  lastSeenAt: Date;
  expiresAt: Date;
}

interface SessionDocument extends SessionRecord, WithOutbox {}

const COLLECTION = 'sessions';

/** More than anyone has, so that a list of them stays bounded. */
const MAX_LISTED = 200;

const schema = new Schema<SessionDocument>(
  {
    sessionId: String,
    tokenHash: Buffer,
    userId: Number,
    device: { browser: String, operatingSystem: String, kind: String },
    createdAt: Date,
    lastSeenAt: Date,
    expiresAt: Date,
    deletedAt: Date,
    outbox: [{ _id: false, id: String, at: Date, body: String }],
  },
  { collection: COLLECTION, versionKey: false },
);

export interface SessionRepository {
  collection: mongo.Collection;
  prepare(): Promise<void>;
  insert(session: SessionRecord): Promise<void>;
  findActive(tokenHash: Buffer, now: Date): Promise<SessionRecord | null>;
  /** Moves the end of a session that is in use further out. */
  extend(sessionId: string, lastSeenAt: Date, expiresAt: Date): Promise<void>;
  /** Those of an account that have not ended, newest first. */
  listActive(userId: number, now: Date): Promise<SessionRecord[]>;
  /** Ends a session for good; the event goes out with the change. @returns whether it was there */
  end(sessionId: string, eventOf: (session: SessionRecord) => OutboxEntry): Promise<boolean>;
}

export function createSessionRepository(connection: Connection): SessionRepository {
  const model = connection.model('Session', schema);
  const notEnded = { deletedAt: null };

  return {
    collection: model.collection,
    prepare: () =>
      ensureIndexes(connection, COLLECTION, [
        { key: { tokenHash: 1 }, name: 'token_hash', unique: true },
        { key: { sessionId: 1 }, name: 'session_id', unique: true },
        { key: { userId: 1, createdAt: -1 }, name: 'user_id' },
        { key: { expiresAt: 1 }, name: 'expires_at', expireAfterSeconds: 0 },
        outboxIndex,
      ]),
    async insert(session) {
      await model.create(session);
    },
    async findActive(tokenHash, now) {
      const found = await model.findOne({ tokenHash, ...notEnded, expiresAt: { $gt: now } }).lean<SessionRecord>();
      return found && toRecord(found);
    },
    async extend(sessionId, lastSeenAt, expiresAt) {
      await model.updateOne({ sessionId, ...notEnded }, { $set: { lastSeenAt, expiresAt } });
    },
    async listActive(userId, now) {
      const found = await model
        .find({ userId, ...notEnded, expiresAt: { $gt: now } })
        .sort({ createdAt: -1 })
        .limit(MAX_LISTED)
        .lean<SessionRecord[]>();
      return found.map(toRecord);
    },
    async end(sessionId, eventOf) {
      const session = await model.findOne({ sessionId, ...notEnded }).lean<SessionRecord>();
      if (session === null) return false;
      const { modifiedCount } = await model.updateOne(
        { sessionId, ...notEnded },
        { $set: { deletedAt: new Date() }, $push: { outbox: eventOf(toRecord(session)) } },
      );
      return modifiedCount === 1;
    },
  };
}

/** The driver hands binary fields out as its own type. */
function toRecord(document: SessionRecord): SessionRecord {
  const { tokenHash } = document as { tokenHash: Buffer | mongo.Binary };
  return { ...document, tokenHash: Buffer.isBuffer(tokenHash) ? tokenHash : Buffer.from(tokenHash.buffer) };
}
