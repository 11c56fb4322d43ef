import { setTimeout as wait } from 'node:timers/promises';
import {
  credentials,
  InterceptingCall,
  Metadata,
  status,
  type CallOptions,
  type ChannelCredentials,
  type ClientOptions,
  type ClientUnaryCall,
  type ClientWritableStream,
  type Interceptor,
  type ServiceError,
} from '@grpc/grpc-js';
import { z } from 'zod';
import { AppError, isErrorCode } from '../errors/errors.js';
import { currentRequestId, currentSpan, REQUEST_ID_HEADER } from '../logging/logger.js';
import { TRACEPARENT_HEADER } from '../tracing/tracing.js';
import type { ServiceCaller } from './service-token.js';
import {
  CODE_METADATA,
  FIELDS_METADATA,
  MAX_MESSAGE_BYTES,
  RETRY_AFTER_METADATA,
  SERVICE_TOKEN_METADATA,
  serviceOf,
} from './wire.js';

/** Holds the largest message, so that every unary call can be retried. */
const RETRY_BUFFER_BYTES = MAX_MESSAGE_BYTES + 64 * 1024;
const MAX_BUFFERED_CALLS = 64;

/**
 * Round robin over all addresses, resolved again when a connection ends. Retries last two seconds: names resolve at
 * most once a second, and all known servers may be gone. All methods are idempotent, so retries are safe.
 */
const channelOptions: ClientOptions = {
  'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
  'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 2_000,
  'grpc.dns_min_time_between_resolutions_ms': 1_000,
  'grpc.service_config': JSON.stringify({
    loadBalancingConfig: [{ round_robin: {} }],
    methodConfig: [
      {
        name: [{}],
        retryPolicy: {
          maxAttempts: 5,
          initialBackoff: '0.1s',
          maxBackoff: '1s',
          backoffMultiplier: 2.5,
          retryableStatusCodes: ['UNAVAILABLE'],
        },
      },
    ],
  }),
};

const KEEP_ALIVE_MS = 30_000;

const unaryOptions: ClientOptions = {
  'grpc.per_rpc_retry_buffer_size': RETRY_BUFFER_BYTES,
  'grpc.retry_buffer_size': MAX_BUFFERED_CALLS * RETRY_BUFFER_BYTES,
};

/** Dead servers are not detected without pings, so idle connections close. */
const streamOptions: ClientOptions = { 'grpc.client_idle_timeout_ms': 5_000 };

/**
 * Adds the caller's token; the audience is the gRPC service. Call credentials are fetched at each retry, metadata would
 * keep an expired token.
 */
const authenticateAs =
  (caller: ServiceCaller): Interceptor =>
  (options, nextCall) => {
    const audience = serviceOf(options.method_definition.path);
    const isLate = (): boolean => Number(options.deadline ?? Number.POSITIVE_INFINITY) <= Date.now();
    const tokens = credentials.createFromMetadataGenerator((_context, callback) => {
      caller.tokenFor(audience).then(
        (token) => {
          if (isLate()) {
            callback(signingError(status.DEADLINE_EXCEEDED, 'The call was not signed in time.'));
            return;
          }
          const metadata = new Metadata();
          metadata.set(SERVICE_TOKEN_METADATA, token);
          callback(null, metadata);
        },
        () => callback(signingError(status.INTERNAL, 'The call could not be signed.')),
      );
    });
    return new InterceptingCall(nextCall({ ...options, credentials: tokens }));
  };

const signingError = (code: status, message: string): Error => Object.assign(new Error(message), { code });

const observe =
  ({ metrics }: ServiceCaller): Interceptor =>
  (options, nextCall) => {
    const { path } = options.method_definition;
    const span = currentSpan()?.child(path, 'client', { 'rpc.system': 'grpc' });
    const begun = performance.now();
    return new InterceptingCall(nextCall(options), {
      start(metadata, listener, next) {
        if (span !== undefined) metadata.set(TRACEPARENT_HEADER, span.traceparent);
        next(metadata, {
          onReceiveStatus(result, nextStatus) {
            const isFault = isServerFault(result);
            metrics?.grpcClientDuration.observe(path, status[result.code], (performance.now() - begun) / 1000);
            if (isFault) metrics?.dependencyErrors.inc({ dependency: dependencyOf(path) });
            span?.end({
              attributes: { 'rpc.grpc.status_code': result.code },
              ...(isFault && { error: status[result.code] }),
            });
            nextStatus(result);
          },
        });
      },
    });
  };

/** `/najwa.auth.v1.AuthService/GetUser` → `auth` */
const dependencyOf = (path: string): string => path.split('.')[1] ?? 'unknown';

type ClientConstructor<Client> = new (
  address: string,
  credentials: ChannelCredentials,
  options?: ClientOptions,
) => Client;

export interface GrpcClientOptions {
  keepAliveMs?: number;
  /**
   * For calls that outlive a connection: grpc-js cannot ping a connection that its server is closing, and would end its
   * calls.
   * The channel does not ping, and `clientStream` watches each call.
   */
  isForStreams?: boolean;
}

/**
 * Client of a generated class. Not encrypted, which is up to the network; each call carries the service's token.
 * @param address `host:port`, balanced over all its addresses
 */
export const createGrpcClient = <Client>(
  Constructor: ClientConstructor<Client>,
  address: string,
  caller: ServiceCaller,
  { isForStreams = false, keepAliveMs = KEEP_ALIVE_MS }: GrpcClientOptions = {},
): Client =>
  new Constructor(address, credentials.createInsecure(), {
    ...channelOptions,
    ...(isForStreams ? streamOptions : { ...unaryOptions, 'grpc.keepalive_time_ms': keepAliveMs }),
    interceptors: [observe(caller), authenticateAs(caller)],
  });

