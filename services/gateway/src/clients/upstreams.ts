import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '@najwa/common/errors';
import type { Metrics } from '@najwa/common/metrics';
import type { Span } from '@najwa/common/tracing';
import type { ApiService } from '@najwa/proto/http/client';
import { Pool, type Dispatcher } from 'undici';

/** The HTTP servers behind the gateway: the services of the contract, and the web client's. */
export type Upstream = ApiService | 'web';

export interface UpstreamRequest {
  method: string;
  /** With the query. */
  path: string;
  headers: Record<string, string | string[]>;
  body?: Readable | Buffer;
  signal?: AbortSignal;
  /** The step of the trace that this request is. Ends with the head of the answer, or with its failure. */
  step?: Span | undefined;
}

export type UpstreamAnswer = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers' | 'body'>;

export type WholeAnswer = Pick<UpstreamAnswer, 'statusCode' | 'headers'> & { body: Buffer };

/** The HTTP servers behind the gateway. */
export interface Upstreams {
  /**
   * Resolves with the head of the answer; its body is a stream. Tries again where no server can have done anything yet,
   * and where the request may be repeated: reads, and writes with an Idempotency-Key.
   * @throws {AppError} `unavailable` without an answer, or the error with which the request's body failed
   */
  request(upstream: Upstream, request: UpstreamRequest): Promise<UpstreamAnswer>;
  /** Reads a complete answer. @throws {AppError} `unavailable` if it does not arrive within five seconds */
  read(upstream: Upstream, request: Pick<UpstreamRequest, 'path' | 'headers' | 'step'>): Promise<WholeAnswer>;
  /** Waits for requests in progress. */
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 2_000;
/** The assistant may take this long to answer. */
const HEADERS_TIMEOUT_MS = 60_000;
/** Longest pause within a body. */
const BODY_TIMEOUT_MS = 60_000;
/** Below the services' own, so that the gateway never writes into a closing connection. */
const KEEP_ALIVE_MS = 30_000;
/** For small answers that many callers may wait for. */
const READ_TIMEOUT_MS = 5_000;

/** Pauses before a request is repeated, while a server behind the address is replaced. */
const RETRY_PAUSES_MS = [50, 200, 500];
/** No connection came about. */
const UNSENT = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);
/** The connection ended before the answer began. */
const CUT_OFF = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** True if the request may be sent again after the error. Streams of a body cannot be. */
function isRepeatable({ method, headers, body, signal }: UpstreamRequest, error: unknown): boolean {
  const code = (error as { code?: string }).code ?? '';
  if (signal?.aborted || !(body === undefined || Buffer.isBuffer(body))) return false;
  if (UNSENT.has(code)) return true;
  return CUT_OFF.has(code) && (method === 'GET' || method === 'HEAD' || 'idempotency-key' in headers);
}

/** The service behind the gateway did not answer. */
export const unavailable = (cause: unknown): AppError =>
  new AppError({
    code: 'unavailable',
    message: 'The service is temporarily unavailable. Try again shortly.',
    retryAfter: 2,
    cause,
  });

export function createUpstreams(urls: Record<Upstream, string>, metrics: Metrics): Upstreams {
  const answered = (upstream: Upstream, statusCode: number, step: Span | undefined): void => {
    const isFault = statusCode >= 500;
    if (isFault) metrics.dependencyErrors.inc({ dependency: upstream });
    step?.end({
      attributes: { 'http.response.status_code': statusCode },
      ...(isFault && { error: String(statusCode) }),
    });
  };
  /** A request that the client gave up is no fault of the service. */
  const failed = (upstream: Upstream, step: Span | undefined, signal?: AbortSignal): void => {
    if (signal?.aborted !== true) metrics.dependencyErrors.inc({ dependency: upstream });
    step?.end({ error: 'unavailable' });
  };

  // Without a bound of connections: each is held for as long as its client reads, so a few networks that read slowly
  // would have all of them. The requests under way are bounded, for each network too.
  const poolOf = (url: string): Pool =>
    new Pool(url, {
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

  const send = async (upstream: Upstream, request: UpstreamRequest): Promise<UpstreamAnswer> => {
    const { method, path, headers, body = null, signal } = request;
    for (let attempt = 0; ; attempt++) {
      const pauseMs = RETRY_PAUSES_MS[attempt];
      try {
        return await pools[upstream].request({ method, path, headers, body, ...(signal && { signal }) });
      } catch (error) {
        if (pauseMs === undefined || !isRepeatable(request, error)) throw error;
        await wait(pauseMs, undefined, { ...(signal && { signal }) });
      }
    }
  };

  return {
    async request(upstream, request) {
      const { signal, step } = request;
      try {
        const answer = await send(upstream, request);
        answered(upstream, answer.statusCode, step);
        return answer;
      } catch (error) {
        if (error instanceof AppError) {
          step?.end({ error: error.code });
          throw error;
        }
        failed(upstream, step, signal);
        throw unavailable(error);
      }
    },
    async read(upstream, { path, headers, step }) {
      try {
        const signal = AbortSignal.timeout(READ_TIMEOUT_MS);
        const answer = await send(upstream, { method: 'GET', path, headers, signal });
        const body = Buffer.from(await answer.body.arrayBuffer());
        answered(upstream, answer.statusCode, step);
        return { statusCode: answer.statusCode, headers: answer.headers, body };
      } catch (error) {
        failed(upstream, step);
        throw unavailable(error);
      }
    },
    close: async () => {
      await Promise.all(Object.values(pools).map((pool) => pool.close()));
    },
  };
}
