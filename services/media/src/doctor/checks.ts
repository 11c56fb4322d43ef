/** Something that will not do, in one sentence that says what to do. */
export class Problem extends Error {}

/** Runs one check after the other, and reports each. */
export interface Checks {
  /**
   * @param work returns what is good to know
   * @param explain puts an error of a library into a sentence
   * @returns false if it failed
   */
  check: (
    title: string,
    work: () => Promise<string>,
    explain?: (error: Error) => string | undefined,
  ) => Promise<boolean>;
  /** Ends the checks: then nothing more is begun. */
  signal: AbortSignal;
}

const MAX_APART_MS = 5_000;

/** Compares the clock of a server with that of this machine. */
export async function compareClocks(read: () => Promise<Date>): Promise<string> {
  const asked = Date.now();
  const time = (await read()).getTime();
  const apart = Math.max(0, asked - time, time - Date.now());
  const seconds = (apart / 1000).toFixed(1);
  if (apart > MAX_APART_MS) throw new Problem(`It is ${seconds} s from that of this machine. Set both by NTP.`);
  return `within ${seconds} s of that of this machine`;
}

/** Compares the numbers of versions: 3.10 is newer than 3.9. */
export function isOlder(version: string, than: string): boolean {
  const [own = [], other = []] = [version, than].map((text) => text.split('.').map(Number));
  const differing = other.findIndex((part, index) => part !== (own[index] ?? 0));
  return differing !== -1 && (own[differing] ?? 0) < (other[differing] ?? 0);
}

const UNREACHABLE = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT']);

/** True if an error, or one of its causes, says that nothing answers at an address. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof Error &&
  (UNREACHABLE.has(String((error as { code?: unknown }).code)) ||
    isUnreachable(error.cause) ||
    (error instanceof AggregateError && error.errors.some(isUnreachable)));
