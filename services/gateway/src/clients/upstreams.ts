import type { Readable } from 'node:stream';
import { AppError } from '@najwa/common';
import { Pool, type Dispatcher } from 'undici';
import type { Service } from '../exchange.js';

export interface UpstreamRequest {
  method: string;
  /** With the query. */
  path: string;
  headers: Record<string, string | string[]>;
  body?: Readable;
  signal?: AbortSignal;
}

export type UpstreamAnswer = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers' | 'body'>;

export type WholeAnswer = Pick<UpstreamAnswer, 'statusCode' | 'headers'> & { body: Buffer };

/** The HTTP servers behind the gateway. */
export interface Upstreams {
  /** Resolves with the head of the answer; its body is a stream. @throws {AppError} `unavailable` when there is no answer */
  request(service: Service, request: UpstreamRequest): Promise<UpstreamAnswer>;
  /** Reads a whole answer, which must come soon. @throws {AppError} `unavailable` when it does not */
  read(service: Service, request: Pick<UpstreamRequest, 'path' | 'headers'>): Promise<WholeAnswer>;
  /** Waits for what is under way. */
  close(): Promise<void>;
}

const CONNECTIONS = 256;
const CONNECT_TIMEOUT_MS = 2_000;
/** The chat may wait for a model for as long as this. */
const HEADERS_TIMEOUT_MS = 60_000;
/** Between two parts of a body. */
const BODY_TIMEOUT_MS = 60_000;
/** Below that of our services, so that we never write into a connection that is being closed. */
const KEEP_ALIVE_MS = 30_000;
/** For a small answer that many may wait for. */
const READ_TIMEOUT_MS = 5_000;

const unavailable = (cause: unknown): AppError =>
  new AppError({
    code: 'unavailable',
    message: 'The service cannot answer just now. Try again shortly.',
    retryAfter: 2,
    cause,
  });

export function createUpstreams(urls: Record<Service, string>): Upstreams {
  const poolOf = (url: string): Pool =>
    new Pool(url, {
      connections: CONNECTIONS,
      connect: { timeout: CONNECT_TIMEOUT_MS },
      headersTimeout: HEADERS_TIMEOUT_MS,
      bodyTimeout: BODY_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
    });
  const pools = Object.fromEntries(Object.entries(urls).map(([service, url]) => [service, poolOf(url)])) as Record<
    Service,
    Pool
  >;

  return {
    async request(service, { method, path, headers, body, signal }) {
      try {
        return await pools[service].request({ method, path, headers, body: body ?? null, ...(signal && { signal }) });
      } catch (error) {
        throw unavailable(error);
      }
    },
    async read(service, { path, headers }) {
      try {
        const answer = await pools[service].request({
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
