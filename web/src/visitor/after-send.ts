import type { ApiError } from '../api/api-error.js';
import { api } from '../api/api.js';
import type { Store } from '../api/store.js';

export function afterSend({ dispatch }: Store, error: ApiError | undefined): void {
  if (error === undefined)
    dispatch(
      api.util.invalidateTags([
        { type: 'Message', id: 'SENT' },
        { type: 'Message', id: 'RECEIVED' },
        'Stats',
        'WayBack',
      ]),
    );
  else if (error.code === 'not_signed_in') dispatch(api.util.invalidateTags(['User']));
  // The page is stale.
  else if (error.code === 'not_your_turn' || error.code === 'conversation_ended')
    dispatch(api.util.invalidateTags(['WayBack']));
}
