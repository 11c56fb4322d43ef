import { ensureIndexes, IN_BACKGROUND, nextId, readNewest } from '@najwa/common/mongo';
import { Schema, type Connection } from 'mongoose';

export type AuditAction =
  | 'tracking.list'
  | 'conversations.list'
  | 'conversation.delete'
  | 'conversations.delete_all'
  | 'administrator.create'
  | 'reports.list'
  | 'actions.list'
  | 'report.open'
  | 'report.conversation'
  | 'report.act'
  | 'action.undo';

/** `begun` remains if the process died. */
export type AuditOutcome = 'begun' | 'done' | 'refused' | 'failed';

/** Ids, counts, codes, usernames and moderators' reasons. Never message text or secrets. */
export type AuditDetails = Record<string, string | number | boolean>;

export interface NewAuditEntry {
  /** Null for a visitor. */
  userId: number | null;
  /** Empty after its retention. */
  ipAddress: string;
  action: AuditAction;
  details: AuditDetails;
}

export interface AuditRecord extends NewAuditEntry {
  id: number;
  outcome: AuditOutcome;
  createdAt: Date;
}

const COLLECTION = 'audit_log';

const schema = new Schema<AuditRecord>(
  { id: Number, userId: Number, ipAddress: String, action: String, details: Object, outcome: String, createdAt: Date },
  { collection: COLLECTION, id: false, versionKey: false, minimize: false },
);

/** Append-only, except for the outcome and the removal of old addresses. */
export class AuditRepository {
  readonly #model;

  constructor(connection: Connection) {
    this.#model = connection.model('AuditEntry', schema);
  }

  prepare(): Promise<void> {
    return ensureIndexes(this.#model.db, COLLECTION, [
      { key: { id: -1 }, name: 'id', unique: true },
      { key: { ipAddress: 1, createdAt: 1 }, name: 'address' },
    ]);
  }
  async begin(entry: NewAuditEntry): Promise<number> {
    const id = await nextId(this.#model.db, COLLECTION);
    await this.#model.create({ ...entry, id, outcome: 'begun', createdAt: new Date() });
    return id;
  }
  async finish(id: number, outcome: AuditOutcome, details: AuditDetails): Promise<void> {
    await this.#model.updateOne({ id, outcome: 'begun' }, { $set: { outcome, details } });
  }
  async removeAddresses(before: Date): Promise<void> {
    // Skips entries without an address by index.
    const kept = { ipAddress: { $gt: '' }, createdAt: { $lt: before } };
    await this.#model.updateMany(kept, { $set: { ipAddress: '' } }, IN_BACKGROUND);
  }
  /** Newest first. */
  list(page: { before: number | undefined; limit: number }): Promise<AuditRecord[]> {
    return readNewest(this.#model, page);
  }
}
