/** Longer than the gateway waits for a service. */
const ANSWER_MS = 120_000;
const SLOW_BYTES_PER_MS = 16;

/**
 * A limit in milliseconds for a call with such a file, also on a slow line. Without one, a line that died holds the call
 * up for ever.
 */
export function timeToSend(file?: Blob | string | null): number {
  const bytes = typeof file === 'string' ? file.length : (file?.size ?? 0);
  return ANSWER_MS + Math.round(bytes / SLOW_BYTES_PER_MS);
}
