const DUPLICATE_KEY = 11_000;

/**
 * Whether a write was refused by a unique index.
 * @param index only when it was this one, by name
 */
export function isDuplicateKey(error: unknown, index?: string): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  return code === DUPLICATE_KEY && (index === undefined || error.message.includes(index));
}
