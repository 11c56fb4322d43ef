import type { ApiError } from '../../app/api-error.js';
import { api } from '../../app/api.js';
import type { Store } from '../../app/store.js';

export function afterSend({ dispatch }: Store, error: ApiError | undefined): void {
  if (error === undefined)
    dispatch(api.util.invalidateTags([{ type: 'Message', id: 'SENT' }, { type: 'Message', id: 'RECEIVED' }, 'Stats']));
  else if (error.code === 'not_signed_in') dispatch(api.util.invalidateTags(['User']));
}
