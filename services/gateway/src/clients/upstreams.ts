import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '@najwa/common/errors';
import { createFairQueue, measureQueue } from '@najwa/common/limits';
import type { Metrics } from '@najwa/common/metrics';
import type { Span } from '@najwa/common/tracing';
import type { ApiService } from '@najwa/proto/http/client';
import { Pool } from 'undici';

/** The HTTP servers behind the gateway: the services of the contract, and the web client's. */
export type Upstream = ApiService | 'web';

export interface UpstreamRequest {
  method: string;
  /** With the query. */
  path: string;
  headers: Record<string, string | string[]>;
  body?: Readable | Buffer;
  cancellation?: Cancellation;
  /** The key by which the requests of its caller are counted where callers take turns. */
  caller?: string;
  /** The step of the trace that this request is. Ends with the head of the answer, or with its failure. */
  step?: Span | undefined;
}

export interface UpstreamAnswer<Body = Buffer | Readable> {
  statusCode: number;
  headers: Record<string, string | string[] | undefined>;
  body: Body;
}

export type WholeAnswer = UpstreamAnswer<Buffer>;

/** Ends a request that nobody waits for any more. An AbortSignal would cost each request more than its limits do. */
export class Cancellation {
  #reason: Error | undefined;
  #abort: ((reason: Error) => void) | undefined;

  get isCancelled(): boolean {
    return this.#reason !== undefined;
  }

  cancel(reason: Error): void {
    this.#reason ??= reason;
    this.#abort?.(this.#reason);
  }

