import { randomUUID } from 'node:crypto';
import { REQUEST_ID_HEADER } from '@najwa/common';
import type { RequestHandler } from 'express';
import type { Client } from '../domain/client.js';
import { beginExchange } from '../exchange.js';

export interface RequestIdDeps {
  readClient: (request: Parameters<RequestHandler>[0]) => Client;
}

/** Begins the exchange under an id of our own: one that a client chose could collide with another's in the logs. */
export function createRequestId({ readClient }: RequestIdDeps): RequestHandler {
  return (request, response, next) => {
    const requestId = randomUUID();
    response.setHeader(REQUEST_ID_HEADER, requestId);
    beginExchange(response, { requestId, client: readClient(request), endpoint: 'none', session: null });
    next();
  };
}
