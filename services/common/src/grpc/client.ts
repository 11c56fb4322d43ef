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
import { AppError, isErrorCode } from '../errors.js';
import { currentRequestId, currentSpan, REQUEST_ID_HEADER } from '../request-context.js';
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

/**
 * Channel options. The channel connects to every address of the name and takes them in turn. It looks the name up again
 * whenever a connection ends, which servers cause now and then. It retries a call if its server is unavailable: for two
 * seconds, since a name is looked up once a second at most, and all known servers may be gone by then. Retries are safe
 * because all methods are idempotent: they only read, or store under a key chosen by the caller.
 */
const channelOptions: ClientOptions = {
  'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
  'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
  'grpc.keepalive_time_ms': 30_000,
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

/**
 * A call whose deadline passes before it is started is never told so, and would wait for ever
 * (`ResolvingCall.outputStatus` of grpc-js 1.14). So signing has to end that much earlier.
 */
const START_MARGIN_MS = 5;

/** Adds the caller's token to each call. The audience is the gRPC service, the first part of the method path. */
const authenticateAs =
  (caller: ServiceCaller): Interceptor =>
  (options, nextCall) =>
    new InterceptingCall(nextCall(options), {
      start(metadata, listener, next) {
        let isOver = false;
        const end = (code: status, details: string): void => {
          if (isOver) return;
          isOver = true;
          listener.onReceiveStatus({ code, details, metadata: new Metadata() });
        };
        const left = Number(options.deadline ?? Number.POSITIVE_INFINITY) - Date.now() - START_MARGIN_MS;
        const late = (): void => end(status.DEADLINE_EXCEEDED, 'The call was not signed in time.');
        if (left <= 0) {
          process.nextTick(late);
          return;
        }
        const timer = Number.isFinite(left) ? setTimeout(late, left) : undefined;
        caller
          .tokenFor(serviceOf(options.method_definition.path))
          .then(
            (token) => {
              if (isOver) return;
              metadata.set(SERVICE_TOKEN_METADATA, token);
              next(metadata, listener);
            },
            () => end(status.INTERNAL, 'The call could not be signed.'),
          )
          .finally(() => clearTimeout(timer));
      },
    });

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

/**
 * Creates a client of a generated class such as `AuthServiceClient`. Calls are not encrypted: that is the job of the
 * platform's network. Each call carries a token that identifies the calling service.
 * @param address `host:port`; a host name with several addresses is balanced over all of them
 */
export const createGrpcClient = <Client>(
  Constructor: ClientConstructor<Client>,
  address: string,
  caller: ServiceCaller,
): Client =>
  new Constructor(address, credentials.createInsecure(), {
    ...channelOptions,
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
  /** Resolves when more data may be written. @throws {AppError} if the server answered with an error early */
  write(request: Request): Promise<void>;
  /** @returns the response to the whole stream */
  finish(): Promise<Response>;
  /** Cancels the call. No effect after the server has answered. */
  cancel(): void;
}

/**
 * Turns a generated client's streaming method into a function that starts a call with a deadline, the request id, and
 * AppErrors.
 * @param method bound to its client
 * @param deadlineMs from the first chunk to the response
 */
export function clientStream<Request, Response>(
  method: ClientStreamingMethod<Request, Response>,
  deadlineMs: number,
): () => ClientStream<Request, Response> {
  return () => {
    let isAnswered = false;
    let settle: (error: ServiceError | null, response: Response) => void;
    const answer = new Promise<Response>((resolve, reject) => {
      settle = (error, response) => {
        isAnswered = true;
        if (error) reject(toUpstreamError(error));
        else resolve(response);
      };
    });
    // `write` and `finish` report this rejection. The empty handler avoids an unhandled rejection until then.
    answer.catch(() => undefined);
    const call = method(createMetadata(), { deadline: Date.now() + deadlineMs }, (error, response) =>
      settle(error, response),
    );
    // The response carries the error.
    call.on('error', () => undefined);

    return {
      async write(request) {
        if (!isAnswered && call.write(request)) return;
        const room = new Promise((resolve) => call.once('drain', resolve));
        await Promise.race([room, answer]);
      },
      finish() {
        if (!isAnswered) call.end();
        return answer;
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
    ? new AppError({
        code: 'unavailable',
        message: 'The service is temporarily unavailable. Try again shortly.',
        retryAfter: 2,
        cause: error,
      })
    : new AppError({ code: 'internal', message: 'Something went wrong on our side.', cause: error });
}

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
