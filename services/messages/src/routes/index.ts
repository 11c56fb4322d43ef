import { jsonBody } from '@najwa/common';
import { Router } from 'express';
import type { MessagesContext } from '../context.js';
import { deleteMessageRoute } from './delete-message.js';
import { getReplyRoute } from './get-reply.js';
import { getStatsRoute } from './get-stats.js';
import { listPublicRoute } from './list-public.js';
import { listReceivedRoute } from './list-received.js';
import { listSentRoute } from './list-sent.js';
import { saveReplyRoute } from './save-reply.js';
import { SEND_MESSAGE_BODY_BYTES, sendMessageRoute } from './send-message.js';
import { updateMessageRoute } from './update-message.js';
import { uploadAudioRoute } from './upload-audio.js';

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
    .post('/api/replies', jsonBody(), saveReplyRoute(context));
}
