import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestBed, type TestBed } from '@najwa/testing';
import { ask, newVisitor, picture, upload } from './chat-bed.js';

let bed: TestBed;

beforeAll(async () => {
  bed = await startTestBed({ services: ['media', 'chatbot'], env: { CHAT_LIMIT: '3/60', CHAT_UPLOAD_LIMIT: '2/60' } });
});

afterAll(() => bed.stop());

test('refuses questions beyond the limit of an address, regardless of cookies', async () => {
  const askFrom = (ip: string) => ask(bed, 'hello', { identity: { ...newVisitor(), ip } });
  for (let asked = 0; asked < 3; asked += 1) expect((await askFrom('192.0.2.1')).status).toBe(200);
  const refused = await askFrom('192.0.2.1');
  expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await askFrom('192.0.2.2')).status).toBe(200);
  expect((await ask(bed, 'hello', { identity: { userId: 5, ip: '192.0.2.1' } })).status).toBe(200);
});

test('refuses questions beyond the limit of a site, across its networks', async () => {
  const askFrom = (subnet: number) =>
    ask(bed, 'hello', { identity: { ...newVisitor(), ip: `2001:db8:1:${subnet}00::1` } });
  for (let subnet = 1; subnet <= 12; subnet += 1) expect((await askFrom(subnet)).status).toBe(200);
  expect((await askFrom(13)).status).toBe(429);
  expect((await ask(bed, 'hello', { identity: { ...newVisitor(), ip: '2001:db8:2:1::1' } })).status).toBe(200);
});

test('refuses uploads beyond the limit', async () => {
  const content = await picture();
  const statuses = [];
  for (let sent = 0; sent < 3; sent += 1)
    statuses.push((await upload(bed, content, { identity: { userId: 6 } })).status);
  expect(statuses).toEqual([201, 201, 429]);
});
