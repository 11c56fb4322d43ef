import { createHmac } from 'node:crypto';
import type { Connection, mongo as driver } from 'mongoose';
import type { OutboxEntry, OutboxLedger } from '@najwa/common/amqp';
import { mongoUrl } from '@najwa/common/config';
import type { Logger } from '@najwa/common/logging';
import { createDatabase, IN_BACKGROUND, isDuplicateKey, ensureIndexes, insertEach } from '@najwa/common/mongo';
import { createSealer } from '@najwa/common/sealing';
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

/** Records deletions outside of the data, sealed, so that a restored backup cannot undo them. */
export interface DeletionLedger<Fact> extends OutboxLedger {
  /**
   * Applies facts since the restored backup, in order, once.
   * @param apply idempotent, also across replicas
   * @param begin runs before them, also idempotent
   */
  applyAfterRestore(apply: (fact: Fact, at: Date) => Promise<void>, begin?: () => Promise<void>): Promise<void>;
  /** The beginning of the backup that was restored last. Null if no restore was applied within a month. */
  restoredTo(): Promise<Date | null>;
  forgetOld(now: Date): Promise<void>;
  close(): Promise<void>;
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

export function createDeletionLedger<Fact>({
  connection,
  mongo,
  url = mongo.url,
  keys,
  factOf,
  logger,
}: LedgerOptions<Fact>): DeletionLedger<Fact> {
  const sealer = createSealer(keys);
  const [tagKey = Buffer.alloc(0)] = keys;
  const ledger = createDatabase({ url, database: `${mongo.database}${LEDGER_SUFFIX}` }, logger);
  const collection = ledger.connection.collection<LedgerDocument>(LEDGER);
  const restores = connection.collection<RestoreDocument>(RESTORES);
  let opening: Promise<void> | undefined;

  /** Lazy: a service works without its ledger and catches up later. */
  const open = (): Promise<void> =>
    (opening ??= (async () => {
      await ledger.connect();
      await ensureIndexes(ledger.connection, LEDGER, [{ key: { at: 1 }, name: 'at' }]);
    })().catch((error: unknown) => {
      opening = undefined;
      throw error;
    }));

  return {
    concerns: (entry) => factOf(entry) !== undefined,
    async note(entries) {
      await open();
      const documents = entries.flatMap((entry): LedgerDocument[] => {
        const fact = factOf(entry);
        if (fact === undefined) return [];
        const tag = createHmac('sha256', tagKey).update(`ledger ${entry.id}`).digest('base64url');
        return [{ _id: tag, at: entry.at, sealed: sealer.seal(Buffer.from(JSON.stringify(fact)), tag) }];
      });
      const refusals = await insertEach(collection as unknown as driver.Collection, documents);
      const failure = refusals.find((refusal) => refusal !== undefined && !isDuplicateKey(refusal));
      if (failure) throw failure;
    },
    async applyAfterRestore(apply, begin) {
      for (const { _id, since } of await restores.find({ appliedAt: null }).toArray()) {
        await open();
        await begin?.();
        let applied = 0;
        const from = new Date(since.getTime() - MARGIN_MS);
        const options = { sort: { at: 1 }, ...IN_BACKGROUND } as const;
        for await (const { _id: tag, at, sealed } of collection.find({ at: { $gte: from } }, options)) {
          await apply(JSON.parse(sealer.open(sealed, tag).toString()) as Fact, at);
          applied += 1;
        }
        await restores.updateOne({ _id }, { $set: { appliedAt: new Date() } });
        logger.info({ applied }, 'deletions since the backup applied');
      }
    },
    async restoredTo() {
      const recent = { appliedAt: { $gte: new Date(Date.now() - NOTICE_MS) } };
      return (await restores.findOne(recent, { sort: { appliedAt: -1 } }))?.since ?? null;
    },
    async forgetOld(now) {
      await open();
      await collection.deleteMany({ at: { $lt: new Date(now.getTime() - LIFETIME_MS) } }, IN_BACKGROUND);
    },
    async close() {
      await opening?.catch(() => undefined);
      await ledger.close();
    },
  };
}
