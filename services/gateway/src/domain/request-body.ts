import type { IncomingMessage } from 'node:http';
import { Transform, type TransformCallback } from 'node:stream';
import { AppError } from '@najwa/common';
import { LIMITS } from '@najwa/proto/http/client';

/** Minimum arrival rate of a body. Time spent waiting for a slower service does not count. */
export interface ArrivalRules {
  /** Average over the whole body, checked after the grace period. */
  minBytesPerSecond: number;
  graceMs: number;
  /** The longest pause between two pieces. */
  maxPauseMs: number;
}

/** Time for a refused client to stop sending and read the answer before the connection closes. */
export const LINGER_MS = 5_000;

const CHECKS_PER_PAUSE = 10;

const WITHOUT_BODY = new Set(['GET', 'HEAD']);

type Head = Pick<IncomingMessage, 'method' | 'headers'>;

export const contentLengthOf = ({ headers }: Head): number => Number(headers['content-length'] ?? 0);

const isChunked = ({ headers }: Head): boolean => headers['transfer-encoding'] !== undefined;

/** True if a request has a body to pass on. */
export const hasBody = (request: Head): boolean =>
  !WITHOUT_BODY.has(request.method ?? '') && (isChunked(request) || contentLengthOf(request) > 0);

/** True if the body is, or may be, larger than any JSON without a picture. */
export const isLargeBody = (request: Head): boolean =>
  isChunked(request) || contentLengthOf(request) > LIMITS.jsonBytes;

export const payloadTooLarge = (): AppError =>
  new AppError({ code: 'payload_too_large', message: 'The request is larger than this call accepts.' });

/** Closes the connection of a client that goes on sending a body after its answer. */
export function limitUnreadBody(request: IncomingMessage): void {
  setTimeout(() => {
    if (!request.complete) request.socket.destroy();
  }, LINGER_MS).unref();
}

/** Passes a body on, and fails if it is too large or arrives too slowly. */
class MeteredBody extends Transform {
  #received = 0;
  #startedAt = performance.now();
  #lastPieceAt = this.#startedAt;
  readonly #timer: NodeJS.Timeout;

  constructor(
    private readonly maxBytes: number,
    private readonly rules: ArrivalRules,
  ) {
    super();
    const intervalMs = rules.maxPauseMs / CHECKS_PER_PAUSE;
    this.#timer = setInterval(() => this.#check(intervalMs), intervalMs);
    this.#timer.unref();
  }

  override _transform(piece: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#received += piece.length;
    this.#lastPieceAt = performance.now();
    if (this.#received > this.maxBytes) done(payloadTooLarge());
    else done(null, piece);
  }

  override _flush(done: TransformCallback): void {
    clearInterval(this.#timer);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearInterval(this.#timer);
    done(error);
  }

  #check(intervalMs: number): void {
    const now = performance.now();
    if (this.writableNeedDrain) {
      this.#startedAt += intervalMs;
      this.#lastPieceAt = now;
      return;
    }
    const { minBytesPerSecond, graceMs, maxPauseMs } = this.rules;
    const elapsedMs = now - this.#startedAt;
    const isTooSlow = elapsedMs > graceMs && (this.#received / elapsedMs) * 1000 < minBytesPerSecond;
    if (isTooSlow || now - this.#lastPieceAt > maxPauseMs)
      this.destroy(new AppError({ code: 'request_timeout', message: 'The request arrived too slowly.' }));
  }
}

/**
 * The body of a request as a stream that may be destroyed: the request itself stays, so that it can be answered.
 * The stream fails with `payload_too_large` or `request_timeout`, or when the client goes away.
 * @param maxBytes of the whole body
 */
export function meterBody(request: IncomingMessage, maxBytes: number, rules: ArrivalRules): Transform {
  const body = new MeteredBody(maxBytes, rules);
  body.on('error', () => undefined);
  body.once('close', () => {
    request.unpipe(body);
    request.resume();
  });
  request.once('close', () => {
    if (!request.complete) body.destroy(new ClientGoneError());
  });
  return request.pipe(body);
}

/** The client closed the connection before its request was complete. */
export class ClientGoneError extends Error {
  constructor() {
    super('The client has gone.');
    this.name = 'ClientGoneError';
  }
}