  /** @param abort called once it is cancelled, at once if it already is */
  onCancel(abort: (reason: Error) => void): void {
    this.#abort = abort;
    if (this.#reason !== undefined) abort(this.#reason);
  }
}

/** The HTTP servers behind the gateway. */
export interface Upstreams {
  /**
   * Resolves with a small answer, or with the head of a larger one, whose body is a stream. Tries again where no server
   * can have done anything yet, and where the request may be repeated: reads, and writes with an Idempotency-Key.
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

/**
 * Turns of writes to auth, most of which wait for the hash of a password. Two of a caller keep its turns going; each one more
 * would need a connection, and a service takes one of these in each turn of its event loop, so that all others would wait
 * behind those of a flood.
 */
const TURNS = { capacity: Infinity, maxWaiting: 500, maxWaitMs: 8_000, retryAfter: 5 };
const FAIR_TURNS = { runningPerSender: 2, waitingPerSender: 40 };

/** Answers of up to this size are collected, and passed on in one write. Those of unknown length are streams. */
const MAX_WHOLE_BYTES = 64 * 1024;

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
/** The connection ended before the answer was there. */
const CUT_OFF = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

const isRead = ({ method }: UpstreamRequest): boolean => method === 'GET' || method === 'HEAD';

/** True if the request may be sent again after the error. Streams of a body cannot be. */
function isRepeatable(request: UpstreamRequest, error: unknown): boolean {
  const { headers, body, cancellation } = request;
  const code = (error as { code?: string }).code ?? '';
  if (cancellation?.isCancelled || !(body === undefined || Buffer.isBuffer(body))) return false;
  if (UNSENT.has(code)) return true;
  return CUT_OFF.has(code) && (isRead(request) || 'idempotency-key' in headers);
}

/** The service behind the gateway did not answer. */
export const unavailable = (cause: unknown): AppError =>
  new AppError({
    code: 'unavailable',
    message: 'The service is temporarily unavailable. Try again shortly.',
    retryAfter: 2,
    cause,
  });

/**
 * Sends a request once. `Pool.request` would make promises, streams and listeners for each, which cost as much as the
 * request itself.
 */
function sendOnce(pool: Pool, { method, path, headers, body, cancellation }: UpstreamRequest) {
  return new Promise<UpstreamAnswer>((resolve, reject) => {
    const pieces: Buffer[] = [];
    let head: Omit<UpstreamAnswer, 'body'>;
    let stream: Readable | undefined;
    pool.dispatch(
      { method, path, headers, body: body ?? null },
      {
        onRequestStart: (controller) => cancellation?.onCancel((reason) => controller.abort(reason)),
        onResponseStart(controller, statusCode, answered) {
          if (statusCode < 200) return;
          head = { statusCode, headers: answered };
          if (Number(answered['content-length'] ?? Infinity) <= MAX_WHOLE_BYTES) return;
          stream = new Readable({
            read: () => controller.resume(),
            destroy(error, done) {
              controller.abort(error ?? new Error('Nobody reads the answer any more.'));
              // Its reader gets it in a microtask of this turn, and must be there to hear of the error.
              setImmediate(done, error);
            },
          });
          resolve({ ...head, body: stream });
        },
        onResponseData(controller, piece) {
          if (stream === undefined) pieces.push(piece);
          else if (!stream.push(piece)) controller.pause();
        },
        onResponseEnd() {
          if (stream === undefined) resolve({ ...head, body: Buffer.concat(pieces) });
          else stream.push(null);
        },
        onResponseError(_controller, error) {
          stream?.destroy(error);
          reject(error);
        },
      },
    );
  });
}

export const wholeBody = (body: Buffer | Readable): Promise<Buffer> | Buffer =>
  Buffer.isBuffer(body) ? body : buffer(body);

/** @param isFair false for a test that sends everything from one address */
export function createUpstreams(
  urls: Record<Upstream, string>,
  metrics: Metrics,
  { isFair }: { isFair: boolean },
): Upstreams {
  const answered = (upstream: Upstream, statusCode: number, step: Span | undefined): void => {
    const isFault = statusCode >= 500;
    if (isFault) metrics.dependencyErrors.inc({ dependency: upstream });
    step?.end({
      attributes: { 'http.response.status_code': statusCode },
      ...(isFault && { error: String(statusCode) }),
    });
  };
  /** A request that the client gave up is no fault of the service. */
  const failed = (upstream: Upstream, step: Span | undefined, cancellation?: Cancellation): void => {
    if (cancellation?.isCancelled !== true) metrics.dependencyErrors.inc({ dependency: upstream });
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

  const fairness = isFair ? FAIR_TURNS : { runningPerSender: Infinity, waitingPerSender: Infinity };
  const takeTurn = measureQueue(createFairQueue({ ...TURNS, ...fairness }), 'auth-writes', metrics);

  const send = async (upstream: Upstream, request: UpstreamRequest): Promise<UpstreamAnswer> => {
    for (let attempt = 0; ; attempt++) {
      const pauseMs = RETRY_PAUSES_MS[attempt];
      try {
        return await sendOnce(pools[upstream], request);
      } catch (error) {
        if (pauseMs === undefined || !isRepeatable(request, error)) throw error;
        await wait(pauseMs);
      }
    }
  };

  return {
    async request(upstream, request) {
      const { cancellation, caller, step } = request;
      const takesTurn = upstream === 'auth' && caller !== undefined && !isRead(request);
      try {
        const answer = takesTurn
          ? await takeTurn({ sender: caller }, () => send(upstream, request))
          : await send(upstream, request);
        answered(upstream, answer.statusCode, step);
        return answer;
      } catch (error) {
        if (error instanceof AppError) {
          step?.end({ error: error.code });
          throw error;
        }
        failed(upstream, step, cancellation);
        throw unavailable(error);
      }
    },
    async read(upstream, { path, headers, step }) {
      const cancellation = new Cancellation();
      const timer = setTimeout(() => cancellation.cancel(new Error('The answer took too long.')), READ_TIMEOUT_MS);
      try {
        const answer = await send(upstream, { method: 'GET', path, headers, cancellation });
        const body = await wholeBody(answer.body);
        answered(upstream, answer.statusCode, step);
        return { ...answer, body };
      } catch (error) {
        failed(upstream, step);
        throw unavailable(error);
      } finally {
        clearTimeout(timer);
      }
    },
    close: async () => {
      await Promise.all(Object.values(pools).map((pool) => pool.close()));
    },
  };
}
