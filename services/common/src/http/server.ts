import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HttpServer {
  listen(): Promise<number>;
  /**
   * Keeps serving, but closes connections after each answer, so that no client writes into one that `close` is closing.
   */
  drain(): void;
  /** Refuses new connections. Cuts off requests in flight after `deadlineMs`. */
  close(deadlineMs?: number): Promise<void>;
}

const CLOSE_DEADLINE_MS = 5_000;
/** Node.js does not close connections that become idle after `close`. */
const IDLE_CHECK_MS = 50;

export interface HttpServerOptions {
  host: string;
  port: number;
  listener: RequestListener;
}

/**
 * Keep-alive outlasts the gateway's, so that it never writes to a closing connection. No request timeout of Node.js:
 * `withMinimumRate` bounds bodies.
 */
export function createHttpServer({ host, port, listener }: HttpServerOptions): HttpServer {
  return manageServer(createServer({ keepAliveTimeout: 75_000, requestTimeout: 0 }, listener), { host, port });
}

export function manageServer(server: Server, { host, port }: { host: string; port: number }): HttpServer {
  return {
    listen: () =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => {
          server.removeListener('error', reject);
          resolve((server.address() as AddressInfo).port);
        });
      }),
    drain: () =>
      void server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close')),
    close: (deadlineMs = CLOSE_DEADLINE_MS) => closeServer(server, deadlineMs),
  };
}

function closeServer(server: Server, deadlineMs: number): Promise<void> {
  return new Promise((resolve) => {
    if (!server.listening) {
      resolve();
      return;
    }
    const idleCheck = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
    const deadline = setTimeout(() => server.closeAllConnections(), deadlineMs);
    server.close(() => {
      clearInterval(idleCheck);
      clearTimeout(deadline);
      resolve();
    });
  });
}
