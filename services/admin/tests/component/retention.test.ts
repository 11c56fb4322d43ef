import { beforeAll, expect, test } from '@jest/globals';
import { sharedBed, type Bed } from '@najwa/testing';
import { createContext } from '../../src/context.js';
import { loadConfig } from '../../src/index.js';
import { administrator, newAdmin, readAudit } from './admin-bed.js';

const DAY_MS = 24 * 60 * 60 * 1000;

let bed: Bed;

beforeAll(async () => {
  bed = await sharedBed();
});

test('removes addresses from the audit log after their retention and keeps the entries', async () => {
  const { database, audit, retention } = await createContext(
    loadConfig({ ...bed.environmentOf('admin'), TRACKING_RETENTION_DAYS: '30' }),
  );
  await database.connect();
  try {
    await bed.call('admin', 'POST', '/api/admin/create', { body: newAdmin(bed), identity: administrator });
    await audit.removeAddresses(retention.cutoff(new Date(Date.now() + 29 * DAY_MS)));
    const newest = async () => (await readAudit(bed, '?limit=1'))[0];
    expect(await newest()).toMatchObject({ ipAddress: administrator.ip });
    await audit.removeAddresses(retention.cutoff(new Date(Date.now() + 31 * DAY_MS)));
    expect(await newest()).toMatchObject({
      ipAddress: null,
      userId: administrator.userId,
      action: 'administrator.create',
    });
  } finally {
    await database.close();
  }
});
