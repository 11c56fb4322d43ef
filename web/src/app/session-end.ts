import { createListenerMiddleware, isRejectedWithValue } from '@reduxjs/toolkit';
import { api } from './api.js';
import { isApiError } from './api-error.js';

/** Refetches the current user when a call fails because the session has ended, so that protected pages close. */
export function sessionEndListener() {
  const listener = createListenerMiddleware();
  listener.startListening({
    matcher: isRejectedWithValue,
    effect: ({ payload }, { dispatch }) => {
      if (isApiError(payload) && payload.code === 'not_signed_in') dispatch(api.util.invalidateTags(['User']));
    },
  });
  return listener.middleware;
}
