import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { widestOf } from '@najwa/common/limits';
import type { Logger } from '@najwa/common/logging';
import type { Metrics } from '@najwa/common/metrics';
import type { Tracing } from '@najwa/common/tracing';
import type { RequestHandler } from 'express';
import { MISSING_PAGE, readPageLink } from '../domain/page-links.js';
import type { RequestOrigin } from '../domain/request-origin.js';
import type { Site } from '../domain/sites.js';
import type { Visits } from '../domain/visits.js';
import type { Windows } from '../domain/windows.js';
import { exchangeOf } from '../exchange.js';
import { redirect } from '../policies/answers.js';
import { faultOfPath } from '../policies/entry.js';
import { visitorCookieFor } from '../policies/identity.js';
import { readerLanguage } from '../rendering/index.js';
import { sendPublicAnswer, type CachedAnswer, type Reply } from './answer.js';
import { findPage, type ReadPage } from './pages.js';
import { publicReadOf, type PublicCache, type ReadPublic } from './reads.js';

interface PublicReply extends Reply {
  network: string;
  visitorCookie?: string | undefined;
}

/** A profile counts as a visit; its messages belong to it. @returns the status */
function sendAndNote(visits: Visits, request: IncomingMessage, response: ServerResponse, reply: PublicReply): number {
  const status = sendPublicAnswer(request, response, reply);
  const { visited } = reply.cached.value;
  const { cookie, 'user-agent': userAgent, 'sec-purpose': purpose } = request.headers;
  if (visited !== undefined && request.method === 'GET')
    visits.note(visited, {
      cookie,
      visitorCookie: reply.visitorCookie,
      userAgent,
      purpose: purpose?.toString(),
      isSecure: reply.site.isSecure,
      network: reply.network,
    });
  return status;
}

export interface FastPathDeps {
  publicCache: Pick<PublicCache, 'peek'>;
  visits: Visits;
  logger: Logger;
  metrics: Metrics;
  tracing: Tracing;
  readOrigin: (request: IncomingMessage) => RequestOrigin;
  siteOf: (origin: RequestOrigin) => Site;
  networks: Pick<Windows, 'take'>;
}

/** @returns false if the request is untouched */
export type FastPath = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * Serves cached answers before Express Gateway, whose routing takes longer. Everything unusual goes on to the policies,
 * which make the same checks.
 */
export function createFastPath(deps: FastPathDeps): FastPath {
  const { publicCache, visits, logger, metrics, tracing, readOrigin, siteOf, networks } = deps;
  const isLogging = logger.isLevelEnabled('debug');

  /** Canonical URLs, which are most, need no parsing. */
  const findRead = (url: string): CachedAnswer | undefined => {
    const found = publicCache.peek(url);
    if (found !== undefined) return found;
    if (faultOfPath(url) !== undefined) return undefined;
    const path = publicReadOf(url)?.path;
    return path === undefined || path === url ? undefined : publicCache.peek(path);
  };

  return (request, response) => {
    const { method, headers, url = '' } = request;
    const isPage = url.startsWith('/m/');
    if (!isPage && !url.startsWith('/api/users/') && !url.startsWith('/api/messages/public/')) return false;
    if (method !== 'GET' && method !== 'HEAD') return false;
    if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return false;

    const startedAt = performance.now();
    const origin = readOrigin(request);
    const site = siteOf(origin);
    if (!site.isServed) return false;
    const cached = isPage ? findPage(url, site.origin, headers.cookie, (key) => publicCache.peek(key)) : findRead(url);
    if (cached === undefined || (!isPage && networks.take(origin.network) > 0)) return false;

    const requestId = randomUUID();
    const { operation } = cached.value;
    const span = tracing.isOn ? tracing.begin('request', requestId, { 'http.request.method': method }) : undefined;
    const visitor = isPage ? visitorCookieFor(request, site.isSecure) : undefined;
    const { network } = origin;
    const own = { cookie: visitor?.header, visitorCookie: visitor?.value };
    const status = sendAndNote(visits, request, response, { cached, site, requestId, isPage, network, ...own });

    const ms = performance.now() - startedAt;
    metrics.httpDuration.observe(operation, status, ms / 1000);
    span?.end({
      name: operation,
      attributes: { 'najwa.operation': operation, 'http.response.status_code': status },
    });
    if (isLogging) logger.debug({ requestId, method, operation, status, ms: Math.round(ms) }, 'request');
    return true;
  };
}

export interface PublicReadDeps {
  readPublic: ReadPublic;
  visits: Visits;
  siteOf: (origin: RequestOrigin) => Site;
}

export function createPublicRead({ readPublic, visits, siteOf }: PublicReadDeps): RequestHandler {
  return (request, response, next) => {
    const read = publicReadOf(request.originalUrl);
    if (read === undefined) {
      next();
      return;
    }
    const exchange = exchangeOf(response);
    exchange.endpoint = read.operation;
    const { requestId, origin } = exchange;
    readPublic(read, exchange)
      .then((cached) => {
        const { network } = origin;
        sendAndNote(visits, request, response, { cached, site: siteOf(origin), requestId, isPage: false, network });
      })
      .catch(next);
  };
}

export interface PublicPageDeps {
  readPage: ReadPage;
  visits: Visits;
  networks: Pick<Windows, 'take'>;
  siteOf: (origin: RequestOrigin) => Site;
}

/** Uncached account pages. Falls back to the web client. */
export function createPublicPage({ readPage, visits, networks, siteOf }: PublicPageDeps): RequestHandler {
  return (request, response, next) => {
    const url = request.originalUrl;
    const link = readPageLink(url);
    const exchange = exchangeOf(response);
    if (link === undefined || link === 'missing') {
      if (link === 'missing') exchange.upstreamPath = MISSING_PAGE;
      next();
      return;
    }
    if ('path' in link) {
      redirect(response, link.path);
      return;
    }
    exchange.endpoint = 'publicPage';
    const { requestId, origin, visitorCookie } = exchange;
    // Invented names would each cost a call, a rendering and cache space.
    if (networks.take(origin.network) > 0) {
      next();
      return;
    }
    const site = siteOf(origin);
    const language = readerLanguage(request.headers.cookie);
    readPage({ origin: site.origin, url, username: link.username, language, site: widestOf(origin.scopes) }, exchange)
      .then((page) => {
        if ('path' in page) {
          redirect(response, page.path);
          return;
        }
        const { network } = origin;
        const reply = { cached: page, site, requestId, isPage: true, network, visitorCookie };
        sendAndNote(visits, request, response, reply);
      })
      .catch(() => {
        if (response.headersSent) response.destroy();
        else next();
      });
  };
}
