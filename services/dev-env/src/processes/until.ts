import { setTimeout as delay } from 'node:timers/promises';

export interface UntilOptions {
  timeoutMs: number;
  intervalMs?: number;
  signal?: AbortSignal | undefined;
}

/** Polls until `condition` holds. Resolves to whether it did in time; rejects when the signal aborts. */
export async function until(
  condition: () => Promise<boolean> | boolean,
  { timeoutMs, intervalMs = 50, signal }: UntilOptions,
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    signal?.throwIfAborted();
    if (await condition()) return true;
    if (performance.now() >= deadline) return false;
    await delay(intervalMs, undefined, signal ? { signal } : {});
  }
}
