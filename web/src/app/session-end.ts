import { isRejectedWithValue, type Middleware } from '@reduxjs/toolkit';
import { api } from './api.js';
import { isApiError } from './api-error.js';

/** Refetches the current user when a call fails because the session has ended, so that protected pages close. */
export const sessionEnd: Middleware =
  ({ dispatch }) =>
  (next) =>
  (action) => {
    const result = next(action);
    if (isRejectedWithValue(action) && isApiError(action.payload) && action.payload.code === 'not_signed_in')
      dispatch(api.util.invalidateTags(['User']));
    return result;
  };
