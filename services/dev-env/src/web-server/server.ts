import { cp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ASSET_CACHE_CONTROL, PAGE_CACHE_CONTROL, PAGE_HEADERS, SECRET_PAGE_HEADERS } from '@najwa/common';
import sirv from 'sirv';

const HEALTH_PATHS = new Set(['/health/live', '/health/ready']);

export interface WebServerOptions {
  host: string;
  port: number;
  /** The folder of the built client. */
  root: string;
  /** A folder for the copy that is served. It is replaced at each start. */
  copy: string;
}

export interface WebServer {
  port: number;
  close(): Promise<void>;
}

const ENGLISH = /(?:^|;\s*)language=en\s*(?:;|$)/;

/** Addresses that end in a token. */
const SECRET = '/r/';

/** Folder of hashed files, which no person asks for. */
const ASSETS = '/assets/';

/** Folder of the pages in a language, which other addresses cannot name. */
const PAGES = '/pages/';

/**
 * The file of a page: one for each route and language, by the cookie with the reader's choice. Paths without an extension
 * are pages, and so are those of accounts and of ways back, since usernames and mistyped tokens may contain dots. Undefined
 * for other files.
 */
function pageOf(pathname: string, query: string, cookie = ''): string | undefined {
  const isAccount = pathname.startsWith('/m/');
  const isSecret = pathname.startsWith(SECRET);
  if (!isAccount && !isSecret && /\.[^/.]+$/.test(pathname)) return undefined;
  const path = pathname.replace(/\/$/, '');
  const isLogin = path === '/auth' && new URLSearchParams(query).get('tab') === 'login';
  const route = isAccount ? '/m/_' : isSecret ? '/r/_' : isLogin ? '/auth.login' : path || '/index';
  return `${PAGES}${ENGLISH.test(cookie) ? 'en' : 'ar'}${route}.html`;
}

/** Sends the page for unknown addresses. sirv knows only found files, so its status is replaced. */
function sendNotFound(serve: ReturnType<typeof sirv>, request: IncomingMessage, response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response);
  response.writeHead = ((_status: number, headers?: OutgoingHttpHeaders) =>
    writeHead(404, headers)) as typeof writeHead;
  delete request.headers['if-none-match'];
  request.url = pageOf('/404', '', request.headers.cookie);
  serve(request, response, () => {
    response.end();
  });
}

function handle(serve: ReturnType<typeof sirv>, request: IncomingMessage, response: ServerResponse): void {
  const [pathname = '/', query = ''] = (request.url ?? '/').split('?', 2);
  const isSecret = pathname.startsWith(SECRET);
  for (const [name, value] of Object.entries(isSecret ? SECRET_PAGE_HEADERS : PAGE_HEADERS))
    response.setHeader(name, value);
  if (HEALTH_PATHS.has(pathname)) {
    response.setHeader('cache-control', 'no-store');
    response.end();
    return;
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD' }).end();
    return;
  }
  const page = pageOf(pathname, query, request.headers.cookie);
  if (page === undefined && !pathname.startsWith(PAGES)) {
    serve(request, response, () => {
      if (pathname.startsWith(ASSETS)) response.writeHead(404).end();
      // People type addresses such as /about.html, and forget the /m/ of a username with a dot.
      else sendNotFound(serve, request, response);
    });
    return;
  }
  request.url = page ?? PAGES;
  serve(request, response, () => sendNotFound(serve, request, response));
}

/**
 * Serves the built client as the web container does: hashed assets for a year, and a page in the reader's language. sirv
 * remembers the sizes of files, so it serves a copy: a build in the same checkout would cut off what is sent.
 */
export async function startWebServer({ host, port, root, copy }: WebServerOptions): Promise<WebServer> {
  await rm(copy, { recursive: true, force: true });
  await cp(root, copy, { recursive: true });
  const serve = sirv(copy, {
    etag: true,
    gzip: true,
    brotli: true,
    setHeaders(response, pathname) {
      const isHashed = pathname.startsWith(ASSETS);
      const isSecret = response.getHeader('x-robots-tag') !== undefined;
      response.setHeader('cache-control', isHashed ? ASSET_CACHE_CONTROL : isSecret ? 'no-store' : PAGE_CACHE_CONTROL);
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
