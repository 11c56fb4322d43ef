import type { UnaryHandlers } from '@najwa/common';
import type { MessagesServiceService } from '@najwa/proto/messages';
import type { MessagesContext } from '../context.js';
import { getMessageMethod } from './get-message.js';
import { getMessagesMethod } from './get-messages.js';

export function rpc(context: MessagesContext): UnaryHandlers<MessagesServiceService> {
  return { getMessage: getMessageMethod(context), getMessages: getMessagesMethod(context) };
}
