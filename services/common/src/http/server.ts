import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HttpServer {
  /** @returns the port, which the system chooses when it was 0. */
  listen(): Promise<number>;
  /** Refuses new connections and lets requests in flight finish. */
  close(): Promise<void>;
}

const CLOSE_DEADLINE_MS = 5_000;

export interface HttpServerOptions {
  host: string;
  port: number;
  listener: RequestListener;
}

/** A server that drains when it closes. Its keep-alive outlasts the gateway's, so that the gateway never writes into a closing connection. */
export function createHttpServer({ host, port, listener }: HttpServerOptions): HttpServer {
  const server = createServer({ keepAliveTimeout: 75_000 }, listener);
  return {
    listen: () =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => {
          server.removeListener('error', reject);
          resolve((server.address() as AddressInfo).port);
        });
      }),
    close: () => closeServer(server),
  };
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    if (!server.listening) {
      resolve();
      return;
    }
    const deadline = setTimeout(() => server.closeAllConnections(), CLOSE_DEADLINE_MS);
    server.close(() => {
      clearTimeout(deadline);
      resolve();
    });
    server.closeIdleConnections();
  });
}
