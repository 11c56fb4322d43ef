import type { Device } from '@najwa/common';
import { outboxIndex, type OutboxEntry, type WithOutbox } from '@najwa/common/amqp';
import { retryOnDeadlock, ensureIndexes, IN_BACKGROUND } from '@najwa/common/mongo';
import { Schema, type Connection, type mongo } from 'mongoose';
import type { SessionValidity } from '../access/credential-store.js';

export interface SessionRecord {
  /** Public id, unrelated to the token. */
  sessionId: string;
  tokenHash: Buffer;
  userId: number;
  /** The account's value when the session began. */
  passwordChangedAt: Date | null;
  device: Device;
  createdAt: Date;
  /** By hour after the sign-in. */
  lastSeenAt: Date;
  expiresAt: Date;
}

interface SessionDocument extends SessionRecord, WithOutbox {}

const COLLECTION = 'sessions';

const PAGE_SIZE = 200;

const schema = new Schema<SessionDocument>(
  {
    sessionId: String,
    tokenHash: Buffer,
    userId: Number,
    passwordChangedAt: Date,
    device: { browser: String, operatingSystem: String, kind: String },
    createdAt: Date,
    lastSeenAt: Date,
    expiresAt: Date,
    deletedAt: Date,
    outbox: [{ _id: false, id: String, at: Date, body: String }],
  },
  { collection: COLLECTION, versionKey: false },
);

type EventOf = (session: SessionRecord) => OutboxEntry;

const notEnded = { deletedAt: null };

export class SessionRepository {
  readonly collection: mongo.Collection;
  readonly #model;

  constructor(connection: Connection) {
    this.#model = connection.model('Session', schema);
    this.collection = this.#model.collection;
  }

  prepare(): Promise<void> {
    return ensureIndexes(this.#model.db, COLLECTION, [
      { key: { tokenHash: 1 }, name: 'token_hash', unique: true },
      { key: { sessionId: 1 }, name: 'session_id', unique: true },
      { key: { userId: 1, createdAt: -1 }, name: 'user_id' },
      { key: { expiresAt: 1 }, name: 'expires_at', expireAfterSeconds: 0 },
      outboxIndex,
    ]);
  }
  async insert(session: SessionRecord): Promise<void> {
    await this.#model.create(session);
  }
  async findActive(tokenHash: Buffer, now: Date): Promise<SessionRecord | null> {
    // With the time in the filter, DocumentDB would also scan the index of times.
    const found = await this.#model.findOne({ tokenHash, ...notEnded }).lean<SessionRecord>();
    return found && found.expiresAt > now ? toRecord(found) : null;
  }
  async extend(sessionId: string, lastSeenAt: Date, expiresAt: Date): Promise<void> {
    await this.#model.updateOne({ sessionId, ...notEnded }, { $set: { lastSeenAt, expiresAt } });
  }
  /** The newest 200, newest first. */
  async listActive(userId: number, now: Date): Promise<SessionRecord[]> {
    const found = await this.#model
      .find({ userId, ...notEnded, expiresAt: { $gt: now } })
      .sort({ createdAt: -1 })
      .limit(PAGE_SIZE)
      .lean<SessionRecord[]>();
    return found.map(toRecord);
  }
  /** Publishes its event with the write. @returns whether there was one */
  async end(
    { sessionId, userId }: Pick<SessionRecord, 'sessionId'> & { userId?: number },
    eventOf: EventOf,
  ): Promise<boolean> {
    const filter = { sessionId, ...(userId !== undefined && { userId }), ...notEnded };
    const session = await this.#model.findOne(filter).lean<SessionRecord>();
    return session !== null && (await this.#endEach([toRecord(session)], eventOf)) === 1;
  }
  async forgetExpired(now: Date): Promise<void> {
    await this.#model.deleteMany({ expiresAt: { $lte: now } }, IN_BACKGROUND);
  }
  /** @param keptSessionId null ends all */
  endOthers(userId: number, keptSessionId: string | null, eventOf: EventOf): Promise<void> {
    return this.#endAll({ userId, sessionId: { $ne: keptSessionId } }, eventOf);
  }
  endInvalid({ id, passwordChangedAt, keptSessionId }: SessionValidity, eventOf: EventOf): Promise<void> {
    return this.#endAll(
      { userId: id, sessionId: { $ne: keptSessionId }, passwordChangedAt: { $ne: passwordChangedAt } },
      eventOf,
    );
  }

  async #endEach(sessions: SessionRecord[], eventOf: EventOf): Promise<number> {
    if (sessions.length === 0) return 0;
    const writes = sessions.map((session) => ({
      updateOne: {
        filter: { sessionId: session.sessionId, ...notEnded },
        update: { $set: { deletedAt: new Date() }, $push: { outbox: eventOf(session) } },
      },
    }));
    const { modifiedCount } = await retryOnDeadlock(() => this.#model.bulkWrite(writes, { ordered: false }));
    return modifiedCount;
  }
  async #endAll(filter: mongo.Filter<mongo.Document>, eventOf: EventOf): Promise<void> {
    let page: SessionRecord[];
    do {
      page = await this.#model
        .find({ ...filter, ...notEnded })
        .limit(PAGE_SIZE)
        .lean<SessionRecord[]>();
      await this.#endEach(page.map(toRecord), eventOf);
    } while (page.length === PAGE_SIZE);
  }
}

/** The driver returns its own binary type. */
function toRecord(document: SessionRecord): SessionRecord {
  const { tokenHash } = document as { tokenHash: Buffer | mongo.Binary };
  return {
    ...document,
    tokenHash: Buffer.isBuffer(tokenHash) ? tokenHash : Buffer.from(tokenHash.buffer),
  };
}
