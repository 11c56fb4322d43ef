import { SetupError, Unavailable } from '../bootstrap/environment.js';
import type { Step } from '../reporter.js';
import type { ProvidedPart, Way } from './part.js';

export interface ResolveOptions {
  /** The part's name for people, such as MongoDB. */
  title: string;
  /** What the person can do about it, such as "set MONGO_URL". */
  waysOut: string;
  signal: AbortSignal;
}

/**
 * Takes a part in the first of the ways that works. What the environment names explicitly is never replaced by another way.
 * @throws {SetupError} saying in one sentence why it cannot be had, and the ways out
 */
export async function resolvePart(
  ways: readonly Way[],
  step: Step,
  { title, waysOut, signal }: ResolveOptions,
): Promise<ProvidedPart> {
  const reasons: string[] = [];
  for (const way of ways) {
    signal.throwIfAborted();
    try {
      const part = await way.take(step);
      if (part) return part;
    } catch (error) {
      signal.throwIfAborted();
      const expected = error instanceof Unavailable || error instanceof SetupError;
      if (way.source === 'environment' || !expected) throw error;
      reasons.push(error.message.replace(/\.$/, ''));
    }
  }
  throw new SetupError(`${title} is missing, and could not be prepared (${reasons.join('; ')}): ${waysOut}.`);
}
