import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { widestOf } from '@najwa/common/limits';
import { REQUEST_ID_HEADER, type Logger } from '@najwa/common/logging';
import type { Metrics } from '@najwa/common/metrics';
import type { Tracing } from '@najwa/common/tracing';
import type { RequestHandler } from 'express';
import { readVisitorCookie } from '../domain/headers.js';
import { MISSING_PAGE, readPageLink, readVisit } from '../domain/page-links.js';
import type { RequestOrigin } from '../domain/request-origin.js';
import { pageHeadersFor } from '../domain/security-headers.js';
import type { Site } from '../domain/sites.js';
import type { Visits } from '../domain/visits.js';
import type { Windows } from '../domain/windows.js';
import { exchangeOf } from '../exchange.js';
import { redirect } from '../policies/answers.js';
import { faultOfPath } from '../policies/entry.js';
import { newVisitorCookie } from '../policies/identity.js';
import { readerLanguage } from '../rendering/index.js';
import { sendPublicAnswer, type CachedAnswer, type Reply } from './answer.js';
import { findPage, type ReadPage } from './pages.js';
import { profileRead, publicReadOf, type PublicCache, type ReadPublic } from './reads.js';

/** Endpoint in metrics. */
const VISIT = 'visit';

interface Opened extends Pick<Reply, 'cached' | 'site' | 'requestId'> {
  visits: Visits;
  network: string;
}

/**
 * A page's picture, which counts the visit and sets the cookie of the visitor: the page itself is the same for everyone.
 * @returns the status
 */
function answerVisit(
  { method, headers }: IncomingMessage,
  response: ServerResponse,
  { visits, cached, site: { isSecure }, requestId, network }: Opened,
): number {
  const { cookie, 'user-agent': userAgent, 'sec-purpose': purpose, 'sec-fetch-site': from = 'same-origin' } = headers;
  const head = [REQUEST_ID_HEADER, requestId, 'Cache-Control', 'no-store', ...pageHeadersFor(isSecure).flat()];
  const { visited } = cached.value;
  // Other sites could show the picture as well.
  if (visited !== undefined && method === 'GET' && from === 'same-origin') {
    let name = readVisitorCookie(cookie, isSecure);
    if (name === undefined) {
      const created = newVisitorCookie(isSecure);
      name = created.value;
      head.push('Set-Cookie', created.header);
    }
    visits.note(visited, { name, cookie, userAgent, purpose: purpose?.toString(), isSecure, network });
  }
  response.writeHead(204, head).end();
  return 204;
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
    const opened = isPage ? readVisit(url) : undefined;
    const cached =
      opened !== undefined
        ? findRead(`/api/users/${opened}`)
        : isPage
          ? findPage(url, site.origin, headers.cookie, (key) => publicCache.peek(key))
          : findRead(url);
    if (cached === undefined || (!isPage && networks.take(origin.network) > 0)) return false;

    const requestId = randomUUID();
    const operation = opened === undefined ? cached.value.operation : VISIT;
    const span = tracing.isOn ? tracing.begin('request', requestId, { 'http.request.method': method }) : undefined;
    const { network } = origin;
    const status =
      opened === undefined
        ? sendPublicAnswer(request, response, { cached, site, requestId, isPage })
        : answerVisit(request, response, { visits, cached, site, requestId, network });

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
  siteOf: (origin: RequestOrigin) => Site;
}

export function createPublicRead({ readPublic, siteOf }: PublicReadDeps): RequestHandler {
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
        sendPublicAnswer(request, response, { cached, site: siteOf(origin), requestId, isPage: false });
      })
      .catch(next);
  };
}

export interface PublicPageDeps {
  readPage: ReadPage;
  readPublic: ReadPublic;
  visits: Visits;
  networks: Pick<Windows, 'take'>;
  siteOf: (origin: RequestOrigin) => Site;
}

/** Uncached account pages. Falls back to the web client. */
export function createPublicPage({ readPage, readPublic, visits, networks, siteOf }: PublicPageDeps): RequestHandler {
  return (request, response, next) => {
    const url = request.originalUrl;
    const opened = readVisit(url);
    const link = opened === undefined ? readPageLink(url) : { username: opened };
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
    exchange.endpoint = opened === undefined ? 'publicPage' : VISIT;
    const { requestId, origin } = exchange;
    const { network } = origin;
    // Invented names would each cost a call, a rendering and cache space.
    if (networks.take(network) > 0) {
      next();
      return;
    }
    const site = siteOf(origin);
    const read = opened === undefined ? undefined : profileRead(opened);
    if (read !== undefined) {
      readPublic(read, exchange)
        .then((cached) => answerVisit(request, response, { visits, cached, site, requestId, network }))
        .catch(next);
      return;
    }
    const language = readerLanguage(request.headers.cookie);
    readPage({ origin: site.origin, url, username: link.username, language, site: widestOf(origin.scopes) }, exchange)
      .then((page) => {
        if ('path' in page) {
          redirect(response, page.path);
          return;
        }
        sendPublicAnswer(request, response, { cached: page, site, requestId, isPage: true });
      })
      .catch(() => {
        if (response.headersSent) response.destroy();
        else next();
      });
  };
}
