import { createServer, IncomingMessage, ServerResponse, type RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorBody, ErrorCode } from '@najwa/common/errors';
import { manageServer, type HttpServer } from '@najwa/common/http';
import type { Express, Request, Response } from 'express';

export interface GatewayServerOptions {
  host: string;
  port: number;
  app: Express;
  /** Handles every request, and calls the application last. */
  listener: (request: Request, response: Response) => void;
  /** Closes a connection on which nothing moved for that long during a request. */
  idleMs?: number;
}

/** Longer than the 60 seconds after which load balancers close an idle connection. */
const KEEP_ALIVE_MS = 75_000;
/**
 * The whole head of a request must arrive within this time. Bodies have rules of their own, see `meterBody`, and no limit
 * of Node's for the whole request, which would be five minutes.
 */
const HEADERS_TIMEOUT_MS = 10_000;
/** Interval at which node checks connections for exceeded timeouts. */
const TIMEOUT_CHECK_MS = 2_000;
/**
 * A phone that vanishes says nothing, and the system goes on sending for a quarter of an hour. Its answer would keep a
 * connection to a service all the while. Longer than services may take to answer, and than event streams are silent.
 */
const IDLE_MS = 120_000;
/** Time for a refused client to read the answer before the connection closes. */
const REFUSED_CLOSE_MS = 1_000;

/**
 * A server that drains when it closes. Express changes the prototype of every request and response, which slows down
 * all access to them. Here they are created with the right prototype, so there is nothing to change.
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
  return manageServer(server, { host, port });
}

/**
 * Closes pipelined answers that wait for their turn when the connection ends. Node closes only the one that is being
 * written, so the others would hold their slots for ever.
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

/** Answers a request that node cannot parse like any other refusal, and destroys the connection. */
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
