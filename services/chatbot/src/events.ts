import { accountErased, type EventBus, type EventHandlers } from '@najwa/common/amqp';
import { deleteConversationsOf, type ConversationsDeps } from './conversations/conversations.js';

export function eventHandlers(deps: ConversationsDeps & { bus: EventBus }): EventHandlers<'accountDeleted'> {
  return {
    async accountDeleted({ userId }) {
      // Auth forgets the account before it publishes the deletion. A known one is a new account with this id.
      if ((await deps.auth.findUser(userId)) !== null) return;
      await deleteConversationsOf(deps, userId);
      await deps.bus.publish([accountErased(userId, 'chatbot')]);
    },
  };
}
