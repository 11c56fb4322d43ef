import { toAppError } from '@najwa/common';
import type { AdminContext } from '../context.js';
import type { AuditDetails, NewAuditEntry } from '../db/audit.js';

/**
 * Does something that must not happen unseen. The entry stands in the log before it begins and has its outcome before
 * the caller can answer; where the log cannot be written, nothing happens.
 * @param run what it returns as `details` is added to those of the entry
 */
export async function audited<T>(
  { audit, logger }: Pick<AdminContext, 'audit' | 'logger'>,
  entry: NewAuditEntry,
  run: () => Promise<{ result: T; details?: AuditDetails }>,
): Promise<T> {
  const id = await audit.begin(entry);
  try {
    const { result, details } = await run();
    await audit.finish(id, 'done', { ...entry.details, ...details });
    return result;
  } catch (error) {
    const { code, httpStatus } = toAppError(error);
    await audit
      .finish(id, httpStatus < 500 ? 'refused' : 'failed', { ...entry.details, code })
      .catch((failure: unknown) => logger.error({ err: failure }, 'audit entry left without its outcome'));
    throw error;
  }
}
