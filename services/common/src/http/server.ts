import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

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
  return new HttpServer(createServer({ keepAliveTimeout: 75_000, requestTimeout: 0 }, listener), { host, port });
}

export class HttpServer {
  constructor(
    private readonly server: Server,
    private readonly address: { host: string; port: number },
  ) {}

  listen(): Promise<number> {
    const { server } = this;
    const { host, port } = this.address;
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, () => {
        server.removeListener('error', reject);
        resolve((server.address() as AddressInfo).port);
      });
    });
  }
  /**
   * Keeps serving, but closes connections after each answer, so that no client writes into one that `close` is closing.
   */
  drain(): void {
    this.server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
  }
  /** Refuses new connections. Cuts off requests in flight after `deadlineMs`. */
  close(deadlineMs = CLOSE_DEADLINE_MS): Promise<void> {
    const { server } = this;
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
}
