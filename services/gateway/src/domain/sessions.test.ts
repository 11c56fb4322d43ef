import { AppError } from '@najwa/common/errors';
import { hashSessionToken } from '@najwa/common/http';
import { expect, jest, test } from '@jest/globals';
import type { Session } from '../clients/auth.js';
import { Sessions } from './sessions.js';

const SESSION: Session = { userId: 7, isAdmin: false, sessionId: 's' };
const ended = () => Promise.reject(new AppError({ code: 'session_not_found', message: 'ended' }));

test('asks auth once, with the hash of the token', async () => {
  const resolve = jest.fn((_tokenHash: Buffer) => Promise.resolve(SESSION));
  const sessions = new Sessions({ resolve, isSubscribed: () => true });
  expect(await Promise.all(Array.from({ length: 100 }, () => sessions.find('token')))).toEqual(
    Array(100).fill(SESSION),
  );
  expect(resolve.mock.calls).toEqual([[hashSessionToken('token')]]);
});

test('asks again after the session has ended', async () => {
  const resolve = jest
    .fn<(tokenHash: Buffer) => Promise<Session>>()
    .mockResolvedValueOnce(SESSION)
    .mockImplementationOnce(ended);
  const sessions = new Sessions({ resolve, isSubscribed: () => true });
  expect(await sessions.find('token')).toEqual(SESSION);
  sessions.end(hashSessionToken('token'));
  expect(await sessions.find('token')).toBeNull();
});

test('asks again when ends of sessions may have been missed', async () => {
  const resolve = jest.fn(() => Promise.resolve(SESSION));
  const sessions = new Sessions({ resolve, isSubscribed: () => true });
  await sessions.find('token');
  sessions.invalidateAll();
  await sessions.find('token');
  expect(resolve).toHaveBeenCalledTimes(2);
});

test('rethrows the error if auth cannot be reached, and does not cache it', async () => {
  const away = new AppError({ code: 'unavailable', message: 'away' });
  const resolve = jest
    .fn<(tokenHash: Buffer) => Promise<Session>>()
    .mockRejectedValueOnce(away)
    .mockResolvedValueOnce(SESSION);
  const sessions = new Sessions({ resolve, isSubscribed: () => true });
  await expect(sessions.find('token')).rejects.toBe(away);
  expect(await sessions.find('token')).toEqual(SESSION);
});

test('asks again when an account changed while its session was being resolved', async () => {
  let answer: (session: Session) => void = () => undefined;
  const resolve = jest
    .fn<(tokenHash: Buffer) => Promise<Session>>()
    .mockImplementationOnce(() => new Promise((settle) => (answer = settle)))
    .mockResolvedValue({ ...SESSION, isLeaving: true });
  const sessions = new Sessions({ resolve, isSubscribed: () => true });
  const early = sessions.find('token');
  sessions.accountChanged(SESSION.userId);
  answer(SESSION);
  await early;
  expect(await sessions.find('token')).toEqual({ ...SESSION, isLeaving: true });
});

test('asks again for a session from before the broker stopped answering', async () => {
  const state = { now: 0, isSubscribed: true };
  const resolve = jest.fn(() => Promise.resolve(SESSION));
  const sessions = new Sessions({ resolve, isSubscribed: () => state.isSubscribed, now: () => state.now });
  await sessions.find('token');
  state.now = 4_999;
  await sessions.find('token');
  expect(resolve).toHaveBeenCalledTimes(1);
  state.isSubscribed = false;
  await sessions.find('token');
  expect(resolve).toHaveBeenCalledTimes(2);
});
