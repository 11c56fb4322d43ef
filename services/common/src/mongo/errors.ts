const DUPLICATE_KEY = 11_000;

/** How DocumentDB words it where findOneAndUpdate is what a unique index refuses; updateOne and inserts have the code. */
const DOCUMENTDB_WORDING = /violates (exclusion|unique) constraint/;

/** Whether a write was refused by a unique index. */
export function isDuplicateKey(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  return code === DUPLICATE_KEY || (error.name === 'MongoServerError' && DOCUMENTDB_WORDING.test(error.message));
}
