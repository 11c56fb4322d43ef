import { jsonBody } from '@najwa/common';
import { Router } from 'express';
import type { AdminContext } from '../context.js';
import { createAdministratorRoute } from './create-administrator.js';
import { deleteChatBotMessageRoute } from './delete-chat-bot-message.js';
import { deleteChatBotMessagesRoute } from './delete-chat-bot-messages.js';
import { listAuditRoute } from './list-audit.js';
import { listChatBotMessagesRoute } from './list-chat-bot-messages.js';
import { listSenderTrackingRoute } from './list-sender-tracking.js';

export function routes(context: AdminContext): Router {
  return Router()
    .get('/api/admin/sender-tracking', listSenderTrackingRoute(context))
    .get('/api/admin/chat-bot/messages', listChatBotMessagesRoute(context))
    .delete('/api/admin/chat-bot/messages', deleteChatBotMessagesRoute(context))
    .delete('/api/admin/chat-bot/messages/:id', deleteChatBotMessageRoute(context))
    .get('/api/admin/audit', listAuditRoute(context))
    .post('/api/admin/create', jsonBody(), createAdministratorRoute(context));
}
