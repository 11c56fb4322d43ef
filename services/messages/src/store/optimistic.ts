import { AppError } from '@najwa/common/errors';

const MAX_TRIES = 20;

export const CONFLICT = Symbol('conflict');

/**
 * Optimistic locking: repeats `attempt` until it does not return `CONFLICT`.
 * @param subject starts the error, as in `The message is`
 * @throws {AppError} `unavailable` after `MAX_TRIES`
 */
export async function retryOnConflict<Result>(
  subject: string,
  attempt: () => Promise<Result | typeof CONFLICT>,
): Promise<Result> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const result = await attempt();
    if (result !== CONFLICT) return result;
  }
  throw contended(subject);
}

export const contended = (subject: string): AppError =>
  new AppError({
    code: 'unavailable',
    message: `${subject} being changed by others. Try again shortly.`,
    retryAfter: 1,
  });
