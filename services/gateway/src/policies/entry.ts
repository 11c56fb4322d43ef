import { randomUUID } from 'node:crypto';
import { AppError } from '@najwa/common/errors';
import { CLIENT_GONE } from '@najwa/common/http';
import { REQUEST_ID_HEADER, type Logger } from '@najwa/common/logging';
import type { Metrics } from '@najwa/common/metrics';
import type { Health } from '@najwa/common/service';
import type { Tracing } from '@najwa/common/tracing';
import type { RequestHandler } from 'express';
import type { NetworkPaces } from '../domain/body-pace.js';
import { refuseConcurrency, type ConcurrencyLimit } from '../domain/concurrency-limit.js';
import { MISSING_PAGE, readPageLink } from '../domain/page-links.js';
import { limitUnreadBody } from '../domain/request-body.js';
import type { RequestOrigin } from '../domain/request-origin.js';
import type { Site } from '../domain/sites.js';
import { beginExchange, exchangeOf, logIdsOf } from '../exchange.js';
import { answerJson, redirect } from './answers.js';

export interface RequestIdDeps {
  readOrigin: (request: Parameters<RequestHandler>[0]) => RequestOrigin;
  tracing: Tracing;
  limits: { paces: NetworkPaces };
}

/**
 * Creates the exchange, under an id of our own: one from a client could collide with another in the logs. Traces begin
 * here for the same reason, whatever trace a client claims to continue.
 */
export function createRequestId({ readOrigin, tracing, limits }: RequestIdDeps): RequestHandler {
  return (request, response, next) => {
    const requestId = randomUUID();
    response.setHeader(REQUEST_ID_HEADER, requestId);
    const span = tracing.isOn
      ? tracing.begin('request', requestId, { 'http.request.method': request.method })
      : undefined;
    const origin = readOrigin(request);
    const pace = limits.paces(origin.network);
    beginExchange(response, { requestId, origin, pace, endpoint: 'none', session: null, span });
    next();
  };
}

export interface ObservationDeps {
  logger: Logger;
  metrics: Metrics;
}

/** Measures every request by its operation. Paths stay out of metrics, traces and logs, since they hold usernames. */
export function createObservation({ logger, metrics }: ObservationDeps): RequestHandler {
  const isLogging = logger.isLevelEnabled('debug');
  return (request, response, next) => {
    const start = performance.now();
    response.on('close', () => {
      const exchange = exchangeOf(response);
      const { endpoint, span } = exchange;
      const status = response.writableFinished ? response.statusCode : CLIENT_GONE;
      const ms = performance.now() - start;
      if (exchange.isStream !== true) metrics.httpDuration.observe(endpoint, status, ms / 1000);
      span?.end({
        name: endpoint,
        attributes: { 'najwa.operation': endpoint, 'http.response.status_code': status },
        ...(status >= 500 && { error: String(status) }),
      });
      if (!request.complete) limitUnreadBody(request);
      if (isLogging)
        logger.debug(
          { ...logIdsOf(exchange), method: request.method, operation: endpoint, status, ms: Math.round(ms) },
          'request',
        );
    });
    next();
  };
}

/** Reports liveness and readiness of the gateway only. The state of the services is not public. */
export function createHealthPolicy({ health }: { health: Health }): RequestHandler {
  return (request, response, next) => {
    if (request.method !== 'GET') next();
    else if (request.url === '/health/live') answerJson(response, 200, { live: true });
    else if (request.url === '/health/ready')
      health.readiness().then((readiness) => answerJson(response, readiness.ready ? 200 : 503, readiness), next);
    else next();
  };
}

/** Refuses requests for another site's name, which a page of that site could have caused (DNS rebinding). */
export function createHostCheck({ siteOf }: { siteOf: (origin: RequestOrigin) => Site }): RequestHandler {
  return (_request, response, next) => {
    if (siteOf(exchangeOf(response).origin).isServed) next();
    else next(new AppError({ code: 'malformed', message: 'This site is not served here.' }));
  };
}

/** Characters that a decoder, a router or a file server might read as the end of a segment. */
const HIDDEN_SEPARATOR = /\\|%2f|%5c/i;

const HIDDEN_CONTROL = /%[01][0-9a-f]|%7f/i;

/** First segments that mean something to the gateway or to a service. Every other one belongs to the web client. */
const RESERVED = new Set(['api', 'health', 'metrics']);

/**
 * An escape, a fragment, a backslash, an empty segment, or one that begins with a dot: such paths are checked further.
 */
const SUSPICIOUS = /[%#\\]|\/[/.]/;

function firstSegment(path: string): string {
  const end = path.indexOf('/', 1);
  return end === -1 ? path.slice(1) : path.slice(1, end);
}

function faultOfSuspicious(path: string): 'malformed' | 'ambiguous' | undefined {
  if (path.includes('#') || HIDDEN_CONTROL.test(path)) return 'malformed';
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return 'malformed';
  }
  if (path.includes('//') || HIDDEN_SEPARATOR.test(path)) return 'ambiguous';
  const segments = decoded.split('/');
  if (segments.some((segment) => segment === '.' || segment === '..')) return 'ambiguous';
  const first = segments[1]?.toLowerCase() ?? '';
  return RESERVED.has(first) && firstSegment(path) !== first ? 'ambiguous' : undefined;
}

/**
 * Finds what keeps a path from meaning the same to every router: `malformed` cannot be decoded, `ambiguous` can be
 * split in two ways, so that a path which one router lets pass might mean another to the next.
 */
export function faultOfPath(target: string): 'malformed' | 'ambiguous' | undefined {
  const mark = target.indexOf('?');
  const path = mark === -1 ? target : target.slice(0, mark);
  if (!path.startsWith('/')) return 'malformed';
  const first = firstSegment(path);
  if (!RESERVED.has(first) && RESERVED.has(first.toLowerCase())) return 'ambiguous';
  return SUSPICIOUS.test(path) ? faultOfSuspicious(path) : undefined;
}

/** A program's address, however it is written: its errors are JSON. */
const mayBeForPrograms = (target: string): boolean =>
  !target.startsWith('/') ||
  target
    .replace(/\?.*$/s, '')
    .replace(/%([2-7][0-9a-f])/gi, (_escape, code: string) => String.fromCharCode(parseInt(code, 16)))
    .toLowerCase()
    .split(/[/\\]/)
    .some((segment) => RESERVED.has(segment));

/**
 * Lets only paths pass that every router behind the gateway reads alike. People get the page for unknown addresses, or
 * the one that their link was meant for.
 */
export function createPathGuard(): RequestHandler {
  return (request, response, next) => {
    const fault = faultOfPath(request.url);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (fault === undefined) next();
    else if (isRead && !mayBeForPrograms(request.url)) {
      const link = readPageLink(request.url);
      if (typeof link === 'object' && 'path' in link) redirect(response, link.path);
      else {
        request.url = MISSING_PAGE;
        next();
      }
    } else if (fault === 'malformed') next(new AppError({ code: 'malformed', message: 'The address is malformed.' }));
    else next(new AppError({ code: 'not_found', message: 'Not found.' }));
  };
}

/** Limits concurrent requests per network and in total. */
export function createConcurrencyPolicy({ requests }: { requests: ConcurrencyLimit }): RequestHandler {
  return (_request, response, next) => {
    const exchange = exchangeOf(response);
    const release = requests.acquire(exchange.origin.scopes);
    if (typeof release === 'string') {
      next(refuseConcurrency(release));
      return;
    }
    exchange.releaseSlot = release;
    response.once('close', release);
    next();
  };
}
