import { AppError } from '@najwa/common';
import type { Request, RequestHandler } from 'express';
import { exchangeOf } from '../exchange.js';

export interface CrossSiteDeps {
  /** Paths that take a multipart form; everything else takes JSON. */
  uploadPaths: readonly string[];
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const DEFAULT_PORTS: Record<string, string> = { 'http:': '80', 'https:': '443' };

/** Whether an Origin names the site itself. The scheme is left out: a proxy in front may have ended TLS without telling. */
function isOwnOrigin(origin: string, host: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, host: originHost, hostname } = new URL(origin);
  const own = host.toLowerCase();
  return originHost === own || `${hostname}:${DEFAULT_PORTS[protocol] ?? ''}` === own;
}

function isCrossSite({ headers }: Request, host: string): boolean {
  const { origin } = headers;
  if (headers['sec-fetch-site'] === 'cross-site') return true;
  // Without an Origin it is no browser of today, or a header that no page can send to another site stands for it.
  if (origin === undefined) return headers['x-requested-with'] === undefined;
  return !isOwnOrigin(origin, host);
}

function isAcceptedType({ headers, path }: Request, uploadPaths: readonly string[]): boolean {
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (type === undefined)
    return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
  return type === 'application/json' || (type === 'multipart/form-data' && uploadPaths.includes(path));
}

/** Refuses a state change that a page of another site could have caused: by where it comes from, and by what a mere form can send. */
export function createCrossSiteCheck({ uploadPaths }: CrossSiteDeps): RequestHandler {
  return (request, response, next) => {
    if (SAFE_METHODS.has(request.method)) next();
    else if (isCrossSite(request, exchangeOf(response).client.host))
      next(new AppError({ code: 'cross_site', message: 'This request did not come from our own pages.' }));
    else if (!isAcceptedType(request, uploadPaths))
      next(new AppError({ code: 'unsupported_media_type', message: 'This call does not take that kind of body.' }));
    else next();
  };
}
