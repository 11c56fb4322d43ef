const DUPLICATE_KEY = 11_000;

/** How DocumentDB words it where findOneAndUpdate is what a unique index refuses; updateOne and inserts have the code. */
const DOCUMENTDB_WORDING = /violates (exclusion|unique) constraint/;

/** How DocumentDB words it; the code differs from one command to the next. */
const DEADLOCK_WORDING = /deadlock detected/;

const MAX_TRIES = 10;

const says = (error: unknown, wording: RegExp): boolean => error instanceof Error && error.name === 'MongoServerError' && wording.test(error.message);

/** Whether a write was refused by a unique index. */
export function isDuplicateKey(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  return code === DUPLICATE_KEY || says(error, DOCUMENTDB_WORDING);
}

/**
 * Does a write again that was undone because it and another waited for each other. On DocumentDB that happens to writes of one
 * unique key at the same instant, upserts above all, and to updates of many documents; MongoDB does it by itself.
 * @throws whatever else the write throws, such as what `isDuplicateKey` knows
 */
export async function againAfterDeadlock<T>(write: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await write();
    } catch (error) {
      if (tries === MAX_TRIES || !says(error, DEADLOCK_WORDING)) throw error;
    }
  }
}
