import type { Readable } from 'node:stream';
import { AppError } from '@najwa/common';
import { Pool, type Dispatcher } from 'undici';
import type { Upstream } from '../exchange.js';

export interface UpstreamRequest {
  method: string;
  /** With the query. */
  path: string;
  headers: Record<string, string | string[]>;
  body?: Readable | Buffer;
  signal?: AbortSignal;
}

export type UpstreamAnswer = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers' | 'body'>;

export type WholeAnswer = Pick<UpstreamAnswer, 'statusCode' | 'headers'> & { body: Buffer };

/** The HTTP servers behind the gateway. */
export interface Upstreams {
  /**
   * Resolves with the head of the answer; its body is a stream.
   * @throws {AppError} `unavailable` without an answer, or the error with which the request's body failed
   */
  request(upstream: Upstream, request: UpstreamRequest): Promise<UpstreamAnswer>;
  /** Reads a complete answer. @throws {AppError} `unavailable` if it does not arrive within five seconds */
  read(upstream: Upstream, request: Pick<UpstreamRequest, 'path' | 'headers'>): Promise<WholeAnswer>;
  /** Waits for requests in progress. */
  close(): Promise<void>;
}

const CONNECTIONS = 256;
const CONNECT_TIMEOUT_MS = 2_000;
/** The assistant may take this long to answer. */
const HEADERS_TIMEOUT_MS = 60_000;
/** Longest pause within a body. */
const BODY_TIMEOUT_MS = 60_000;
/** Below the services' own, so that the gateway never writes into a closing connection. */
const KEEP_ALIVE_MS = 30_000;
/** For small answers that many callers may wait for. */
const READ_TIMEOUT_MS = 5_000;

const unavailable = (cause: unknown): AppError =>
  new AppError({
    code: 'unavailable',
    message: 'The service cannot answer just now. Try again shortly.',
    retryAfter: 2,
    cause,
  });

export function createUpstreams(urls: Record<Upstream, string>): Upstreams {
  const poolOf = (url: string): Pool =>
    new Pool(url, {
      connections: CONNECTIONS,
      connect: { timeout: CONNECT_TIMEOUT_MS },
      headersTimeout: HEADERS_TIMEOUT_MS,
      bodyTimeout: BODY_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
    });
  const pools = Object.fromEntries(Object.entries(urls).map(([upstream, url]) => [upstream, poolOf(url)])) as Record<
    Upstream,
    Pool
  >;

  return {
    async request(upstream, { method, path, headers, body, signal }) {
      try {
        return await pools[upstream].request({ method, path, headers, body: body ?? null, ...(signal && { signal }) });
      } catch (error) {
        throw error instanceof AppError ? error : unavailable(error);
      }
    },
    async read(upstream, { path, headers }) {
      try {
        const answer = await pools[upstream].request({
          method: 'GET',
          path,
          headers,
          signal: AbortSignal.timeout(READ_TIMEOUT_MS),
        });
        return {
          statusCode: answer.statusCode,
          headers: answer.headers,
          body: Buffer.from(await answer.body.arrayBuffer()),
        };
      } catch (error) {
        throw unavailable(error);
      }
    },
    close: async () => {
      await Promise.all(Object.values(pools).map((pool) => pool.close()));
    },
  };
}
