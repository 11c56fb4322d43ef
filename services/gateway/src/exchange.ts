import type { AppError } from '@najwa/common/errors';
import { widestOf } from '@najwa/common/limits';
import type { Span } from '@najwa/common/tracing';
import type { Response } from 'express';
import type { Session } from './clients/auth.js';
import type { Upstream } from './clients/upstreams.js';
import type { Pace } from './domain/request-body.js';
import type { Operation } from './domain/operations.js';
import type { RequestOrigin } from './domain/request-origin.js';

export interface Exchange {
  readonly requestId: string;
  readonly origin: RequestOrigin;
  readonly pace: Pace;
  /** Operation id or endpoint name for metrics and traces; `none` at first. */
  endpoint: string;
  readonly span: Span | undefined;
  releaseSlot?: () => void;
  isStream?: true;
  /** Undefined if the gateway answers. */
  upstream?: Upstream;
  upstreamPath?: string;
  operation?: Operation;
  session: Session | null;
  visitorId?: string;
  visitorByAddress?: true;
  identityToken?: string;
  /** Of a form without scripts, for its error page. */
  typed?: { content: string; isLater: boolean };
  /** Sign-in fields to show again: no passwords or codes. */
  kept?: Record<string, string>;
  asked?: number;
  answerError?: (error: AppError) => Promise<void>;
}

export function beginExchange(response: Response, exchange: Exchange): void {
  // Express creates `locals` only if missing.
  response.locals = { exchange };
}

export function exchangeOf(response: Response): Exchange {
  return response.locals['exchange'] as Exchange;
}

/** Key for fair turns: the account, or a visitor's site. */
export const callerOf = ({ session, origin }: Exchange): string =>
  session === null ? widestOf(origin.scopes) : `account ${session.userId}`;

/** Check after waiting and before taking a slot: `close`, which releases slots, fires once. */
export const isGone = (response: Response): boolean => response.destroyed;

/** Needed outside of the request context. */
export const logIdsOf = ({ requestId, span }: Exchange): { requestId: string; traceId?: string } =>
  span === undefined ? { requestId } : { requestId, traceId: span.traceId };
