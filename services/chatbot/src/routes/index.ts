import { jsonBody } from '@najwa/common';
import { Router } from 'express';
import type { ChatbotContext } from '../context.js';
import { chatRoute } from './chat.js';
import { uploadImageRoute } from './upload-image.js';

export function routes(context: ChatbotContext): Router {
  return Router().post('/api/chat', jsonBody(), chatRoute(context)).post('/api/chat/upload', uploadImageRoute(context));
}
