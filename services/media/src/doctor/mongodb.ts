import { randomUUID } from 'node:crypto';
import { createLogger } from '@najwa/common/logging';
import { Database } from '@najwa/common/mongo';
import { mongo } from 'mongoose';
import { compareClocks, isOlder, Problem, type Checks } from './checks.js';
import { INDEX_KINDS, QUERY_KINDS, sampleOf, UPDATE_KINDS, type Kind, type Sample } from './mongodb-kinds.js';

/** Older ones are unmaintained. */
const MIN_VERSION = '7.0';
const DOCUMENTS = 1000;
const OPERATION_TIMEOUT_MS = 30_000;

export async function checkMongodb(url: string, { check, signal }: Checks): Promise<void> {
  const name = `najwa_doctor_${randomUUID().slice(0, 8)}`;
  const logger = createLogger({ service: 'doctor', level: 'silent' });
  const server = new Database({ url, database: name, operationTimeoutMs: OPERATION_TIMEOUT_MS }, logger);
  const isThere = await check(
    'MongoDB',
    async () => {
      await server.connect();
      const { version } = (await server.connection.db?.command({ buildInfo: 1 })) as { version: string };
      if (isOlder(version, MIN_VERSION)) throw new Problem(`It is version ${version}. Use ${MIN_VERSION} or newer.`);
      return `version ${version}; no transactions needed`;
    },
    (error) => explain(error, url),
  );
  const { db } = server.connection;
  let wasWritten = false;
  try {
    if (!isThere || db === undefined) return;
    await check('Clock of MongoDB', () =>
      compareClocks(async () => ((await db.admin().command({ hello: 1 })) as { localTime: Date }).localTime),
    );
    wasWritten = true;
    const samples = db.collection<Sample>('samples');
    const canWrite = await check(
      'MongoDB documents',
      async () => {
        await samples.createIndexes([
          { key: { id: 1 }, name: 'id', unique: true },
          { key: { userId: 1, id: -1 }, name: 'user' },
        ]);
        return `${DOCUMENTS} written in ${Math.round(await fill(samples))} ms`;
      },
      (error) => explain(error, url),
    );
    if (!canWrite) return;
    await check('MongoDB indexes', () => tryIndexes(db, signal));
    await check('MongoDB updates', () => tryKinds(samples, UPDATE_KINDS, signal));
    await check('MongoDB queries', () => tryKinds(samples, QUERY_KINDS, signal));
  } finally {
    if (wasWritten) await db?.dropDatabase();
    await server.close();
  }
}

const NOT_ALLOWED = 13;
const WRONG_PASSWORD = 18;

/** @returns undefined if the message suffices */
function explain(error: Error, url: string): string | undefined {
  if (error.name.includes('ServerSelection')) {
    const { hosts, srvHost } = new mongo.MongoClient(url).options;
    return `Nothing answers at ${srvHost ?? hosts.join(', ')}. Start it, or correct MONGO_URL.`;
  }
  const { code } = error as { code?: unknown };
  if (code === WRONG_PASSWORD) return 'It refuses the user or the password of MONGO_URL.';
  if (code === NOT_ALLOWED)
    return 'Its user may not make databases such as najwa_auth, as the services do. Give it readWriteAnyDatabase.';
  return undefined;
}

/** @returns milliseconds */
async function fill(samples: mongo.Collection<Sample>, first = 1): Promise<number> {
  const documents = Array.from({ length: DOCUMENTS }, (_, index) => sampleOf(first + index));
  const startedAt = performance.now();
  await samples.insertMany(documents, { ordered: false });
  return performance.now() - startedAt;
}

async function tryIndexes(db: mongo.Db, signal: AbortSignal): Promise<string> {
  const collections = new Map([['none', db.collection<Sample>('bare')]]);
  const refused: string[] = [];
  for (const [kind, index] of Object.entries(INDEX_KINDS)) {
    signal.throwIfAborted();
    const samples = db.collection<Sample>(`indexed_${collections.size}`);
    try {
      await samples.createIndexes([{ ...index, name: 'tried' }]);
      collections.set(kind, samples);
    } catch (error) {
      refused.push(`${kind} (${(error as Error).message})`);
    }
  }
  if (refused.length > 0) throw new Problem(`It cannot make indexes of the kind: ${refused.join('; ')}.`);
  // The better of two runs, because of other load.
  const times = new Map<string, number>();
  for (const first of [1, DOCUMENTS + 1])
    for (const [kind, samples] of collections) {
      signal.throwIfAborted();
      times.set(kind, Math.min(await fill(samples, first), times.get(kind) ?? Infinity));
    }
  const bare = times.get('none') ?? 0;
  times.delete('none');
  const prices = [...times].sort(([, a], [, b]) => b - a);
  const list = prices.map(([kind, ms]) => `${kind} ${Math.max(0, Math.round(ms - bare))}`);
  return `${DOCUMENTS} documents take ${Math.round(bare)} ms without one. With one, in ms more: ${list.join(', ')}`;
}

async function tryKinds(
  samples: mongo.Collection<Sample>,
  kinds: Readonly<Record<string, Kind>>,
  signal: AbortSignal,
): Promise<string> {
  const failed: string[] = [];
  for (const [kind, run] of Object.entries(kinds)) {
    signal.throwIfAborted();
    try {
      if (!(await run(samples))) failed.push(`${kind} (another result than MongoDB's)`);
    } catch (error) {
      failed.push(`${kind} (${(error as Error).message})`);
    }
  }
  if (failed.length > 0) throw new Problem(`These do not work: ${failed.join('; ')}.`);
  return `${Object.keys(kinds).length} kinds`;
}
