import { signedInIdentityOf, validate } from '@najwa/common';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { MessagesContext } from '../context.js';
import { listReceived } from '../domain/lists.js';
import { pageQuery, readFilter, readPage } from './paging.js';
import { presentMessage } from './present.js';

const query = z.object({ ...pageQuery, filter: readFilter });

/** GET /api/messages */
export function listReceivedRoute(context: MessagesContext): RequestHandler {
  return async (request, response) => {
    const { user } = signedInIdentityOf(response);
    const { filter, ...paging } = validate(query, request.query);
    const found = await readPage(request, response, paging, (page) => listReceived(context, user.id, filter, page));
    response.json(found.map(presentMessage));
  };
}
