import { openQueues } from '@najwa/common/amqp';
import { ConfigError, type Environment } from '@najwa/common/config';
import { LEDGER, LEDGER_SUFFIX } from '@najwa/product';
import { mongo } from 'mongoose';
import { backUp } from './backup.js';
import type { Manifest } from './format.js';
import { keepLess, type Kept } from './keep-less.js';
import { readManifest, restore } from './restore.js';
import {
  connectStores,
  LEDGER_SERVICES,
  loadConfig,
  loadKeepLessConfig,
  loadRestoreConfig,
  SELECTION_TIMEOUT_MS,
  type BackupConfig,
  type RestoreConfig,
  type Stores,
} from './stores.js';

export interface BackupCommand {
  environment: Environment;
  args: readonly string[];
  writeLine: (line: string) => void;
  writeError: (line: string) => void;
}

interface CopyRun {
  usage: string;
  verb: string;
  flags?: readonly string[];
  copy: (environment: Environment, folder: string, flags: ReadonlySet<string>, note: Note) => Promise<Manifest>;
}

type Note = (line: string) => void;

async function run({ usage, verb, flags = [], copy }: CopyRun, command: BackupCommand): Promise<number> {
  const { environment, args, writeLine, writeError } = command;
  const given = new Set(args.filter((each) => each.startsWith('--')));
  const [folder, ...more] = args.filter((each) => !each.startsWith('--'));
  if (folder === undefined || more.length > 0 || [...given].some((each) => !flags.includes(each))) {
    writeError(usage);
    return 2;
  }
  try {
    const notes: string[] = [];
    const { collections, objects } = await copy(environment, folder, given, (line) => void notes.push(line));
    for (const { service, collection, documents } of collections)
      writeLine(`${service}  ${collection}  ${documents} documents`);
    writeLine(`${objects.count} files, ${objects.bytes} bytes`);
    for (const note of notes) writeLine(note);
    writeLine(`${verb} ${folder}`);
    return 0;
  } catch (error) {
    writeError(error instanceof ConfigError ? error.message : `Not ${verb}: ${(error as Error).message}`);
    return 1;
  }
}

async function withStores<Result>(config: BackupConfig, use: (stores: Stores) => Promise<Result>): Promise<Result> {
  const stores = await connectStores(config);
  try {
    return await use(stores);
  } finally {
    await stores.close();
  }
}

/** The first argument is the folder. @returns the exit status */
export const runBackup = (command: BackupCommand): Promise<number> =>
  run(
    {
      usage: 'Usage: npm run backup -- FOLDER',
      verb: 'backed up into',
      copy: (environment, folder) => withStores(loadConfig(environment), (stores) => backUp(stores, folder)),
    },
    command,
  );

const EMPTY_BROKER = '--empty-broker';

/** The first argument is the folder. @returns the exit status */
export const runRestore = (command: BackupCommand): Promise<number> =>
  run(
    {
      usage: `Usage: npm run restore -- FOLDER [${EMPTY_BROKER}]`,
      verb: 'restored from',
      flags: [EMPTY_BROKER],
      async copy(environment, folder, flags, note) {
        const config = loadRestoreConfig(environment);
        const deletions = await countDeletions(config, await readManifest(folder));
        note(
          deletions === null
            ? 'There is no ledger of deletions: what was deleted since the backup is there again.'
            : `${deletions} deletions since the backup are in the ledger. Auth and messages apply them as they start.`,
        );
        return withStores(config, (stores) =>
          restore(stores, folder, () => prepareBroker(config, flags.has(EMPTY_BROKER))),
        );
      },
    },
    command,
  );

const isKept = (value: string | undefined): value is Kept => value === 'coarse' || value === 'off';

/** @returns the exit status */
export async function runKeepLess({ environment, args, writeLine, writeError }: BackupCommand): Promise<number> {
  const [kept, ...more] = args;
  if (!isKept(kept) || more.length > 0) {
    writeError('Usage: npm run keep-less -- coarse|off');
    return 2;
  }
  try {
    const config = loadKeepLessConfig(environment);
    const changed = await withStores(config, (stores) => keepLess(stores, kept, config));
    for (const [place, count] of Object.entries(changed)) writeLine(`${place}  ${count} documents changed`);
    return 0;
  } catch (error) {
    writeError(error instanceof ConfigError ? error.message : `Not finished: ${(error as Error).message}`);
    return 1;
  }
}

/**
 * Events of the lost system would change restored data.
 * @throws if services are running, or if events wait and may not be removed
 */
async function prepareBroker({ broker }: RestoreConfig, mayEmpty: boolean): Promise<void> {
  const queues = await openQueues(broker);
  try {
    const { events, consumers } = await queues.measure();
    if (consumers > 0) throw new Error('Services are running: they read from the queues. Stop them first.');
    if (events === 0) return;
    if (!mayEmpty)
      throw new Error(
        `${events} events wait in the broker. They are of the system as it was. ${EMPTY_BROKER} removes them.`,
      );
    await queues.empty();
  } finally {
    await queues.close();
  }
}

/** @returns null if there is no ledger */
async function countDeletions({ ledgerUrl, prefix }: RestoreConfig, { startedAt }: Manifest): Promise<number | null> {
  const client = await mongo.MongoClient.connect(ledgerUrl, { serverSelectionTimeoutMS: SELECTION_TIMEOUT_MS });
  try {
    const ledgers = LEDGER_SERVICES.map((service) =>
      client.db(`${prefix}_${service}${LEDGER_SUFFIX}`).collection(LEDGER),
    );
    const totals = await Promise.all(ledgers.map((ledger) => ledger.countDocuments({})));
    if (totals.every((total) => total === 0)) return null;
    const since = { at: { $gte: new Date(startedAt) } };
    const counts = await Promise.all(ledgers.map((ledger) => ledger.countDocuments(since)));
    return counts.reduce((sum, count) => sum + count, 0);
  } finally {
    await client.close();
  }
}
