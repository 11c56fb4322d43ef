/** Longer than the gateway waits for a service. */
const ANSWER_MS = 120_000;
/** The slowest average at which the gateway takes a body. */
const SLOW_BYTES_PER_MS = 4;

const bytesOf = (value: unknown): number =>
  typeof value === 'string' ? value.length : value instanceof Blob ? value.size : 0;

/** @param body a form, or what becomes JSON */
export function sizeOf(body: unknown): number {
  const values = body instanceof FormData ? [...body.values()] : Object.values(body ?? {});
  return values.reduce<number>((sum, value) => sum + bytesOf(value), 0);
}

/**
 * A limit in milliseconds for a call with such a body, also on a slow line. Without one, a line that died holds the call
 * up for ever.
 */
export const timeToSend = (body: unknown): number => ANSWER_MS + Math.round(sizeOf(body) / SLOW_BYTES_PER_MS);
