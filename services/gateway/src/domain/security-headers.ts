import type { ServerResponse } from 'node:http';
import helmet, { type HelmetOptions } from 'helmet';

export type HeaderList = readonly (readonly [name: string, value: string])[];

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
  // For documents; browsers have dropped two of them.
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
  strictTransportSecurity: false,
} satisfies HelmetOptions;

/** Runs helmet once, since the headers never change. */
function headersOf(options: HelmetOptions): HeaderList {
  const headers: [string, string][] = [];
  const recorder = {
    setHeader: (name: string, value: string) => headers.push([name, value]),
    removeHeader: () => undefined,
  };
  helmet(options)({} as never, recorder as unknown as ServerResponse, (error) => {
    if (error !== undefined) throw new Error('Helmet refused the security headers.', { cause: error });
  });
  return headers;
}

/** On loopback it would force TLS on every other local site. */
const STRICT_TRANSPORT = headersOf({
  strictTransportSecurity: { maxAge: 31_536_000, includeSubDomains: true },
}).filter(([name]) => name === 'Strict-Transport-Security');

const API_HEADERS = headersOf(API_OPTIONS);

/** JSON must not be run, framed or sniffed. */
export const apiHeadersFor = (isSecure: boolean): HeaderList =>
  isSecure ? [...API_HEADERS, ...STRICT_TRANSPORT] : API_HEADERS;

/** The web server sets the others; only the gateway knows the host name. */
export const pageHeadersFor = (isSecure: boolean): HeaderList => (isSecure ? STRICT_TRANSPORT : []);
