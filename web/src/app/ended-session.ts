import { createListenerMiddleware, isRejectedWithValue } from '@reduxjs/toolkit';
import { api } from './api.js';
import { isApiError } from './api-error.js';

/** When a call is refused because the session has ended meanwhile, asks again who is signed in, so that protected pages close. */
export function endedSession() {
  const listener = createListenerMiddleware();
  listener.startListening({
    matcher: isRejectedWithValue,
    effect: ({ payload }, { dispatch }) => {
      if (isApiError(payload) && payload.code === 'not_signed_in') dispatch(api.util.invalidateTags(['User']));
    },
  });
  return listener.middleware;
}
