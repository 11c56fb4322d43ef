import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HttpServer {
  /** @returns the port */
  listen(): Promise<number>;
  /**
   * Goes on serving, and has clients leave: every answer closes its connection. A client that reuses connections then
   * never writes into one that `close` is closing.
   */
  drain(): void;
  /** Refuses new connections and lets requests in flight finish. Cuts them off after `deadlineMs`. */
  close(deadlineMs?: number): Promise<void>;
}

const CLOSE_DEADLINE_MS = 5_000;
/** Connections in use at close become idle later, and Node.js does not close them by itself. */
const IDLE_CHECK_MS = 50;

export interface HttpServerOptions {
  host: string;
  port: number;
  listener: RequestListener;
}

/**
 * The keep-alive time is longer than the gateway's, so the gateway never writes to a connection that is closing. A
 * request has no time limit of Node's, which is five minutes: bodies must arrive at a rate, see `withMinimumRate`.
 */
export function createHttpServer({ host, port, listener }: HttpServerOptions): HttpServer {
  return manageServer(createServer({ keepAliveTimeout: 75_000, requestTimeout: 0 }, listener), { host, port });
}

/** Adds listen and graceful shutdown to a server. Port 0 lets the system choose a port. */
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
