import { jsonBody } from '@najwa/common';
import { Router } from 'express';
import type { MessagesContext } from '../context.js';
import { createReplyRoute, deleteMessageRoute, getReplyRoute, updateMessageRoute } from './inbox.js';
import { getStatsRoute, listPublicRoute, listReceivedRoute, listSentRoute } from './lists.js';
import { SEND_MESSAGE_BODY_BYTES, sendMessageRoute, uploadAudioRoute } from './send.js';

export function routes(context: MessagesContext): Router {
  return Router()
    .get('/api/messages', listReceivedRoute(context))
    .get('/api/messages/sent', listSentRoute(context))
    .get('/api/messages/stats', getStatsRoute(context))
    .get('/api/messages/public/:userId', listPublicRoute(context))
    .post('/api/messages', jsonBody(SEND_MESSAGE_BODY_BYTES), sendMessageRoute(context))
    .post('/api/audio/upload', uploadAudioRoute(context))
    .patch('/api/messages/:id', jsonBody(), updateMessageRoute(context))
    .delete('/api/messages/:id', deleteMessageRoute(context))
    .get('/api/replies/:messageId', getReplyRoute(context))
    .post('/api/replies', jsonBody(), createReplyRoute(context));
}
