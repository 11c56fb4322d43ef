import { cp, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ASSET_CACHE_CONTROL, PAGE_CACHE_CONTROL, PAGE_HEADERS, SECRET_PAGE_HEADERS } from '@najwa/common/http';
import sirv, { type Options } from 'sirv';

const HEALTH_PATHS = new Set(['/health/live', '/health/ready']);

export interface WebServerOptions {
  host: string;
  port: number;
  /** Built. */
  root: string;
  /** For the served copy, replaced at each start. Hashed files of the previous build go into a sibling. */
  copy: string;
}

export interface WebServer {
  port: number;
  close(): Promise<void>;
}

type Serve = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

const ENGLISH = /(?:^|;\s*)language=en\s*(?:;|$)/;

/** Addresses that end in a token. */
const SECRET = '/r/';

/** Hashed files, which people do not type. */
const ASSETS = '/assets/';

/** Pages by language, which other addresses cannot name. */
const PAGES = '/pages/';

/**
 * Pages by route and language, by the reader's cookie: paths without an extension, accounts and ways back, whose names
 * and tokens may contain dots. Undefined for other files.
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

/** sirv knows no missing files, so its status is replaced. */
function sendNotFound(serve: Serve, request: IncomingMessage, response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response);
  response.writeHead = ((_status: number, headers?: OutgoingHttpHeaders) =>
    writeHead(404, headers)) as typeof writeHead;
  delete request.headers['if-none-match'];
  request.url = pageOf('/404', '', request.headers.cookie);
  serve(request, response, () => response.end());
}

function handle(serve: Serve, request: IncomingMessage, response: ServerResponse): void {
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
      // People type /about.html, or forget the /m/ of a username with a dot.
      const isTyped = !pathname.startsWith(ASSETS) && request.headers.accept?.includes('text/html') === true;
      if (isTyped) sendNotFound(serve, request, response);
      else response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found.\n');
    });
    return;
  }
  request.url = page ?? PAGES;
  serve(request, response, () => sendNotFound(serve, request, response));
}

/** Keeps hashed files of the previous build for open pages. */
async function copyClient(root: string, copy: string, previous: string): Promise<void> {
  const namesIn = async (folder: string) => (await readdir(join(folder, ASSETS)).catch(() => [])).sort().join();
  const served = await namesIn(copy);
  if (served !== '' && served !== (await namesIn(root))) {
    await rm(previous, { recursive: true, force: true });
    await mkdir(previous);
    await rename(join(copy, ASSETS), join(previous, ASSETS));
  }
  await mkdir(previous, { recursive: true });
  await rm(copy, { recursive: true, force: true });
  await cp(root, copy, { recursive: true });
}

/**
 * As the web container does. sirv caches sizes, so it serves a copy: a build in the same checkout would truncate
 * answers.
 */
export async function startWebServer({ host, port, root, copy }: WebServerOptions): Promise<WebServer> {
  const previous = `${copy}-previous`;
  await copyClient(root, copy, previous);
  const options: Options = {
    etag: true,
    gzip: true,
    brotli: true,
    setHeaders(response, pathname) {
      const isHashed = pathname.startsWith(ASSETS);
      const isSecret = response.getHeader('x-robots-tag') !== undefined;
      if (pathname.endsWith('.ico')) response.setHeader('content-type', 'image/x-icon');
      response.setHeader('cache-control', isHashed ? ASSET_CACHE_CONTROL : isSecret ? 'no-store' : PAGE_CACHE_CONTROL);
    },
  };
  const [serveCurrent, servePrevious] = [sirv(copy, options), sirv(previous, options)];
  const serve: Serve = (request, response, next) => {
    serveCurrent(request, response, () => servePrevious(request, response, next));
  };
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
