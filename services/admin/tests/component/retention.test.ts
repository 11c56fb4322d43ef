import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TestBed } from '@najwa/dev-env';
import { createContext } from '../../src/context.js';
import { loadConfig } from '../../src/index.js';
import { administrator, newAdmin, readAudit, startAdminBed } from './admin-bed.js';

const DAY_MS = 24 * 60 * 60 * 1000;

let bed: TestBed;

beforeAll(async () => {
  bed = await startAdminBed({ TRACKING_RETENTION_DAYS: '30' });
});

afterAll(() => bed.stop());

test('removes addresses from the audit log after their retention and keeps the entries', async () => {
  const { database, audit, retention } = await createContext(loadConfig(bed.environmentOf('admin')));
  await database.connect();
  try {
    await bed.call('admin', 'POST', '/api/admin/create', { body: newAdmin(), identity: administrator });
    await audit.removeAddresses(retention.cutoff(new Date(Date.now() + 29 * DAY_MS)));
    expect(await readAudit(bed)).toMatchObject([{ ipAddress: administrator.ip }]);
    await audit.removeAddresses(retention.cutoff(new Date(Date.now() + 31 * DAY_MS)));
    expect(await readAudit(bed)).toMatchObject([
      { ipAddress: null, userId: administrator.userId, action: 'administrator.create' },
    ]);
  } finally {
    await database.close();
  }
});
