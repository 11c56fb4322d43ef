import { toAppError } from '@najwa/common/errors';
import type { AdminContext } from '../context.js';
import type { AuditDetails, NewAuditEntry } from '../db/audit.js';

/**
 * Logs an action before it starts and its outcome before the caller answers. Without the log, it does not run.
 * @param run adds `details` to those of the entry
 */
export async function audited<T>(
  { audit, logger }: Pick<AdminContext, 'audit' | 'logger'>,
  entry: NewAuditEntry,
  run: () => Promise<{ result: T; details?: AuditDetails }>,
): Promise<T> {
  const id = await audit.begin(entry);
  const { result, details } = await run().catch(async (error: unknown) => {
    const { code, httpStatus } = toAppError(error);
    await audit
      .finish(id, httpStatus < 500 ? 'refused' : 'failed', { ...entry.details, code })
      .catch((failure: unknown) => logger.error({ err: failure }, 'audit entry has no outcome'));
    throw error;
  });
  // If this fails, the entry stays `begun`: it must not report a failure.
  await audit.finish(id, 'done', { ...entry.details, ...details });
  return result;
}
