import { AppError, type UnaryHandlers } from '@najwa/common';
import type { MessagesServiceService } from '@najwa/proto/messages';
import type { MessagesContext } from '../context.js';
import { presentMessage } from './present.js';

const MAX_IDS = 100;

export function getMessagesMethod({ messages }: MessagesContext): UnaryHandlers<MessagesServiceService>['getMessages'] {
  return async ({ ids }) => {
    if (ids.length > MAX_IDS) throw new AppError({ code: 'invalid_input', message: `At most ${MAX_IDS} ids at once.` });
    return { messages: (await messages.findByIds(ids)).map(presentMessage) };
  };
}
