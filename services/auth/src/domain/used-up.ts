import { AppError } from '@najwa/common/errors';

/** Takes points of limits that strangers can use up, so that they ask for a proof of work instead of refusing. */
export async function isUsedUp(consume: () => Promise<void>): Promise<boolean> {
  try {
    await consume();
    return false;
  } catch (error) {
    if (error instanceof AppError && error.code === 'too_many_requests') return true;
    throw error;
  }
}
