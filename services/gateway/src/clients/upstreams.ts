import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '@najwa/common/errors';
import { createFairQueue, measureQueue } from '@najwa/common/limits';
import type { Metrics } from '@najwa/common/metrics';
import type { Span } from '@najwa/common/tracing';
import type { ApiService } from '@najwa/proto/http/client';
import { Pool } from 'undici';

export type Upstream = ApiService | 'web';

export interface UpstreamRequest {
  method: string;
  path: string;
  headers: Record<string, string | string[]>;
  body?: Readable | Buffer;
  cancellation?: Cancellation;
  caller?: string;
  step?: Span | undefined;
}

export interface UpstreamAnswer<Body = Buffer | Readable> {
  statusCode: number;
  headers: Record<string, string | string[] | undefined>;
  body: Body;
}

export type WholeAnswer = UpstreamAnswer<Buffer>;

/** Cheaper than an AbortSignal, which every request would pay for. */
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

  /** @param abort called at once if already cancelled */
  onCancel(abort: (reason: Error) => void): void {
    this.#abort = abort;
    if (this.#reason !== undefined) abort(this.#reason);
  }
}

const CONNECT_TIMEOUT_MS = 2_000;
const HEADERS_TIMEOUT_MS = 60_000;
const BODY_TIMEOUT_MS = 60_000;
/** Below the services' keep-alive: never writes into a closing connection. */
const KEEP_ALIVE_MS = 30_000;
const READ_TIMEOUT_MS = 5_000;

/**
 * Turns of writes to auth, mostly password hashes. Two per caller suffice; a flood with more connections would delay
 * all others, since a service serves its connections in turn.
 */
const TURNS = { capacity: Infinity, maxWaiting: 500, maxWaitMs: 8_000, retryAfter: 5 };
const FAIR_TURNS = { runningPerSender: 2, waitingPerSender: 40 };

const MAX_WHOLE_BYTES = 64 * 1024;

const RETRY_PAUSES_MS = [50, 200, 500];
const UNSENT = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const CUT_OFF = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

const isRead = ({ method }: UpstreamRequest): boolean => method === 'GET' || method === 'HEAD';

/** Streamed bodies cannot be repeated. */
function isRepeatable(request: UpstreamRequest, error: unknown): boolean {
  const { headers, body, cancellation } = request;
  const code = (error as { code?: string }).code ?? '';
  if (cancellation?.isCancelled || !(body === undefined || Buffer.isBuffer(body))) return false;
  if (UNSENT.has(code)) return true;
  return CUT_OFF.has(code) && (isRead(request) || 'idempotency-key' in headers);
}

export const unavailable = (cause: unknown): AppError =>
  new AppError({
    code: 'unavailable',
    message: 'The service is temporarily unavailable. Try again shortly.',
    retryAfter: 2,
    cause,
  });

/** `Pool.request` costs as much in promises and listeners as the request itself. */
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
              // Its reader attaches in a microtask of this turn and must see the error.
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

// Unbounded: slow readers hold connections, so a few networks would exhaust a limit. Concurrency is bounded per network.
const poolOf = (url: string): Pool =>
  new Pool(url, {
    connect: { timeout: CONNECT_TIMEOUT_MS },
    headersTimeout: HEADERS_TIMEOUT_MS,
    bodyTimeout: BODY_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
  });

export class Upstreams {
  readonly #metrics;
  readonly #pools;
  readonly #takeTurn;

  /** @param isFair false in tests that send from one address */
  constructor(urls: Record<Upstream, string>, metrics: Metrics, { isFair }: { isFair: boolean }) {
    this.#metrics = metrics;
    const pools = Object.entries(urls).map(([upstream, url]) => [upstream, poolOf(url)]);
    this.#pools = Object.fromEntries(pools) as Record<Upstream, Pool>;
    const fairness = isFair ? FAIR_TURNS : { runningPerSender: Infinity, waitingPerSender: Infinity };
    this.#takeTurn = measureQueue(createFairQueue({ ...TURNS, ...fairness }), 'auth-writes', metrics);
  }

  /**
   * Small answers are whole, larger ones streams. Retries if no server can have acted and the request is repeatable:
   * reads, and writes with an Idempotency-Key.
   * @throws {AppError} `unavailable`, or the error of the request's body
   */
  async request(upstream: Upstream, request: UpstreamRequest): Promise<UpstreamAnswer> {
    const { cancellation, caller, step } = request;
    const takesTurn = upstream === 'auth' && caller !== undefined && !isRead(request);
    try {
      const answer = takesTurn
        ? await this.#takeTurn({ sender: caller }, () => this.#send(upstream, request))
        : await this.#send(upstream, request);
      this.#answered(upstream, answer.statusCode, step);
      return answer;
    } catch (error) {
      if (error instanceof AppError) {
        step?.end({ error: error.code });
        throw error;
      }
      this.#failed(upstream, step, cancellation);
      throw unavailable(error);
    }
  }
  /** @throws {AppError} `unavailable` after five seconds */
  async read(
    upstream: Upstream,
    { path, headers, step }: Pick<UpstreamRequest, 'path' | 'headers' | 'step'>,
  ): Promise<WholeAnswer> {
    const cancellation = new Cancellation();
    const timer = setTimeout(() => cancellation.cancel(new Error('The answer took too long.')), READ_TIMEOUT_MS);
    try {
      const answer = await this.#send(upstream, { method: 'GET', path, headers, cancellation });
      const body = await wholeBody(answer.body);
      this.#answered(upstream, answer.statusCode, step);
      return { ...answer, body };
    } catch (error) {
      this.#failed(upstream, step);
      throw unavailable(error);
    } finally {
      clearTimeout(timer);
    }
  }
  async close(): Promise<void> {
    await Promise.all(Object.values(this.#pools).map((pool) => pool.close()));
  }

  async #send(upstream: Upstream, request: UpstreamRequest): Promise<UpstreamAnswer> {
    for (let attempt = 0; ; attempt++) {
      const pauseMs = RETRY_PAUSES_MS[attempt];
      try {
        return await sendOnce(this.#pools[upstream], request);
      } catch (error) {
        if (pauseMs === undefined || !isRepeatable(request, error)) throw error;
        await wait(pauseMs);
      }
    }
  }
  #answered(upstream: Upstream, statusCode: number, step: Span | undefined): void {
    const isFault = statusCode >= 500;
    if (isFault) this.#metrics.dependencyErrors.inc({ dependency: upstream });
    step?.end({
      attributes: { 'http.response.status_code': statusCode },
      ...(isFault && { error: String(statusCode) }),
    });
  }
  #failed(upstream: Upstream, step: Span | undefined, cancellation?: Cancellation): void {
    if (cancellation?.isCancelled !== true) this.#metrics.dependencyErrors.inc({ dependency: upstream });
    step?.end({ error: 'unavailable' });
  }
}
