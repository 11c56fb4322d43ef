import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from '@jest/globals';

export interface Call {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: unknown;
}

export interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** `none` closes the connection without an answer. */
type Handler = Answer | 'none' | ((call: Call) => Answer | Promise<Answer>);

/** Answers by `METHOD /path`. */
export type Answers = Record<string, Handler>;

/** Derived from the answer to `GET /user`. */
const authStatus = ({ 'GET /user': user }: Answers): Answer => ({
  body: { authenticated: user !== undefined && (typeof user !== 'object' || user.status !== 401) },
});

const NOT_FOUND: Answer = { status: 404, body: { message: 'Nothing is here.', code: 'not_found' } };

/** Multipart bodies stay text. */
function readBody(text: string, headers: IncomingHttpHeaders): unknown {
  if (text === '') return undefined;
  return headers['content-type']?.startsWith('application/json') === true ? JSON.parse(text) : text;
}

/** On its own port, with CORS for the page's origin. Stops after the file's tests. */
export async function startApi(answers: Answers) {
  const calls: Call[] = [];
  const handlers: Answers = { 'GET /auth-status': authStatus(answers), ...answers };
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const text = Buffer.concat(chunks).toString();
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://api');
      const method = request.method ?? 'GET';
      const allow = {
        'access-control-allow-origin': request.headers.origin ?? '*',
        'access-control-allow-credentials': 'true',
        'access-control-allow-headers': 'content-type, x-requested-with, idempotency-key, if-match, proof-of-work',
        'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
        'access-control-expose-headers': 'date, etag, link, x-total-count, retry-after',
      };
      if (method === 'OPTIONS') {
        response.writeHead(204, allow).end();
        return;
      }
      const call: Call = {
        method,
        path: pathname,
        query: searchParams,
        headers: request.headers,
        body: readBody(text, request.headers),
      };
      calls.push(call);
      const handler = handlers[`${method} ${pathname}`] ?? NOT_FOUND;
      if (handler === 'none') {
        response.destroy();
        return;
      }
      // Tests set their own clocks.
      response.sendDate = false;
      const { status = 200, headers = {}, body } = typeof handler === 'function' ? await handler(call) : handler;
      response
        .writeHead(status, { ...allow, 'content-type': 'application/json', ...headers })
        .end(body === undefined ? '' : JSON.stringify(body));
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  running.add(stop);

  return {
    apiRoot: `http://127.0.0.1:${String(port)}`,
    calls,
    callsTo: (route: string) => calls.filter(({ method, path }) => `${method} ${path}` === route),
  };
}

const running = new Set<() => void>();

afterAll(() => {
  for (const stop of running) stop();
  running.clear();
});
