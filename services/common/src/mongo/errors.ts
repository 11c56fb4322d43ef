import { setTimeout as wait } from 'node:timers/promises';

const DUPLICATE_KEY = 11_000;

/** DocumentDB, for findOneAndUpdate. Other writes return the code. */
const DOCUMENTDB_WORDING = /violates (exclusion|unique) constraint/;

const DEADLOCK_WORDING = 'deadlock detected';

const BUFFERING_WORDING = 'buffering timed out';

/** FerretDB, when PostgreSQL is unreachable, disconnects or cannot write. The code is generic. */
const FERRETDB_UNAVAILABLE = new RegExp(
  [
    'failed to connect',
    'write failed',
    'broken pipe',
    'connection (refused|reset)',
    'conn closed',
    'closed (pool|network connection)',
    'unexpected EOF',
    'i/o timeout',
    'the database system is (starting up|shutting down|not accepting connections|in recovery mode)',
    'No space left on device',
    // Connection exceptions, disk full, too many connections, shutdown, crash, start.
    'SQLSTATE (08[0-9A-Z]{3}|53[13]00|57P0[1-5])',
  ].join('|'),
);

const UNAVAILABLE_NAMES = new Set([
  'MongoClientClosedError',
  'MongoExpiredSessionError',
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoNotConnectedError',
  'MongoOperationTimeoutError',
  'MongoPoolClearedError',
  'MongoPoolClosedError',
  'MongoServerClosedError',
  'MongoServerSelectionError',
  'MongoStalePrimaryError',
  'MongoTopologyClosedError',
  'MongoWaitQueueTimeoutError',
  'MongoWriteConcernError',
  'MongooseServerSelectionError',
  'PoolClearedOnNetworkError',
]);

/** Reported for lost storage, but also for faults. */
const INTERNAL_ERROR = 1;

/** Shutdown, lost connections, primary changes, deadlines, disk full. A cursor ends with its server. */
const UNAVAILABLE_CODES = new Set<unknown>([
  INTERNAL_ERROR,
  6, // HostUnreachable
  7, // HostNotFound
  43, // CursorNotFound
  50, // MaxTimeMSExpired
  89, // NetworkTimeout
  91, // ShutdownInProgress
  189, // PrimarySteppedDown
  237, // CursorKilled
  262, // ExceededTimeLimit
  9_001, // SocketException
  10_107, // NotWritablePrimary
  11_600, // InterruptedAtShutdown
  11_601, // Interrupted
  11_602, // InterruptedDueToReplStateChange
  13_435, // NotPrimaryNoSecondaryOk
  13_436, // NotPrimaryOrSecondary
  14_031, // OutOfDiskSpace
]);

const CONNECTION_LOST_CODES = new Set<unknown>([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
  'ETIMEDOUT',
]);

const MAX_CAUSES = 4;

const MAX_TRIES = 10;
const FIRST_PAUSE_MS = 20;
const MAX_PAUSE_MS = 500;

const isServerError = (error: unknown): error is Error => error instanceof Error && error.name === 'MongoServerError';

const isDeadlock = (error: unknown): boolean =>
  error instanceof Error && isAnswerOfServer(error) && error.message.includes(DEADLOCK_WORDING);

export const isDatabaseUnavailable = (error: unknown): boolean => someCause(error, saysUnavailable);

/** An internal error without a reason: lost storage, or a fault that no waiting mends. */
export const isPerhapsFaultOfDatabase = (error: unknown): boolean =>
  someCause(
    error,
    (cause) =>
      isAnswerOfServer(cause) && saysUnavailable(cause) && codeOf(cause) === INTERNAL_ERROR && !saysWhy(cause.message),
  );

function someCause(error: unknown, holds: (cause: Error) => boolean): boolean {
  let current = error;
  for (let depth = 0; depth < MAX_CAUSES && current instanceof Error; depth += 1) {
    if (holds(current)) return true;
    // A bulk write wraps its cause, such as a lost connection, as a server response.
    current = current.cause ?? (current as { errorResponse?: unknown }).errorResponse;
  }
  return false;
}

const codeOf = (error: Error): unknown => (error as { code?: unknown }).code;

const isAnswerOfServer = ({ name }: Error): boolean => name === 'MongoServerError' || name === 'MongoBulkWriteError';

const saysWhy = (message: string): boolean => FERRETDB_UNAVAILABLE.test(message) || message.includes(DEADLOCK_WORDING);

function saysUnavailable(error: Error): boolean {
  const code = codeOf(error);
  if (isAnswerOfServer(error)) return !isDuplicateKey(error) && (UNAVAILABLE_CODES.has(code) || saysWhy(error.message));
  if (error.name === 'MongooseError' && error.message.includes(BUFFERING_WORDING)) return true;
  return UNAVAILABLE_NAMES.has(error.name) || CONNECTION_LOST_CODES.has(code);
}

export function isDuplicateKey(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  return code === DUPLICATE_KEY || (isServerError(error) && DOCUMENTDB_WORDING.test(error.message));
}

/**
 * Retries deadlocked writes with jittered backoff. On DocumentDB, concurrent upserts of one unique key and updates of
 * many documents can deadlock. MongoDB retries by itself.
 * https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 * @throws other errors of the write, such as duplicate keys
 */
export async function retryOnDeadlock<T>(write: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await write();
    } catch (error) {
      if (tries === MAX_TRIES || !isDeadlock(error)) throw error;
      await wait(Math.random() * Math.min(FIRST_PAUSE_MS * 2 ** tries, MAX_PAUSE_MS));
    }
  }
}
