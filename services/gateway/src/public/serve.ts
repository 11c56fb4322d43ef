import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger, Metrics, Tracing } from '@najwa/common';
import type { Found, PublicMemory } from '../domain/tagged-cache.js';
import { publicReadOf } from './reads.js';
import type { RequestOrigin } from '../domain/request-origin.js';
import type { Site } from '../domain/sites.js';
import type { Visits } from '../domain/visits.js';
import type { Windows } from '../domain/windows.js';
import { faultOfPath } from '../policies/entry.js';
import { visitorCookieFor } from '../policies/identity.js';
import { sendPublicAnswer } from '../policies/public-answer.js';
import { findPage } from './pages.js';

export interface FastPathDeps {
  memory: Pick<PublicMemory, 'peek'>;
  visits: Visits;
  logger: Logger;
  metrics: Metrics;
  tracing: Tracing;
  readOrigin: (request: IncomingMessage) => RequestOrigin;
  siteOf: (origin: RequestOrigin) => Site;
  networks: Pick<Windows, 'take'>;
}

/** Answers a request if it can do so at once. @returns false if it has not touched the request */
export type FastPath = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * Answers what is remembered ahead of Express Gateway: routing would take longer than answering. Everything else, and
 * everything unusual, goes on to the policies, which make the same checks.
 */
export function createFastPath(deps: FastPathDeps): FastPath {
  const { memory, visits, logger, metrics, tracing, readOrigin, siteOf, networks } = deps;
  const isLogging = logger.isLevelEnabled('debug');

  /** Most requests are written in the canonical way, so that reading the path is left to the others. */
  const findRead = (url: string): Found | undefined => {
    const found = memory.peek(url);
    if (found !== undefined) return found;
    if (faultOfPath(url) !== undefined) return undefined;
    const path = publicReadOf(url)?.path;
    return path === undefined || path === url ? undefined : memory.peek(path);
  };

  return (request, response) => {
    const { method, headers, url = '' } = request;
    const isPage = url.startsWith('/m/');
    if (!isPage && !url.startsWith('/api/users/') && !url.startsWith('/api/messages/public/')) return false;
    if (method !== 'GET' && method !== 'HEAD') return false;
    // Rare, and the policies know what to do with a body.
    if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return false;

    const startedAt = performance.now();
    const origin = readOrigin(request);
    const site = siteOf(origin);
    if (!site.isServed) return false;
    const found = isPage ? findPage(url, site.origin, headers.cookie, (key) => memory.peek(key)) : findRead(url);
    if (found === undefined || (!isPage && networks.take(origin.network) > 0)) return false;

    const requestId = randomUUID();
    const { operation, visited } = found.answer;
    const span = tracing.isOn ? tracing.begin('request', requestId, { 'http.request.method': method }) : undefined;
    const visitor = isPage ? visitorCookieFor(request, site.isSecure) : undefined;
    const status = sendPublicAnswer(request, response, { found, site, requestId, isPage, cookie: visitor?.header });
    if (visited !== undefined && method === 'GET')
      visits.note(visited, {
        cookie: headers.cookie,
        visitorCookie: visitor?.value,
        userAgent: headers['user-agent'],
        network: origin.network,
      });

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
