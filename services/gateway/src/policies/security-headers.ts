import type { ServerResponse } from 'node:http';
import { cookieAttributes } from '@najwa/common';
import type { RequestHandler } from 'express';
import helmet, { type HelmetOptions } from 'helmet';
import { exchangeOf } from '../exchange.js';

type HeaderList = readonly (readonly [name: string, value: string])[];

const API_OPTIONS = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      'default-src': ["'none'"],
      'frame-ancestors': ["'none'"],
      'base-uri': ["'none'"],
      'form-action': ["'none'"],
    },
  },
  xFrameOptions: { action: 'deny' },
  // These are about documents, and browsers have dropped two of them.
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
  // Not before we know by which name the site was asked for.
  strictTransportSecurity: false,
} satisfies HelmetOptions;

/** The same for every answer, so that helmet is asked once and not once a request. */
function headersOf(options: HelmetOptions): HeaderList {
  const headers: [string, string][] = [];
  const recorder = {
    setHeader: (name: string, value: string) => headers.push([name, value]),
    removeHeader: () => undefined,
  };
  helmet(options)({} as never, recorder as unknown as ServerResponse, (error) => {
    if (error !== undefined) throw new Error('The security headers are not as helmet wants them.', { cause: error });
  });
  return headers;
}

function createHeaders(always: HeaderList): RequestHandler {
  const strictTransport = headersOf({
    strictTransportSecurity: { maxAge: 31_536_000, includeSubDomains: false },
  }).filter(([name]) => name === 'Strict-Transport-Security');
  return (_request, response, next) => {
    for (const [name, value] of always) response.setHeader(name, value);
    // On the loopback of a developer's machine, it would force TLS upon every other site there.
    if (cookieAttributes(exchangeOf(response).client.host).secure)
      for (const [name, value] of strictTransport) response.setHeader(name, value);
    next();
  };
}

/** For what we answer as data: nothing in it is to be run, framed or guessed at. */
export function createApiHeaders(): RequestHandler {
  return createHeaders(headersOf(API_OPTIONS));
}

/** For pages, whose own headers the web server sets; only we know by which name the site was asked for. */
export function createPageHeaders(): RequestHandler {
  return createHeaders([]);
}
