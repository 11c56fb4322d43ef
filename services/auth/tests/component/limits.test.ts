import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestBed, type TestBed } from '@najwa/dev-env';

let bed: TestBed;

beforeAll(async () => {
  bed = await startTestBed({ services: ['auth'], env: { LOGIN_LIMIT: '3/60', REGISTER_LIMIT: '2/60' } });
});

afterAll(() => bed.stop());

test('guessing a password stops after the limit, for that account and address alone', async () => {
  const username = `u-${randomUUID().slice(0, 8)}`;
  const guess = (ip: string, name = username) => bed.call('auth', 'POST', '/api/login', { body: { username: name, password: 'a guess' }, identity: { ip } });
  for (let tries = 0; tries < 3; tries += 1) expect((await guess('192.0.2.1')).status).toBe(401);
  const refused = await guess('192.0.2.1');
  expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await guess('192.0.2.2')).status).toBe(401);
  expect((await guess('192.0.2.1', `u-${randomUUID().slice(0, 8)}`)).status).toBe(401);
});

test('registering stops after the limit for an address', async () => {
  const register = (ip: string) =>
    bed.call('auth', 'POST', '/api/register', {
      body: { name: 'a', username: `u-${randomUUID().slice(0, 8)}`, password: 'correct horse', confirmPassword: 'correct horse', terms: true },
      identity: { ip },
    });
  expect([(await register('198.51.100.1')).status, (await register('198.51.100.1')).status]).toEqual([201, 201]);
  expect(await register('198.51.100.1')).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
  expect((await register('198.51.100.2')).status).toBe(201);
});
