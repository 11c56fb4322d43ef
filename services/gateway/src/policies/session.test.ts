import { AppError, createLogger } from '@najwa/common';
import { expect, jest, test } from '@jest/globals';
import { runPolicy } from '../../tests/support/policy.js';
import type { Session } from '../domain/sessions.js';
import { createSessionPolicy } from './session.js';

const TOKEN = 'a'.repeat(43);
const SESSION: Session = { userId: 7, isAdmin: true, sessionId: 's' };
const logger = createLogger({ service: 'test', level: 'silent' });
const withFind = (find: (token: string) => Promise<Session | null>) =>
  createSessionPolicy({ sessions: { find }, sightings: { note: () => undefined }, logger });

test('a session is whose the cookie says', async () => {
  const { error, exchange } = await runPolicy(
    withFind(() => Promise.resolve(SESSION)),
    { headers: { cookie: `x=1; najwa_session=${TOKEN}` } },
  );
  expect(error).toBeUndefined();
  expect(exchange.session).toEqual(SESSION);
});

test('a session that has ended is a visitor', async () => {
  const { error, exchange } = await runPolicy(
    withFind(() => Promise.resolve(null)),
    { headers: { cookie: `najwa_session=${TOKEN}` } },
  );
  expect([error, exchange.session]).toEqual([undefined, null]);
});

test.each([
  '',
  'other=1',
  'najwa_session=',
  'najwa_session=short',
  `najwa_session=${'a'.repeat(200)}`,
  'najwa_session=<script>alert(1)</script>',
])('auth is not asked about %p', async (cookie) => {
  const find = jest.fn(() => Promise.resolve(SESSION));
  const { error, exchange } = await runPolicy(withFind(find), { headers: { cookie } });
  expect([error, exchange.session]).toEqual([undefined, null]);
  expect(find).not.toHaveBeenCalled();
});

test('while auth cannot say, nobody is taken for a visitor', async () => {
  const { error } = await runPolicy(
    withFind(() => Promise.reject(new Error('away'))),
    { headers: { cookie: `najwa_session=${TOKEN}` } },
  );
  expect(error).toBeInstanceOf(AppError);
  expect(error).toMatchObject({ code: 'unavailable', retryAfter: 2 });
});
