import { setTimeout as wait } from 'node:timers/promises';

const DUPLICATE_KEY = 11_000;

/** How DocumentDB words it where findOneAndUpdate is what a unique index refuses; updateOne and inserts have the code. */
const DOCUMENTDB_WORDING = /violates (exclusion|unique) constraint/;

/** How DocumentDB words it; the code differs from one command to the next. */
const DEADLOCK_WORDING = /deadlock detected/;

/** How FerretDB words it where PostgreSQL behind it is gone or goes; the code is that of any fault of its own. */
const FERRETDB_AWAY_WORDING =
  /failed to connect|write failed|broken pipe|connection (refused|reset)|conn closed|unexpected EOF|SQLSTATE 57P0[1-3]/;

/** The driver's errors for a server that it cannot reach. */
const AWAY_NAMES = new Set([
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoNotConnectedError',
  'MongoPoolClearedError',
  'MongoPoolClosedError',
  'MongoServerSelectionError',
  'MongoTopologyClosedError',
  'MongooseServerSelectionError',
]);

/** Codes with which a server says that it is going away, or that another of its set answers from now on. */
const AWAY_CODES = new Set<unknown>([
  91, // ShutdownInProgress
  189, // PrimarySteppedDown
  10_107, // NotWritablePrimary
  11_600, // InterruptedAtShutdown
  11_602, // InterruptedDueToReplStateChange
  13_435, // NotPrimaryNoSecondaryOk
  13_436, // NotPrimaryOrSecondary
]);

/** A connection that broke while the driver waited for room to write comes through as the system's own error. */
const CONNECTION_LOST_CODES = new Set<unknown>(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

const MAX_TRIES = 10;
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 500;

const says = (error: unknown, wording: RegExp): boolean =>
  error instanceof Error && error.name === 'MongoServerError' && wording.test(error.message);

/** Whether an error says that the database cannot be reached just now, so that the same call may succeed later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (error.name === 'MongoServerError') return AWAY_CODES.has(code) || FERRETDB_AWAY_WORDING.test(error.message);
  return AWAY_NAMES.has(error.name) || CONNECTION_LOST_CODES.has(code);
}

/** Whether a write was refused by a unique index. */
export function isDuplicateKey(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  return code === DUPLICATE_KEY || says(error, DOCUMENTDB_WORDING);
}

/**
 * Does a write again that was undone because it and another waited for each other. On DocumentDB that happens to writes of one
 * unique key at the same instant, upserts above all, and to updates of many documents; MongoDB does it by itself. The pause before it
 * is drawn at random, since those who met once would else meet at every try.
 * https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 * @throws whatever else the write throws, such as what `isDuplicateKey` knows
 */
export async function retryOnDeadlock<T>(write: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await write();
    } catch (error) {
      if (tries === MAX_TRIES || !says(error, DEADLOCK_WORDING)) throw error;
      await wait(Math.random() * Math.min(FIRST_PAUSE_MS * 2 ** tries, LONGEST_PAUSE_MS));
    }
  }
}
