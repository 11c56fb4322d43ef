import { expect, test } from '@jest/globals';
import { AppError } from '@najwa/common/errors';
import { createLogger } from '@najwa/common/logging';
import type { AuditRepository } from '../db/audit.js';
import { audited } from './audited.js';

const entry = { userId: 1, ipAddress: '192.0.2.1', action: 'report.act', details: {} } as const;
const logger = createLogger({ service: 'admin', level: 'silent' });

/** Fails as often as asked, and keeps what was written. */
function startLog(failures: number) {
  const outcomes: string[] = [];
  let left = failures;
  const audit: Pick<AuditRepository, 'begin' | 'finish'> = {
    begin: () => Promise.resolve(1),
    finish(_id, outcome) {
      left -= 1;
      if (left >= 0) return Promise.reject(new AppError({ code: 'unavailable', message: 'The database is away.' }));
      outcomes.push(outcome);
      return Promise.resolve();
    },
  };
  return { outcomes, context: { audit: audit as AuditRepository, logger } };
}

test('an action that took place is never recorded as failed', async () => {
  const { outcomes, context } = startLog(1);
  const call = audited(context, entry, () => Promise.resolve({ result: 'taken' }));
  await expect(call).rejects.toMatchObject({ code: 'unavailable' });
  expect(outcomes).toEqual([]);
});

test('an action that was refused is recorded as that', async () => {
  const { outcomes, context } = startLog(0);
  const refusal = new AppError({ code: 'already_decided', message: 'Another one was first.' });
  await expect(audited(context, entry, () => Promise.reject(refusal))).rejects.toBe(refusal);
  expect(outcomes).toEqual(['refused']);
});
