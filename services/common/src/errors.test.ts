import { describe, expect, test } from '@jest/globals';
import { AppError, toAppError, toErrorBody } from './errors.js';

describe('toAppError', () => {
  test('keeps an error of ours', () => {
    const error = new AppError({ code: 'username_taken', message: 'Username already exists' });
    expect(toAppError(error)).toBe(error);
  });

  test('tells nothing of an unknown error', () => {
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
    ['a connection broke while it was written to', { code: 'EPIPE' }],
  ])('says that trying again may help when %s', (_, what) => {
    expect(toAppError(Object.assign(new Error('no'), what))).toMatchObject({
      code: 'unavailable',
      httpStatus: 503,
      retryAfter: 2,
    });
  });

  test.each([{ name: 'MongoServerError', code: 2 }, { code: 'ENOENT' }, { code: 91 }])(
    'does not take %j for something that is away',
    (what) => {
      expect(toAppError(Object.assign(new Error('no'), what)).code).toBe('internal');
    },
  );
});
