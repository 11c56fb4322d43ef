import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestBed, type TestBed } from '@najwa/testing';
import { newAdmin, readAudit } from './admin-bed.js';

let bed: TestBed;

beforeAll(async () => {
  bed = await startTestBed({ services: ['auth', 'admin'] });
});

afterAll(() => bed.stop());

// Threat model: admin-6.
test('refuses a sixth attempt from a network, even with the right secret', async () => {
  const create = (ip: string, adminSecret: string) =>
    bed.call('admin', 'POST', '/api/admin/create', { body: newAdmin(bed, { adminSecret }), identity: { ip } });
  for (let tries = 0; tries < 5; tries += 1) expect((await create('192.0.2.1', `guess ${tries}`)).status).toBe(403);
  const refused = await bed.call('admin', 'POST', '/api/admin/create', {
    body: newAdmin(bed),
    identity: { ip: '192.0.2.1' },
  });
  expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000);
  expect(
    (await bed.call('admin', 'POST', '/api/admin/create', { body: newAdmin(bed), identity: { ip: '192.0.2.2' } }))
      .status,
  ).toBe(201);
  expect((await readAudit(bed)).filter(({ outcome }) => outcome === 'refused')).toHaveLength(5);
});

test('refuses before the body is read', async () => {
  const attempt = () =>
    bed.call('admin', 'POST', '/api/admin/create', {
      identity: { ip: '192.0.2.3' },
      init: { headers: { 'content-type': 'application/json' }, body: '{"username":' },
    });
  for (let tries = 0; tries < 5; tries += 1) expect((await attempt()).status).toBe(400);
  expect((await attempt()).status).toBe(429);
});

test('counts all addresses of an IPv6 network as one', async () => {
  const attempt = (host: number) =>
    bed.call('admin', 'POST', '/api/admin/create', {
      body: newAdmin(bed, { adminSecret: 'a guess' }),
      identity: { ip: `2001:db8:1:2::${host}` },
    });
  for (let host = 1; host <= 5; host += 1) expect((await attempt(host)).status).toBe(403);
  expect((await attempt(6)).status).toBe(429);
});

// Threat model: admin-6.
test('counts the networks of a site together, with a larger bound', async () => {
  const attempt = (subnet: number) =>
    bed.call('admin', 'POST', '/api/admin/create', {
      body: newAdmin(bed, { adminSecret: 'a guess' }),
      identity: { ip: `2001:db8:2:${subnet}00::1` },
    });
  for (let subnet = 0; subnet < 20; subnet += 1) expect((await attempt(subnet)).status).toBe(403);
  expect((await attempt(20)).status).toBe(429);
});
