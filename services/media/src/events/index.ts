import type { EventHandlers } from '@najwa/common';
import type { MediaContext } from '../context.js';
import { messageChanged } from './message-changed.js';
import { messageDeleted } from './message-deleted.js';
import { userUpdated } from './user-updated.js';

export function events(
  context: MediaContext,
): EventHandlers<'messageCreated' | 'messageUpdated' | 'messageDeleted' | 'userUpdated'> {
  return {
    messageCreated: messageChanged(context),
    messageUpdated: messageChanged(context),
    messageDeleted: messageDeleted(context),
    userUpdated: userUpdated(context),
  };
}
