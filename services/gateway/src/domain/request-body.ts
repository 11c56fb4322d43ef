import type { IncomingMessage } from 'node:http';
import { Transform, type TransformCallback } from 'node:stream';
import { AppError } from '@najwa/common/errors';
import { ArrivalMeter, tooSlow, type ArrivalRules } from '@najwa/common/limits';
import { LIMITS } from '@najwa/proto/http/client';
import { LRUCache } from 'lru-cache';
import { maxBytesOf, type Operation } from './operations.js';

/** Lets a refused client read the answer before the connection closes. */
export const LINGER_MS = 5_000;

const CHECKS_PER_PAUSE = 10;

const WITHOUT_BODY = new Set(['GET', 'HEAD']);

type Head = Pick<IncomingMessage, 'method' | 'headers'>;

export const contentLengthOf = ({ headers }: Head): number => Number(headers['content-length'] ?? 0);

const isChunked = ({ headers }: Head): boolean => headers['transfer-encoding'] !== undefined;

export const hasBody = (request: Head): boolean =>
  !WITHOUT_BODY.has(request.method ?? '') && (isChunked(request) || contentLengthOf(request) > 0);

export const isLargeBody = (request: Head): boolean =>
  isChunked(request) || contentLengthOf(request) > LIMITS.jsonBytes;

const STARTS_OF_PICTURES = ['data:', '\\u'];

/** Decoding a file costs more than its bytes. */
export const mayHaveFile = ({ headers }: Head, operation: Operation, body: Buffer): boolean =>
  maxBytesOf(operation) > LIMITS.jsonBytes &&
  (headers['content-type']?.startsWith('application/json') !== true ||
    STARTS_OF_PICTURES.some((start) => body.includes(start)));

export const payloadTooLarge = (): AppError =>
  new AppError({ code: 'payload_too_large', message: 'The request is larger than this call accepts.' });

export function discardBody(request: IncomingMessage, pace: Pace): void {
  request.on('data', (piece: Buffer) => {
    const waitMs = pace(piece.length);
    if (waitMs < 1) return;
    request.pause();
    setTimeout(() => request.resume(), waitMs).unref();
  });
  request.resume();
}

export function limitUnreadBody(request: IncomingMessage): void {
  setTimeout(() => {
    if (!request.complete) request.socket.destroy();
  }, LINGER_MS).unref();
}

const checkIntervalMs = ({ maxPauseMs }: ArrivalRules): number => maxPauseMs / CHECKS_PER_PAUSE;

export class MeteredBody extends Transform {
  readonly #arrival: ArrivalMeter;
  readonly #timer: NodeJS.Timeout;

  constructor(
    private readonly maxBytes: number,
    rules: ArrivalRules,
    private readonly pace: Pace,
  ) {
    super();
    this.#arrival = new ArrivalMeter(rules);
    const intervalMs = checkIntervalMs(rules);
    this.#timer = setInterval(() => this.#check(intervalMs), intervalMs).unref();
  }

  bytesPerSecond(): number | undefined {
    return this.#arrival.bytesPerSecond();
  }

  override _transform(piece: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    if (this.#arrival.add(piece.length) > this.maxBytes) {
      done(payloadTooLarge());
      return;
    }
    this.push(piece);
    const waitMs = this.pace(piece.length);
    if (waitMs < 1) {
      done();
      return;
    }
    this.#arrival.excuse(waitMs);
    setTimeout(done, waitMs).unref();
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
    if (this.writableNeedDrain) this.#arrival.excuse(intervalMs);
    else if (this.#arrival.remainingMs() <= 0) this.destroy(tooSlow());
  }
}

/**
 * Destroying the stream leaves the request, so that it can be answered. Fails with `payload_too_large`,
 * `request_timeout`, or when the client disconnects.
 */
export function meterBody(
  request: IncomingMessage,
  maxBytes: number,
  { arrival, pace }: { arrival: ArrivalRules; pace: Pace },
): MeteredBody {
  const body = new MeteredBody(maxBytes, arrival, pace);
  body.on('error', () => undefined);
  body.once('close', () => {
    request.unpipe(body);
    discardBody(request, pace);
  });
  request.once('close', () => {
    if (!request.complete) body.destroy(new ClientGoneError());
  });
  return request.pipe(body);
}

/**
 * Cheaper than a stream: most small bodies arrive with their head.
 * @throws {AppError} `payload_too_large`, `request_timeout`. @throws {ClientGoneError}
 */
export async function collectBody(request: IncomingMessage, maxBytes: number, rules: ArrivalRules): Promise<Buffer> {
  if (request.complete) {
    const whole = (request.read() as Buffer | null) ?? Buffer.alloc(0);
    if (whole.length > maxBytes) throw payloadTooLarge();
    return whole;
  }
  return new Promise((resolve, reject) => {
    const arrival = new ArrivalMeter(rules);
    const pieces: Buffer[] = [];
    const settle = (finish: () => void): void => {
      clearInterval(timer);
      request.off('data', onData).off('end', onEnd).off('close', onClose);
      finish();
    };
    const fail = (error: Error): void =>
      settle(() => {
        request.resume();
        reject(error);
      });
    const onData = (piece: Buffer): void => {
      pieces.push(piece);
      if (arrival.add(piece.length) > maxBytes) fail(payloadTooLarge());
    };
    const onEnd = (): void => settle(() => resolve(Buffer.concat(pieces)));
    const onClose = (): void => fail(new ClientGoneError());
    const timer = setInterval(() => arrival.remainingMs() <= 0 && fail(tooSlow()), checkIntervalMs(rules)).unref();
    request.on('data', onData).once('end', onEnd).once('close', onClose);
  });
}

export class ClientGoneError extends Error {
  constructor() {
    super('The client has gone.');
    this.name = 'ClientGoneError';
  }
}

/** @returns milliseconds until the next read */
export type Pace = (bytes: number) => number;

export type NetworkPaces = (network: string) => Pace;

interface NetworkPacesOptions {
  bytesPerSecond: number;
  now?: () => number;
}

const MAX_NETWORKS = 100_000;

/**
 * Throttles uploads per network, discarded bytes included: otherwise about sixty bodies take all processor time for a
 * second.
 */
export function createNetworkPaces({
  bytesPerSecond,
  now = () => performance.now(),
}: NetworkPacesOptions): NetworkPaces {
  const freeAt = new LRUCache<string, number>({ max: MAX_NETWORKS });
  return (network) => (bytes) => {
    const at = now();
    const until = Math.max(at, freeAt.get(network) ?? at) + (bytes / bytesPerSecond) * 1_000;
    freeAt.set(network, until);
    return until - at;
  };
}
