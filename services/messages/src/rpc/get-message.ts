import { AppError, type UnaryHandlers } from '@najwa/common';
import type { MessagesServiceService } from '@najwa/proto/messages';
import type { MessagesContext } from '../context.js';
import { presentMessage } from './present.js';

export function getMessageMethod({ messages }: MessagesContext): UnaryHandlers<MessagesServiceService>['getMessage'] {
  return async ({ id }) => {
    const message = await messages.find(id);
    if (message === null) throw new AppError({ code: 'message_not_found', message: 'There is no such message.' });
    return { message: presentMessage(message) };
  };
}
