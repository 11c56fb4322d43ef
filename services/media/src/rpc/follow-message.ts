import { AppError, type UnaryHandlers } from '@najwa/common';
import type { MediaServiceService } from '@najwa/proto/media';
import type { MediaContext } from '../context.js';
import { messageChanged } from '../events/message-changed.js';
import { messageDeleted } from '../events/message-deleted.js';

export function followMessageMethod(context: MediaContext): UnaryHandlers<MediaServiceService>['followMessage'] {
  const onChanged = messageChanged(context);
  const onDeleted = messageDeleted(context);
  return async ({ change }) => {
    if (change === undefined) throw new AppError({ code: 'malformed', message: 'The call names no change.' });
    if (change.$case === 'updated') await onChanged(change.value);
    else await onDeleted(change.value);
    return {};
  };
}
