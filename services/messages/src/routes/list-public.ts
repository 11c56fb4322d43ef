import { idInPath, validate } from '@najwa/common';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { MessagesContext } from '../context.js';
import { listReceived } from '../domain/lists.js';
import { pageQuery, readPage } from './paging.js';
import { presentPublicMessage } from './present.js';

const params = z.object({ userId: idInPath });
const query = z.object(pageQuery);

/** GET /api/messages/public/{userId} */
export function listPublicRoute(context: MessagesContext): RequestHandler {
  return async (request, response) => {
    const { userId } = validate(params, request.params);
    const paging = validate(query, request.query);
    const [found, { public: total }] = await Promise.all([
      readPage(request, response, paging, (page) => listReceived(context, userId, 'public', page)),
      context.counts.of(userId),
    ]);
    response.set('X-Total-Count', String(total)).json(found.map(presentPublicMessage));
  };
}
