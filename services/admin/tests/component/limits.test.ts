import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TestBed } from '@najwa/dev-env';
import { newAdmin, readAudit, startAdminBed } from './admin-bed.js';

let bed: TestBed;

beforeAll(async () => {
  bed = await startAdminBed({ RATE_LIMIT_SCALE: '1' });
});

afterAll(() => bed.stop());

test('guessing the secret stops after five tries from an address, also for the right one', async () => {
  const create = (ip: string, adminSecret: string) =>
    bed.call('admin', 'POST', '/api/admin/create', { body: newAdmin({ adminSecret }), identity: { ip } });
  for (let tries = 0; tries < 5; tries += 1) expect((await create('192.0.2.1', `guess ${tries}`)).status).toBe(403);
  const refused = await bed.call('admin', 'POST', '/api/admin/create', {
    body: newAdmin(),
    identity: { ip: '192.0.2.1' },
  });
  expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000);
  expect(
    (await bed.call('admin', 'POST', '/api/admin/create', { body: newAdmin(), identity: { ip: '192.0.2.2' } })).status,
  ).toBe(201);
  expect((await readAudit(bed)).filter(({ outcome }) => outcome === 'refused')).toHaveLength(5);
});
