import { AppError } from '@najwa/common/errors';

const MAX_TRIES = 20;

/** Another write came first. */
export const CONFLICT = Symbol('conflict');

/**
 * Optimistic locking: reads, decides and writes again as long as other writes come first.
 * @param subject for the error, such as `The message is`
 * @param attempt reads and writes once
 * @throws {AppError} `unavailable`
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
