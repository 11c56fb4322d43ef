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
import { currentRequestId, currentSpan, REQUEST_ID_HEADER } from '../logging/request-context.js';
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

/** Room for the largest message, so that every unary call can be retried. Its caller holds the message anyway. */
const RETRY_BUFFER_BYTES = MAX_MESSAGE_BYTES + 64 * 1024;
const MAX_BUFFERED_CALLS = 64;

/**
 * Channel options. The channel connects to every address of the name and takes them in turn. It looks the name up again
 * whenever a connection ends, which servers cause now and then. It retries a call if its server is unavailable: for two
 * seconds, since a name is looked up once a second at most, and all known servers may be gone by then. Retries are safe
 * because all methods are idempotent: they only read, or store under a key chosen by the caller.
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

/** Pings find servers that vanished. */
const KEEP_ALIVE_MS = 30_000;

const unaryOptions: ClientOptions = {
  'grpc.per_rpc_retry_buffer_size': RETRY_BUFFER_BYTES,
  'grpc.retry_buffer_size': MAX_BUFFERED_CALLS * RETRY_BUFFER_BYTES,
};

/** Without pings, nobody would notice for minutes that a server vanished. So connections without a stream are closed. */
const streamOptions: ClientOptions = { 'grpc.client_idle_timeout_ms': 5_000 };

/**
 * Adds the caller's token to each call. The audience is the gRPC service, the first part of the method path. Call
 * credentials are asked for at each try, while metadata of a call would still hold the first token at a late retry.
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

/** Measures each call, and makes it a step of the trace. */
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
   * For calls that take longer than a connection lives. grpc-js cannot ping on a connection that its server has begun to
   * close, takes that for a fault, and ends the calls that are still running on it. So the channel does not ping, and
   * `clientStream` watches each call.
   */
  isForStreams?: boolean;
}

/**
 * Creates a client of a generated class such as `AuthServiceClient`. Calls are not encrypted: that is the job of the
 * platform's network. Each call carries a token that identifies the calling service.
 * @param address `host:port`; a host name with several addresses is balanced over all of them
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
 * Turns a generated client's method into an async function with a deadline, the request id, and AppErrors.
 * @param method bound to its client
 * @param deadlineMs for the whole call, including retries
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

/** A client-streaming call. Always end it with `finish` or `cancel`. */
export interface ClientStream<Request, Response> {
  /**
   * Resolves when more data may be written; after the first, once a server has taken the call.
   * @throws {AppError} if the server answered with an error early; `unavailable` if it reads nothing for a while
   */
  write(request: Request): Promise<void>;
  /** @returns the response to the whole stream */
  finish(): Promise<Response>;
  /** Cancels the call. No effect after the server has answered. */
  cancel(): void;
}

const STALL_MS = 30_000;

/** Longer than retries. Servers of the version before do not say that they have taken a call. */
const LONGEST_TAKING_MS = 2_500;

/**
 * Turns a generated client's streaming method into a function that starts a call with the request id and AppErrors. It
 * has no deadline while it is written, since a person on a slow line may upload for long.
 * @param method bound to a client for streams
 * @param answerMs from the end of the stream to the response
 * @param stallMs for which the server may read nothing
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
    // `write` and `finish` report this rejection. The empty handler avoids an unhandled rejection until then.
    answer.catch(() => undefined);
    const call = method(createMetadata(), {}, (error, response) =>
      settle(error === null ? undefined : toUpstreamError(error), response),
    );
    // The response carries the error.
    call.on('error', () => undefined);
    // A connection at the end of its age refuses calls that have just begun. The channel begins them anew on another one, for
    // which it must still have all that was written.
    const taken = Promise.race([
      new Promise((resolve) => call.once('metadata', resolve)),
      wait(LONGEST_TAKING_MS, undefined, { ref: false }),
    ]);

    /** Gives the call up if nothing comes of it in time. */
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

/** True if no server responded, or the server disconnected during the call. */
const isUnavailable = ({ code, details }: Pick<ServiceError, 'code' | 'details'>): boolean =>
  code === status.UNAVAILABLE ||
  code === status.DEADLINE_EXCEEDED ||
  ((code === status.INTERNAL || code === status.CANCELLED || code === status.UNKNOWN) &&
    details.includes('RST_STREAM'));

/** True unless the server answered, or refused the call for a reason that lies in the call. */
const isServerFault = (result: Pick<ServiceError, 'code' | 'details'>): boolean =>
  result.code === status.INTERNAL || result.code === status.UNKNOWN || isUnavailable(result);

const fieldCodes = z.record(z.string(), z.string());

function fieldsOf(json: string | undefined): Record<string, string> | undefined {
  return json === undefined ? undefined : fieldCodes.parse(JSON.parse(json));
}
