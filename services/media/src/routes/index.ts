import { Router } from 'express';
import type { MediaContext } from '../context.js';
import { getImageRoute } from './get-image.js';

export function routes(context: MediaContext): Router {
  return Router().get('/api/image/:name', getImageRoute(context));
}
