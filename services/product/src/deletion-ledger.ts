import { createHmac } from 'node:crypto';
import type { Connection, mongo as driver } from 'mongoose';
import type { OutboxEntry, OutboxLedger } from '@najwa/common/amqp';
import { mongoUrl } from '@najwa/common/config';
import type { Logger } from '@najwa/common/logging';
import { Database, IN_BACKGROUND, isDuplicateKey, ensureIndexes, insertEach } from '@najwa/common/mongo';
import { Sealer } from '@najwa/common/sealing';
import { RETENTION } from '@najwa/proto/http/client';

export const ledgerEnvironment = {
  LEDGER_URL: mongoUrl
    .optional()
    .describe(
      'Server of the ledger of deletions, apart from the data, so that both are not lost together. By default the same.',
    ),
};

interface LedgerDocument {
  /** Tag of the event, meaningless without the key. */
  _id: string;
  at: Date;
  sealed: string;
}

/** Suffix of the ledger's database. Not backed up. */
export const LEDGER_SUFFIX = '_ledger';
export const LEDGER = 'deletions';

/** Written by a restore. */
export const RESTORES = 'restores';

export interface RestoreDocument {
  _id: string;
  /** Start of the backup. */
  since: Date;
  /** Null until the ledger is applied. */
  appliedAt: Date | null;
}

const DAY_MS = 24 * 60 * 60 * 1000;

const NOTICE_MS = RETENTION.restoreNoticeDays * DAY_MS;

/** Maximum age of a backup (docs/operations.md). */
const LIFETIME_MS = 365 * DAY_MS;

/** Clock difference of the backup. */
const MARGIN_MS = 60 * 60 * 1000;

interface LedgerOptions<Fact> {
  connection: Connection;
  /** With its server. */
  mongo: { url: string; database: string };
  /** LEDGER_URL */
  url: string | undefined;
  keys: readonly Buffer[];
  /** Facts that a restore must not undo, as JSON. */
  factOf: (entry: OutboxEntry) => Fact | undefined;
  logger: Logger;
}

/** Records deletions outside of the data, sealed, so that a restored backup cannot undo them. */
export class DeletionLedger<Fact> implements OutboxLedger {
  readonly #factOf;
  readonly #logger;
  readonly #sealer;
  readonly #tagKey;
  readonly #ledger;
  readonly #collection;
  readonly #restores;
  #opening: Promise<void> | undefined;

  constructor({ connection, mongo, url = mongo.url, keys, factOf, logger }: LedgerOptions<Fact>) {
    this.#factOf = factOf;
    this.#logger = logger;
    this.#sealer = new Sealer(keys);
    this.#tagKey = keys[0] ?? Buffer.alloc(0);
    this.#ledger = new Database({ url, database: `${mongo.database}${LEDGER_SUFFIX}` }, logger);
    this.#collection = this.#ledger.connection.collection<LedgerDocument>(LEDGER);
    this.#restores = connection.collection<RestoreDocument>(RESTORES);
  }

  concerns(entry: OutboxEntry): boolean {
    return this.#factOf(entry) !== undefined;
  }
  async note(entries: readonly OutboxEntry[]): Promise<void> {
    await this.#open();
    const documents = entries.flatMap((entry): LedgerDocument[] => {
      const fact = this.#factOf(entry);
      if (fact === undefined) return [];
      const tag = createHmac('sha256', this.#tagKey).update(`ledger ${entry.id}`).digest('base64url');
      return [{ _id: tag, at: entry.at, sealed: this.#sealer.seal(Buffer.from(JSON.stringify(fact)), tag) }];
    });
    const refusals = await insertEach(this.#collection as unknown as driver.Collection, documents);
    const failure = refusals.find((refusal) => refusal !== undefined && !isDuplicateKey(refusal));
    if (failure) throw failure;
  }
  /**
   * Applies facts since the restored backup, in order, once.
   * @param apply idempotent, also across replicas
   * @param begin runs before them, also idempotent
   */
  async applyAfterRestore(apply: (fact: Fact, at: Date) => Promise<void>, begin?: () => Promise<void>): Promise<void> {
    for (const { _id, since } of await this.#restores.find({ appliedAt: null }).toArray()) {
      await this.#open();
      await begin?.();
      let applied = 0;
      const from = new Date(since.getTime() - MARGIN_MS);
      const options = { sort: { at: 1 }, ...IN_BACKGROUND } as const;
      for await (const { _id: tag, at, sealed } of this.#collection.find({ at: { $gte: from } }, options)) {
        await apply(JSON.parse(this.#sealer.open(sealed, tag).toString()) as Fact, at);
        applied += 1;
      }
      await this.#restores.updateOne({ _id }, { $set: { appliedAt: new Date() } });
      this.#logger.info({ applied }, 'deletions since the backup applied');
    }
  }
  /** The beginning of the backup that was restored last. Null if no restore was applied within a month. */
  async restoredTo(): Promise<Date | null> {
    const recent = { appliedAt: { $gte: new Date(Date.now() - NOTICE_MS) } };
    return (await this.#restores.findOne(recent, { sort: { appliedAt: -1 } }))?.since ?? null;
  }
  async forgetOld(now: Date): Promise<void> {
    await this.#open();
    await this.#collection.deleteMany({ at: { $lt: new Date(now.getTime() - LIFETIME_MS) } }, IN_BACKGROUND);
  }
  async close(): Promise<void> {
    await this.#opening?.catch(() => undefined);
    await this.#ledger.close();
  }

  /** Lazy: a service works without its ledger and catches up later. */
  #open(): Promise<void> {
    return (this.#opening ??= (async () => {
      await this.#ledger.connect();
      await ensureIndexes(this.#ledger.connection, LEDGER, [{ key: { at: 1 }, name: 'at' }]);
    })().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    }));
  }
}
