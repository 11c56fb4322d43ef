import { createServer, IncomingMessage, ServerResponse, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { HttpServer } from '@najwa/common';
import type { Express, Request, Response } from 'express';

export interface GatewayServerOptions {
  host: string;
  port: number;
  app: Express;
  /** What comes before the application, which is the last that it calls. */
  listener: (request: Request, response: Response) => void;
}

const CLOSE_DEADLINE_MS = 5_000;
/** Above the 60 seconds after which load balancers let go of an idle connection. */
const KEEP_ALIVE_MS = 75_000;

/**
 * A server that drains when it closes. Express 4 exchanges the prototype of every request and response for its own, which
 * takes the engine's optimisations away from both; here they are made with that prototype, so that nothing is exchanged.
 */
export function createGatewayServer({ host, port, app, listener }: GatewayServerOptions): HttpServer {
  class GatewayRequest extends IncomingMessage {}
  class GatewayResponse extends ServerResponse<GatewayRequest> {}
  Object.setPrototypeOf(GatewayRequest.prototype, app.request);
  Object.setPrototypeOf(GatewayResponse.prototype, app.response);
  app.request = GatewayRequest.prototype as Express['request'];
  app.response = GatewayResponse.prototype as Express['response'];

  const server = createServer(
    { IncomingMessage: GatewayRequest, ServerResponse: GatewayResponse, keepAliveTimeout: KEEP_ALIVE_MS },
    listener as unknown as RequestListener<typeof GatewayRequest, typeof GatewayResponse>,
  );
  server.on('clientError', refuse);
  return {
    listen: () =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => {
          server.removeListener('error', reject);
          resolve((server.address() as AddressInfo).port);
        });
      }),
    close: () => drain(server),
  };
}

/** Answers what is no HTTP in the form of every other refusal. */
function refuse({ code }: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const status =
    code === 'HPE_HEADER_OVERFLOW'
      ? '431 Request Header Fields Too Large'
      : code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? '408 Request Timeout'
        : '400 Bad Request';
  const body = JSON.stringify({ message: 'The request is malformed.', code: 'malformed' });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/** Connections that are in use when the server closes become idle later; nothing but asking again finds them then. */
const IDLE_CHECK_MS = 50;

function drain(server: Server): Promise<void> {
  return new Promise((resolve) => {
    if (!server.listening) {
      resolve();
      return;
    }
    const idleCheck = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
    const deadline = setTimeout(() => server.closeAllConnections(), CLOSE_DEADLINE_MS);
    server.close(() => {
      clearInterval(idleCheck);
      clearTimeout(deadline);
      resolve();
    });
  });
}
