import { SetupError, Unavailable } from '../bootstrap/environment.js';
import type { Step } from '../reporter.js';
import type { ProvidedPart, Provider } from './part.js';

export interface ResolveOptions {
  /** For people, such as MongoDB. */
  title: string;
  /** Such as "set MONGO_URL". */
  advice: string;
  signal: AbortSignal;
}

/**
 * The first provider that works. A server that the environment names is never replaced.
 * @throws {SetupError} saying why the part is missing, and what to do
 */
export async function resolvePart(
  providers: readonly Provider[],
  step: Step,
  { title, advice, signal }: ResolveOptions,
): Promise<ProvidedPart> {
  const reasons: string[] = [];
  for (const provider of providers) {
    signal.throwIfAborted();
    try {
      const part = await provider.take(step);
      if (part) return part;
    } catch (error) {
      signal.throwIfAborted();
      const expected = error instanceof Unavailable || error instanceof SetupError;
      if (provider.source === 'environment' || !expected) throw error;
      reasons.push(error.message.replace(/\.$/, ''));
    }
  }
  throw new SetupError(`${title} is missing, and could not be prepared (${reasons.join('; ')}): ${advice}.`);
}
