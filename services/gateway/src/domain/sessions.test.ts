import { createHash } from 'node:crypto';
import { AppError } from '@najwa/common';
import { expect, jest, test } from '@jest/globals';
import { createSessions, type Session } from './sessions.js';

const SESSION: Session = { userId: 7, isAdmin: false, sessionId: 's' };
const hash = (token: string) => createHash('sha256').update(token).digest();
const ended = () => Promise.reject(new AppError({ code: 'session_not_found', message: 'ended' }));

test('asks auth with the hash of the token, once', async () => {
  const resolve = jest.fn((_tokenHash: Buffer) => Promise.resolve(SESSION));
  const sessions = createSessions({ resolve, hearsEvents: () => true });
  expect(await Promise.all(Array.from({ length: 100 }, () => sessions.find('token')))).toEqual(
    Array(100).fill(SESSION),
  );
  expect(resolve.mock.calls).toEqual([[hash('token')]]);
});

test('asks again after the session has ended', async () => {
  const resolve = jest
    .fn<(tokenHash: Buffer) => Promise<Session>>()
    .mockResolvedValueOnce(SESSION)
    .mockImplementationOnce(ended);
  const sessions = createSessions({ resolve, hearsEvents: () => true });
  expect(await sessions.find('token')).toEqual(SESSION);
  sessions.end(hash('token'));
  expect(await sessions.find('token')).toBeNull();
});

test('asks again after everything was forgotten', async () => {
  const resolve = jest.fn(() => Promise.resolve(SESSION));
  const sessions = createSessions({ resolve, hearsEvents: () => true });
  await sessions.find('token');
  sessions.forgetAll();
  await sessions.find('token');
  expect(resolve).toHaveBeenCalledTimes(2);
});

test('passes on that auth cannot say, and does not remember it', async () => {
  const away = new AppError({ code: 'unavailable', message: 'away' });
  const resolve = jest
    .fn<(tokenHash: Buffer) => Promise<Session>>()
    .mockRejectedValueOnce(away)
    .mockResolvedValueOnce(SESSION);
  const sessions = createSessions({ resolve, hearsEvents: () => true });
  await expect(sessions.find('token')).rejects.toBe(away);
  expect(await sessions.find('token')).toEqual(SESSION);
});
