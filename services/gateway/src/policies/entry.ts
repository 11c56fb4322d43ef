import { randomUUID } from 'node:crypto';
import { AppError } from '@najwa/common/errors';
import { CLIENT_GONE } from '@najwa/common/http';
import { REQUEST_ID_HEADER, type Logger } from '@najwa/common/logging';
import type { Metrics } from '@najwa/common/metrics';
import type { Health } from '@najwa/common/service';
import type { Tracing } from '@najwa/common/tracing';
import type { RequestHandler } from 'express';
import type { NetworkPaces } from '../domain/request-body.js';
import { refuseConcurrency, type ConcurrencyLimit } from '../domain/concurrency-limit.js';
import { MISSING_PAGE, readPageLink } from '../domain/page-links.js';
import { limitUnreadBody } from '../domain/request-body.js';
import type { RequestOrigin } from '../domain/request-origin.js';
import type { Site } from '../domain/sites.js';
import { beginExchange, exchangeOf, logIdsOf } from '../exchange.js';
import { answerJson, answerWith, redirect } from './answers.js';

export interface RequestIdDeps {
  readOrigin: (request: Parameters<RequestHandler>[0]) => RequestOrigin;
  tracing: Tracing;
  limits: { paces: NetworkPaces };
}

/** Request ids and traces begin here: those of a client could collide with others. */
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

/** By operation. Paths hold usernames, so they stay out of metrics, traces and logs. */
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

/** Of the gateway only: the state of services is not public. */
export function createHealthPolicy({ health }: { health: Health }): RequestHandler {
  return (request, response, next) => {
    if (request.method !== 'GET') next();
    else if (request.url === '/health/live') answerJson(response, 200, { live: true });
    else if (request.url === '/health/ready')
      health.readiness().then((readiness) => answerJson(response, readiness.ready ? 200 : 503, readiness), next);
    else next();
  };
}

/** Against DNS rebinding. */
export function createHostCheck({ siteOf }: { siteOf: (origin: RequestOrigin) => Site }): RequestHandler {
  return (_request, response, next) => {
    if (siteOf(exchangeOf(response).origin).isServed) next();
    else next(new AppError({ code: 'malformed', message: 'This site is not served here.' }));
  };
}

const SECURITY_TXT = /^\/\.well-known\/security\.txt(?:\?|$)/;
const SECURITY_TXT_MS = 30 * 24 * 60 * 60 * 1000;

export interface SecurityContactDeps {
  contact: string | undefined;
  siteOf: (origin: RequestOrigin) => Site;
}

/** Says where holes are reported (RFC 9116), if the operator has set it. */
export function createSecurityContact({ contact, siteOf }: SecurityContactDeps): RequestHandler {
  return (request, response, next) => {
    if (contact === undefined || !['GET', 'HEAD'].includes(request.method) || !SECURITY_TXT.test(request.url)) {
      next();
      return;
    }
    const { origin } = siteOf(exchangeOf(response).origin);
    const lines = [
      `Contact: ${contact}`,
      `Expires: ${new Date(Date.now() + SECURITY_TXT_MS).toISOString()}`,
      'Preferred-Languages: ar, en',
      `Canonical: ${origin}/.well-known/security.txt`,
    ];
    answerWith(response, 200, { 'Content-Type': 'text/plain; charset=utf-8' }, Buffer.from(`${lines.join('\n')}\n`));
  };
}

/** May end a segment for some decoder, router or file server. */
const HIDDEN_SEPARATOR = /\\|%2f|%5c/i;

const HIDDEN_CONTROL = /%[01][0-9a-f]|%7f/i;

/** First segments of the gateway and services. The web client has the others. */
const RESERVED = new Set(['api', 'health', 'metrics']);

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

/** `malformed` cannot be decoded; `ambiguous` may mean another path to another router. */
export function faultOfPath(target: string): 'malformed' | 'ambiguous' | undefined {
  const mark = target.indexOf('?');
  const path = mark === -1 ? target : target.slice(0, mark);
  if (!path.startsWith('/')) return 'malformed';
  const first = firstSegment(path);
  if (!RESERVED.has(first) && RESERVED.has(first.toLowerCase())) return 'ambiguous';
  return SUSPICIOUS.test(path) ? faultOfSuspicious(path) : undefined;
}

/** Errors for programs are JSON, however the path is written. */
const mayBeForPrograms = (target: string): boolean =>
  !target.startsWith('/') ||
  target
    .replace(/\?.*$/s, '')
    .replace(/%([2-7][0-9a-f])/gi, (_escape, code: string) => String.fromCharCode(parseInt(code, 16)))
    .toLowerCase()
    .split(/[/\\]/)
    .some((segment) => RESERVED.has(segment));

/**
 * Passes only paths that every router reads alike. People get the page for unknown addresses, or the corrected link.
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
