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

  test('says that trying again may help when the database is away', () => {
    const away = Object.assign(new Error('connect ECONNREFUSED'), { name: 'MongoServerSelectionError' });
    expect(toAppError(away)).toMatchObject({ code: 'unavailable', httpStatus: 503, retryAfter: 2 });
  });
});
