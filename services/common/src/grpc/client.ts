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
import { currentRequestId, REQUEST_ID_HEADER } from '../request-context.js';
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
 * Options of every channel. When its server is unavailable, the channel itself repeats a call. That is safe since all our
 * methods are idempotent: they read, or store under a key that the caller chose.
 */
const channelOptions: ClientOptions = {
  'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
  'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
  'grpc.keepalive_time_ms': 30_000,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 2_000,
  'grpc.service_config': JSON.stringify({
    methodConfig: [
      {
        name: [{}],
        retryPolicy: {
          maxAttempts: 4,
          initialBackoff: '0.1s',
          maxBackoff: '1s',
          backoffMultiplier: 2,
          retryableStatusCodes: ['UNAVAILABLE'],
        },
      },
    ],
  }),
};

/** Adds the caller's token to each call. The audience is the gRPC service, the first part of the method's path. */
const authenticateAs =
  (caller: ServiceCaller): Interceptor =>
  (options, nextCall) =>
    new InterceptingCall(nextCall(options), {
      start(metadata, listener, next) {
        caller.tokenFor(serviceOf(options.method_definition.path)).then(
          (token) => {
            metadata.set(SERVICE_TOKEN_METADATA, token);
            next(metadata, listener);
          },
          () =>
            listener.onReceiveStatus({
              code: status.INTERNAL,
              details: 'The call could not be signed.',
              metadata: new Metadata(),
            }),
        );
      },
    });

type ClientConstructor<Client> = new (
  address: string,
  credentials: ChannelCredentials,
  options?: ClientOptions,
) => Client;

/**
 * Makes a client of a generated class such as `AuthServiceClient`. Calls are not encrypted: the network is for the platform to
 * protect. Each carries a token that says which service calls.
 * @param address `host:port`
 */
export const createGrpcClient = <Client>(
  Constructor: ClientConstructor<Client>,
  address: string,
  caller: ServiceCaller,
): Client =>
  new Constructor(address, credentials.createInsecure(), { ...channelOptions, interceptors: [authenticateAs(caller)] });

type UnaryMethod<Request, Response> = (
  request: Request,
  metadata: Metadata,
  options: Partial<CallOptions>,
  callback: (error: ServiceError | null, response: Response) => void,
) => ClientUnaryCall;

const DEFAULT_DEADLINE_MS = 5_000;

/**
 * Makes an async function of a generated client's method, with a deadline, the request id, and errors as AppError.
 * @param method bound to its client
 * @param deadlineMs for the whole call, tries included
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

/** A call whose request is sent piece by piece. Whoever begins one ends it: by `finish` or by `cancel`. */
export interface ClientStream<Request, Response> {
  /** Resolves when there is room for more. @throws {AppError} the answer, where it came before the last piece */
  write(request: Request): Promise<void>;
  /** @returns the answer to all that was written */
  finish(): Promise<Response>;
  /** Tells the server that nothing more will come and no answer is wanted. Of no effect once it has answered. */
  cancel(): void;
}

/**
 * Makes a function of a generated client's streaming method, that begins a call with a deadline, the request id, and errors
 * as AppError.
 * @param method bound to its client
 * @param deadlineMs from the first piece to the answer
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
    // Whoever writes or finishes hears of it; until one of them does, it is nobody's.
    answer.catch(() => undefined);
    const call = method(createMetadata(), { deadline: Date.now() + deadlineMs }, (error, response) =>
      settle(error, response),
    );
    // The answer says what went wrong.
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
        message: 'The service cannot answer just now. Try again shortly.',
        retryAfter: 2,
        cause: error,
      })
    : new AppError({ code: 'internal', message: 'Something went wrong on our side.', cause: error });
}

/** Whether no server answered, or the one that worked on the call went away in the middle. */
const isUnavailable = ({ code, details }: ServiceError): boolean =>
  code === status.UNAVAILABLE ||
  code === status.DEADLINE_EXCEEDED ||
  ((code === status.INTERNAL || code === status.CANCELLED || code === status.UNKNOWN) &&
    details.includes('RST_STREAM'));

const fieldCodes = z.record(z.string(), z.string());

function fieldsOf(json: string | undefined): Record<string, string> | undefined {
  return json === undefined ? undefined : fieldCodes.parse(JSON.parse(json));
}
