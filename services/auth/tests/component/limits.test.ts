import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestBed, type TestBed } from '@najwa/dev-env';

let bed: TestBed;

beforeAll(async () => {
  bed = await startTestBed({
    services: ['auth'],
    env: { LOGIN_LIMIT: '3/60', LOGIN_ACCOUNT_LIMIT: '12/60', REGISTER_LIMIT: '2/60' },
  });
});

afterAll(() => bed.stop());

test('guessing a password stops after the limit, for that account and address alone', async () => {
  const username = `u-${randomUUID().slice(0, 8)}`;
  const guess = (ip: string, name = username) =>
    bed.call('auth', 'POST', '/api/login', { body: { username: name, password: 'a guess' }, identity: { ip } });
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
      body: {
        name: 'a',
        username: `u-${randomUUID().slice(0, 8)}`,
        password: 'correct horse',
        confirmPassword: 'correct horse',
        terms: true,
      },
      identity: { ip },
    });
  expect([(await register('198.51.100.1')).status, (await register('198.51.100.1')).status]).toEqual([201, 201]);
  expect(await register('198.51.100.1')).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
  expect((await register('198.51.100.2')).status).toBe(201);
});

test('guessing from many addresses stops too, and the owner on a known device still gets in', async () => {
  const username = `u-${randomUUID().slice(0, 8)}`;
  const owner = { ip: '203.0.113.1', visitorId: randomUUID() };
  const logIn = (identity: { ip: string; visitorId: string }, password: string) =>
    bed.call('auth', 'POST', '/api/login', { body: { username, password }, identity });
  await bed.call('auth', 'POST', '/api/register', {
    body: { name: 'a', username, password: 'correct horse', confirmPassword: 'correct horse', terms: true },
    identity: owner,
  });
  expect((await logIn(owner, 'correct horse')).status).toBe(200);

  const guesses = [];
  for (let round = 0; round < 20; round += 1) {
    const guess = (index: number) =>
      logIn(
        { ip: `198.18.${round}.${index}`, visitorId: randomUUID() },
        round === 19 ? 'correct horse' : `guess ${round}-${index}`,
      );
    guesses.push(...(await Promise.all(Array.from({ length: 50 }, (_, index) => guess(index)))));
  }
  const statuses = guesses.map(({ status }) => status);
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(980);
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(12);
  expect((await logIn({ ...owner, ip: '198.18.0.1' }, 'correct horse')).status).toBe(200);
});
