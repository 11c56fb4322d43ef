import { describe, expect, test } from '@jest/globals';
import { AppError, toAppError, toErrorBody, withMedia } from './errors.js';

describe('toAppError', () => {
  test('keeps an AppError', () => {
    const error = new AppError({ code: 'username_taken', message: 'Username already exists' });
    expect(toAppError(error)).toBe(error);
  });

  test('hides the message of an unknown error', () => {
    const body = toErrorBody(toAppError(new Error('E11000 duplicate key { name: "somebody" }')));
    expect(body).toEqual({ code: 'internal', message: 'Something went wrong on our side.' });
  });

  test.each([
    ['no server is found', { name: 'MongoServerSelectionError' }],
    ['the server steps down', { name: 'MongoServerError', code: 10_107 }],
    [
      'what is behind the server is gone',
      {
        name: 'MongoServerError',
        code: 1,
        message: 'write failed: write unix @->/run/.s.PGSQL.5432: write: broken pipe',
      },
    ],
    [
      'what is behind the server starts',
      { name: 'MongoServerError', code: 1, message: 'FATAL: the database system is starting up (SQLSTATE 57P03)' },
    ],
    [
      'what is behind the server closed the connection',
      { name: 'MongoServerError', code: 1, message: 'server closed (SQLSTATE 08006)' },
    ],
    ['the storage of the server is gone', { name: 'MongoServerError', code: 1, message: 'could not open file' }],
    ['the server lost its connection to another', { name: 'MongoServerError', code: 9_001 }],
    ['the server ends', { name: 'MongoServerError', code: 11_600 }],
    ['the server was told to end', { name: 'MongoServerError', code: 91 }],
    ['the server did not finish in time', { name: 'MongoServerError', code: 50 }],
    ['the deadline of an operation passed', { name: 'MongoOperationTimeoutError' }],
    ["the server's disk is full", { name: 'MongoServerError', code: 14_031 }],
    [
      'the disk of what is behind the server is full',
      { name: 'MongoServerError', code: 1, message: 'could not extend file: No space left on device' },
    ],
    [
      'the server lost its connection in a bulk write',
      { name: 'MongoBulkWriteError', code: 1, message: 'unexpected EOF' },
    ],
    [
      'a bulk write lost its connection',
      {
        name: 'MongoBulkWriteError',
        errorResponse: Object.assign(new Error('connection 7 closed'), { name: 'MongoNetworkError' }),
      },
    ],
    ['the monitor interrupted the operation', { name: 'PoolClearedOnNetworkError' }],
    ['no connection became free in time', { name: 'MongoWaitQueueTimeoutError' }],
    ['a majority did not confirm', { name: 'MongoWriteConcernError', code: 64 }],
    ['the server of a cursor has restarted', { name: 'MongoServerError', code: 43 }],
    ['a write met deadlocks on every try', { name: 'MongoServerError', code: 1, message: 'deadlock detected' }],
    [
      'an operation waited too long for a connection',
      { name: 'MongooseError', message: 'Operation `users.findOne()` buffering timed out after 10000ms' },
    ],
    ['a connection broke while it was written to', { code: 'EPIPE' }],
    ['a cause says so', { name: 'MongooseError', cause: Object.assign(new Error('no'), { code: 'ECONNRESET' }) }],
  ])('an error is `unavailable` when %s', (_, what) => {
    expect(toAppError(Object.assign(new Error('no'), what))).toMatchObject({
      code: 'unavailable',
      httpStatus: 503,
      retryAfter: 2,
    });
  });

  test.each([
    { name: 'MongoServerError', code: 2 },
    { name: 'MongoServerError', code: 1, message: 'violates unique constraint' },
    { code: 'ENOENT' },
    { code: 91 },
  ])('an error is `internal` for %j', (what) => {
    expect(toAppError(Object.assign(new Error('no'), what)).code).toBe('internal');
  });
});

describe('withMedia', () => {
  test.each([
    ['unavailable', 'media_unavailable'],
    ['image_too_large', 'image_too_large'],
  ] as const)('a call to media that fails with `%s` is answered with `%s`', async (code, answered) => {
    const call = Promise.reject(new AppError({ code, message: 'no' }));
    await expect(withMedia(call)).rejects.toMatchObject({ code: answered });
  });
});