type UnaryMethod<Request, Response> = (
  request: Request,
  metadata: Metadata,
  options: Partial<CallOptions>,
  callback: (error: ServiceError | null, response: Response) => void,
) => ClientUnaryCall;

const DEFAULT_DEADLINE_MS = 5_000;

/**
 * Promisifies a method, with deadline, request id and AppErrors.
 * @param deadlineMs including retries
 */
export function unary<Request, Response>(
  method: UnaryMethod<Request, Response>,
  deadlineMs = DEFAULT_DEADLINE_MS,
): (request: Request) => Promise<Response> {
  return (request) =>
    new Promise((resolve, reject) => {
      method(request, createMetadata(), { deadline: Date.now() + deadlineMs }, (error, response) => {
        if (error) reject(toUpstreamError(error));
        else resolve(response);
      });
    });
}

type ClientStreamingMethod<Request, Response> = (
  metadata: Metadata,
  options: Partial<CallOptions>,
  callback: (error: ServiceError | null, response: Response) => void,
) => ClientWritableStream<Request>;

/** Always end it with `finish` or `cancel`. */
export interface ClientStream<Request, Response> {
  /**
   * Resolves when more may be written; the first time, once a server has accepted the call.
   * @throws {AppError} the server's early error; `unavailable` if it stops reading
   */
  write(request: Request): Promise<void>;
  finish(): Promise<Response>;
  cancel(): void;
}

const STALL_MS = 30_000;

/** Longer than retries. Servers of the previous version do not confirm that they accepted a call. */
const LONGEST_TAKING_MS = 2_500;

/**
 * Promisifies a streaming method, with request id and AppErrors. No deadline while writing: uploads may be slow.
 * @param method of a client for streams
 * @param answerMs from the end of the stream to the response
 * @param stallMs maximum time without progress
 */
export function clientStream<Request, Response>(
  method: ClientStreamingMethod<Request, Response>,
  answerMs: number,
  stallMs = STALL_MS,
): () => ClientStream<Request, Response> {
  return () => {
    let isAnswered = false;
    let settle: (error: AppError | undefined, response?: Response) => void;
    const answer = new Promise<Response>((resolve, reject) => {
      settle = (error, response) => {
        isAnswered = true;
        if (error) reject(error);
        else resolve(response as Response);
      };
    });
    // Reported by `write` and `finish`. Avoids an unhandled rejection until then.
    answer.catch(() => undefined);
    const call = method(createMetadata(), {}, (error, response) =>
      settle(error === null ? undefined : toUpstreamError(error), response),
    );
    call.on('error', () => undefined);
    // An expiring connection refuses new calls. The channel retries them elsewhere, for which it needs all that was
    // written.
    const taken = Promise.race([
      new Promise((resolve) => call.once('metadata', resolve)),
      wait(LONGEST_TAKING_MS, undefined, { ref: false }),
    ]);

    const within = async <Result>(milliseconds: number, result: Promise<Result>): Promise<Result> => {
      const timer = setTimeout(() => {
        settle(unavailable(new Error('The server did not read or answer in time.')));
        call.cancel();
      }, milliseconds);
      try {
        return await result;
      } finally {
        clearTimeout(timer);
      }
    };

    return {
      async write(request) {
        const hasRoom = !isAnswered && call.write(request);
        const room = hasRoom || new Promise((resolve) => call.once('drain', resolve));
        await within(stallMs, Promise.race([Promise.all([room, taken]), answer]));
      },
      finish() {
        if (!isAnswered) call.end();
        return within(answerMs, answer);
      },
      cancel: () => call.cancel(),
    };
  };
}

function createMetadata(): Metadata {
  const metadata = new Metadata();
  const requestId = currentRequestId();
  if (requestId !== undefined) metadata.set(REQUEST_ID_HEADER, requestId);
  return metadata;
}

function toUpstreamError(error: ServiceError): AppError {
  const code = error.metadata.get(CODE_METADATA)[0]?.toString();
  if (isErrorCode(code) && code !== 'internal') {
    const retryAfter = Number(error.metadata.get(RETRY_AFTER_METADATA)[0]?.toString() ?? Number.NaN);
    const fields = fieldsOf(error.metadata.get(FIELDS_METADATA)[0]?.toString());
    return new AppError({
      code,
      message: error.details,
      cause: error,
      ...(fields && { fields }),
      ...(Number.isFinite(retryAfter) && { retryAfter }),
    });
  }
  return isUnavailable(error)
    ? unavailable(error)
    : new AppError({ code: 'internal', message: 'Something went wrong on our side.', cause: error });
}

const unavailable = (cause: Error): AppError =>
  new AppError({
    code: 'unavailable',
    message: 'The service is temporarily unavailable. Try again shortly.',
    retryAfter: 2,
    cause,
  });

const isUnavailable = ({ code, details }: Pick<ServiceError, 'code' | 'details'>): boolean =>
  code === status.UNAVAILABLE ||
  code === status.DEADLINE_EXCEEDED ||
  ((code === status.INTERNAL || code === status.CANCELLED || code === status.UNKNOWN) &&
    /RST_STREAM|^Call cancelled$/.test(details));

/** False if the server answered, or refused the call itself. */
const isServerFault = (result: Pick<ServiceError, 'code' | 'details'>): boolean =>
  result.code === status.INTERNAL || result.code === status.UNKNOWN || isUnavailable(result);

const fieldCodes = z.record(z.string(), z.string());

function fieldsOf(json: string | undefined): Record<string, string> | undefined {
  return json === undefined ? undefined : fieldCodes.parse(JSON.parse(json));
}
