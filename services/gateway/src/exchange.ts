import type { Response } from 'express';
import type { Client } from './domain/client.js';
import type { Session } from './domain/sessions.js';

/** The servers behind the gateway. */
export type Service = 'auth' | 'messages' | 'media' | 'chatbot' | 'admin' | 'web';

/** What the policies found out about one request, each for those after it. */
export interface Exchange {
  readonly requestId: string;
  readonly client: Client;
  /** Name of the matched endpoint, for metrics; `none` before one is. */
  endpoint: string;
  /** Who answers. Absent where the gateway does. */
  service?: Service;
  /** Null for a visitor. */
  session: Session | null;
  visitorId?: string;
  identityToken?: string;
}

export function beginExchange(response: Response, exchange: Exchange): void {
  // Express makes these only where they are missing.
  response.locals = { exchange };
}

/** What is known of the request so far. Behind the request-id policy, which is the first. */
export function exchangeOf(response: Response): Exchange {
  return response.locals['exchange'] as Exchange;
}
