import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import sirv from 'sirv';

/** Sent with every answer, as by the nginx of the web container. */
export const SECURITY_HEADERS = {
  'content-security-policy': [
    "default-src 'self'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "style-src 'self' 'unsafe-inline'",
    "connect-src 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'microphone=(self), camera=(), geolocation=()',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
} as const;

const HEALTH_PATHS = new Set(['/health/live', '/health/ready']);

export interface WebServerOptions {
  host: string;
  port: number;
  /** The folder of the built client. */
  root: string;
}

export interface WebServer {
  port: number;
  close(): Promise<void>;
}

/** Paths without an extension belong to the application. So do public pages, since usernames may contain dots. */
const isPage = (pathname: string): boolean => pathname.startsWith('/m/') || !/\.[^/.]+$/.test(pathname);

function handle(serve: ReturnType<typeof sirv>, request: IncomingMessage, response: ServerResponse): void {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
  const pathname = (request.url ?? '/').split('?', 1)[0] ?? '/';
  if (HEALTH_PATHS.has(pathname)) {
    response.setHeader('cache-control', 'no-store');
    response.end();
    return;
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD' }).end();
    return;
  }
  const refuse = () => {
    response.writeHead(404).end();
  };
  serve(request, response, () => {
    if (!isPage(pathname)) {
      refuse();
      return;
    }
    request.url = '/';
    serve(request, response, refuse);
  });
}

/** Serves the built client as the web container does: hashed assets for a year, and the page for each of the application's paths. */
export async function startWebServer({ host, port, root }: WebServerOptions): Promise<WebServer> {
  const serve = sirv(root, {
    etag: true,
    gzip: true,
    brotli: true,
    setHeaders(response, pathname) {
      const isHashed = pathname.startsWith('/assets/');
      response.setHeader('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  const server = createServer((request, response) => handle(serve, request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
}
