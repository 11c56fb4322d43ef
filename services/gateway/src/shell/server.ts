import { createServer, IncomingMessage, ServerResponse, type RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorBody, ErrorCode } from '@najwa/common/errors';
import { HttpServer } from '@najwa/common/http';
import type { Express, Request, Response } from 'express';

export interface GatewayServerOptions {
  host: string;
  port: number;
  app: Express;
  listener: (request: Request, response: Response) => void;
  idleMs?: number;
}

/** Load balancers close idle connections after 60 seconds. */
const KEEP_ALIVE_MS = 75_000;
/** For the head. `meterBody` bounds bodies; node's limit for whole requests is off. */
const HEADERS_TIMEOUT_MS = 10_000;
const TIMEOUT_CHECK_MS = 2_000;
/**
 * A phone that vanishes would hold connections for a quarter of an hour. Longer than answers take and streams are
 * silent.
 */
const IDLE_MS = 120_000;
const REFUSED_CLOSE_MS = 1_000;

/**
 * Express changes the prototype of every request and response, which slows all access; here they have it from the
 * start.
 */
export function createGatewayServer({ host, port, app, listener, idleMs = IDLE_MS }: GatewayServerOptions): HttpServer {
  class GatewayRequest extends IncomingMessage {}
  class GatewayResponse extends ServerResponse<GatewayRequest> {}
  Object.setPrototypeOf(GatewayRequest.prototype, app.request);
  Object.setPrototypeOf(GatewayResponse.prototype, app.response);
  app.request = GatewayRequest.prototype as Express['request'];
  app.response = GatewayResponse.prototype as Express['response'];

  const server = createServer(
    {
      IncomingMessage: GatewayRequest,
      ServerResponse: GatewayResponse,
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: 0,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    },
    listener as unknown as RequestListener<typeof GatewayRequest, typeof GatewayResponse>,
  );
  server.setTimeout(idleMs);
  server.on('clientError', refuseConnection);
  server.prependListener('request', createPipelineGuard());
  return new HttpServer(server, { host, port });
}

/**
 * Node closes only the answer being written when a pipelined connection ends; the others would hold their slots for
 * ever.
 */
function createPipelineGuard(): (request: IncomingMessage, response: ServerResponse) => void {
  const waiting = new WeakMap<Socket, Set<ServerResponse>>();
  const queueOf = (socket: Socket): Set<ServerResponse> => {
    const known = waiting.get(socket);
    if (known !== undefined) return known;
    const queue = new Set<ServerResponse>();
    waiting.set(socket, queue);
    socket.once('close', () => {
      for (const response of queue) {
        response.destroy();
        response.emit('close');
      }
    });
    return queue;
  };
  return ({ socket }, response) => {
    if (response.socket !== null) return;
    const queue = queueOf(socket);
    queue.add(response);
    response.once('socket', () => queue.delete(response));
  };
}

const REFUSALS: Record<string, { status: string; code: ErrorCode; message: string }> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    code: 'malformed',
    message: 'The head of the request is too large.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    code: 'request_timeout',
    message: 'The request arrived too slowly.',
  },
};
const MALFORMED = { status: '400 Bad Request', code: 'malformed', message: 'The request is malformed.' } as const;

/** Node cannot parse the request. */
function refuseConnection({ code = '' }: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const { status, ...error } = REFUSALS[code] ?? MALFORMED;
  const body = JSON.stringify({ message: error.message, code: error.code } satisfies ErrorBody);
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  );
  setTimeout(() => socket.destroy(), REFUSED_CLOSE_MS).unref();
}
