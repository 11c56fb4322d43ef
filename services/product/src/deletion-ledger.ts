import { createHmac } from 'node:crypto';
import type { Connection, mongo as driver } from 'mongoose';
import type { OutboxEntry, OutboxLedger } from '@najwa/common/amqp';
import { mongoUrl } from '@najwa/common/config';
import type { Logger } from '@najwa/common/logging';
import { createDatabase, IN_BACKGROUND, isDuplicateKey, ensureIndexes, insertEach } from '@najwa/common/mongo';
import { createSealer } from '@najwa/common/sealing';

/** For services that keep a ledger of what is deleted. */
export const ledgerEnvironment = {
  LEDGER_URL: mongoUrl
    .optional()
    .describe(
      'Server of the ledger of deletions, apart from the data, so that both are not lost together. By default the same.',
    ),
};

interface LedgerDocument {
  /** Tag of the event. Without the key it leads to nothing. */
  _id: string;
  at: Date;
  sealed: string;
}

/**
 * Remembers what was deleted, apart from the data, so that a restored backup brings none of it back. Entries are sealed
 * with a key of the environment.
 */
export interface DeletionLedger<Fact> extends OutboxLedger {
  /**
   * Applies what was deleted since the backup from which the data was restored, in order. Does nothing without a restore,
   * and after it was done once.
   * @param apply safe to repeat, also across replicas
   */
  applyAfterRestore(apply: (fact: Fact, at: Date) => Promise<void>): Promise<void>;
  forgetOld(now: Date): Promise<void>;
  close(): Promise<void>;
}

/** Ledger entries are in the database of a service's name with this ending. No backup has it. */
export const LEDGER_SUFFIX = '_ledger';
export const LEDGER = 'deletions';

/** A collection of the restored database, in which a restore notes itself. */
export const RESTORES = 'restores';

export interface RestoreDocument {
  _id: string;
  /** The beginning of the backup. */
  since: Date;
  /** Null until the ledger is applied. */
  appliedAt: Date | null;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** No backup is kept for longer (docs/operations.md). */
const LIFETIME_MS = 365 * DAY_MS;

/** The clock of the backup may be another one. */
const MARGIN_MS = 60 * 60 * 1000;

interface LedgerOptions<Fact> {
  /** The service's own. */
  connection: Connection;
  /** The service's own, with its server. */
  mongo: { url: string; database: string };
  /** LEDGER_URL */
  url: string | undefined;
  keys: readonly Buffer[];
  /** The part of an event that a restore must not undo. It is kept as JSON. */
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

  /** At the first use: a service works without its ledger, which is noted once the server is there. */
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
    async applyAfterRestore(apply) {
      for (const { _id, since } of await restores.find({ appliedAt: null }).toArray()) {
        await open();
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
