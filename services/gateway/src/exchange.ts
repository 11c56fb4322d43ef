import type { ApiService } from '@najwa/proto/http/client';
import type { Response } from 'express';
import type { Operation } from './domain/operations.js';
import type { RequestOrigin } from './domain/request-origin.js';
import type { Session } from './domain/sessions.js';

/** The HTTP servers behind the gateway: the services of the contract, and the web client's. */
export type Upstream = ApiService | 'web';

/** State of one request, filled in by each policy for those after it. */
export interface Exchange {
  readonly requestId: string;
  readonly origin: RequestOrigin;
  /** Name of the matched endpoint, for metrics; `none` before one is. */
  endpoint: string;
  /** Undefined if the gateway itself answers. */
  upstream?: Upstream;
  /** Set by the operation policy. */
  operation?: Operation;
  /** Null for a visitor. */
  session: Session | null;
  visitorId?: string;
  identityToken?: string;
}

export function beginExchange(response: Response, exchange: Exchange): void {
  // Express creates `locals` only if they are missing.
  response.locals = { exchange };
}

/** The state of a request. The request-id policy, which is the first, creates it. */
export function exchangeOf(response: Response): Exchange {
  return response.locals['exchange'] as Exchange;
}
