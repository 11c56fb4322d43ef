/** A problem, with its remedy in one sentence. */
export class Problem extends Error {}

export interface Checks {
  /**
   * @param work returns details to report
   * @param explain translates a library's error
   * @returns false on failure
   */
  check: (
    title: string,
    work: () => Promise<string>,
    explain?: (error: Error) => string | undefined,
  ) => Promise<boolean>;
  /** Aborts the remaining checks. */
  signal: AbortSignal;
}

const MAX_APART_MS = 5_000;

export async function compareClocks(read: () => Promise<Date>): Promise<string> {
  const asked = Date.now();
  const time = (await read()).getTime();
  const apart = Math.max(0, asked - time, time - Date.now());
  const seconds = (apart / 1000).toFixed(1);
  if (apart > MAX_APART_MS) throw new Problem(`It is ${seconds} s from that of this machine. Set both by NTP.`);
  return `within ${seconds} s of that of this machine`;
}

/** Numeric: 3.10 is newer than 3.9. */
export function isOlder(version: string, than: string): boolean {
  const [own = [], other = []] = [version, than].map((text) => text.split('.').map(Number));
  const differing = other.findIndex((part, index) => part !== (own[index] ?? 0));
  return differing !== -1 && (own[differing] ?? 0) < (other[differing] ?? 0);
}

const UNREACHABLE = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT']);

export const isUnreachable = (error: unknown): boolean =>
  error instanceof Error &&
  (UNREACHABLE.has(String((error as { code?: unknown }).code)) ||
    isUnreachable(error.cause) ||
    (error instanceof AggregateError && error.errors.some(isUnreachable)));
