import type { AppError } from '@najwa/common/errors';
import { widestOf } from '@najwa/common/limits';
import type { Span } from '@najwa/common/tracing';
import type { Response } from 'express';
import type { Session } from './clients/auth.js';
import type { Upstream } from './clients/upstreams.js';
import type { Pace } from './domain/body-pace.js';
import type { Operation } from './domain/operations.js';
import type { RequestOrigin } from './domain/request-origin.js';

/** State of one request, filled in by each policy for those after it. */
export interface Exchange {
  readonly requestId: string;
  readonly origin: RequestOrigin;
  /** At which its body is read. */
  readonly pace: Pace;
  /** For metrics and traces: the operation id, else the name of the matched endpoint; `none` before one is. */
  endpoint: string;
  /** Undefined if the request is not traced. */
  readonly span: Span | undefined;
  /** Releases the slot of a request under way. An event stream has a slot of its own. */
  releaseSlot?: () => void;
  /** An event stream. Its duration says nothing about speed. */
  isStream?: true;
  /** Undefined if the gateway itself answers. */
  upstream?: Upstream;
  /** Asked of the service in place of the request's own path. */
  upstreamPath?: string;
  /** Set by the operation policy. */
  operation?: Operation;
  /** Null for a visitor. */
  session: Session | null;
  visitorId?: string;
  /** Set if the visitor has no cookie. */
  visitorByAddress?: true;
  /** The visitor cookie that this answer sets. */
  visitorCookie?: string;
  identityToken?: string;
  /** The text of a form without scripts, as far as it was read, for the page that says why it was not sent. */
  typed?: string;
  /** Fields of the sign-in form that its page shows again: no passwords and codes. */
  kept?: Record<string, string>;
  /** Id of the question that the form answers. */
  asked?: number;
  /** Answers an error as a page, to a person who sent a form without scripts. */
  answerError?: (error: AppError) => Promise<void>;
}

export function beginExchange(response: Response, exchange: Exchange): void {
  // Express creates `locals` only if they are missing.
  response.locals = { exchange };
}

/** The state of a request. The request-id policy, which is the first, creates it. */
export function exchangeOf(response: Response): Exchange {
  return response.locals['exchange'] as Exchange;
}

/** The key by which a caller takes turns with others: that of the account, or of the site of a visitor. */
export const callerOf = ({ session, origin }: Exchange): string =>
  session === null ? widestOf(origin.scopes) : `account ${session.userId}`;

/**
 * True if the client has gone. Ask before a slot is taken, if others were waited for: `close`, which releases slots, is
 * emitted once.
 */
export const isGone = (response: Response): boolean => response.destroyed;

/** Fields of a request's log line. Outside of a service's request context, so the logger does not add it itself. */
export const logIdsOf = ({ requestId, span }: Exchange): { requestId: string; traceId?: string } =>
  span === undefined ? { requestId } : { requestId, traceId: span.traceId };
