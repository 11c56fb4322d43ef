import { AppError } from '@najwa/common/errors';

/** For limits that others can exhaust, which lead to a proof of work. */
export async function isUsedUp(consume: () => Promise<void>): Promise<boolean> {
  try {
    await consume();
    return false;
  } catch (error) {
    if (error instanceof AppError && error.code === 'too_many_requests') return true;
    throw error;
  }
}
