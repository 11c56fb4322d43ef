import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { clientScopes } from '@najwa/common/limits';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { beginExchange, exchangeOf, type Exchange } from '../../src/exchange.js';

export interface PolicyRun {
  /** Argument of `next`. Undefined lets the request pass. */
  error: unknown;
  exchange: Exchange;
  response: Response;
}

export interface PolicyRequest {
  method?: string;
  url?: string;
  headers?: Record<string, string>;
  exchange?: Partial<Exchange>;
}

export const ORIGIN = {
  address: '192.0.2.1',
  network: '192.0.2.1',
  scopes: clientScopes('192.0.2.1'),
  host: 'najwa.example',
  protocol: 'https',
} as const satisfies Exchange['origin'];

/** On one request, without a network, until `next`. */
export async function runPolicy(
  policy: RequestHandler,
  { method = 'GET', url = '/api/user', headers = {}, exchange = {} }: PolicyRequest = {},
): Promise<PolicyRun> {
  const request = Object.assign(new IncomingMessage(new Socket()), { method, url, originalUrl: url, headers });
  const response = Object.assign(new ServerResponse(request), { req: request });
  Object.setPrototypeOf(request, express.request);
  Object.setPrototypeOf(response, express.response);
  const expressResponse = response as unknown as Response;
  beginExchange(expressResponse, {
    requestId: '00000000-0000-4000-8000-000000000000',
    origin: ORIGIN,
    pace: () => 0,
    endpoint: 'none',
    session: null,
    span: undefined,
    ...exchange,
  });
  const error = await new Promise<unknown>((resolve) =>
    policy(request as unknown as Request, expressResponse, resolve),
  );
  return { error, exchange: exchangeOf(expressResponse), response: expressResponse };
}
