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
  /** The folder of the built client. */
  root: string;
  /** A folder for the copy that is served. It is replaced at each start. The hashed files of the build before go into one beside it. */
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
      // People type addresses such as /about.html, and forget the /m/ of a username with a dot: their browsers ask for a page.
      const isTyped = !pathname.startsWith(ASSETS) && request.headers.accept?.includes('text/html') === true;
      if (isTyped) sendNotFound(serve, request, response);
      else response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found.\n');
    });
    return;
  }
  request.url = page ?? PAGES;
  serve(request, response, () => sendNotFound(serve, request, response));
}

/** Copies the client. The hashed files of another build are kept, once: pages that are open go on asking for them. */
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
 * Serves the built client as the web container does: hashed assets for a year, and a page in the reader's language. sirv
 * remembers the sizes of files, so it serves a copy: a build in the same checkout would cut off what is sent.
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
