import {
  Metadata,
  Server,
  ServerCredentials,
  status,
  type handleClientStreamingCall,
  type handleUnaryCall,
  type sendUnaryData,
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { errors } from 'jose';
import { AppError, toAppError } from '../errors/errors.js';
import type { Metrics } from '../metrics/metrics.js';
import { REQUEST_ID_HEADER, withRequestId, type Logger } from '../logging/logger.js';
import { NO_TRACING, TRACEPARENT_HEADER, type Tracing } from '../tracing/tracing.js';
import { CALLERS_BY_PATH } from './access.js';
import type { CallerVerifier } from './service-token.js';
import {
  CODE_METADATA,
  FIELDS_METADATA,
  MAX_MESSAGE_BYTES,
  RETRY_AFTER_METADATA,
  RETRY_PUSHBACK_METADATA,
  SERVICE_TOKEN_METADATA,
  serviceOf,
} from './wire.js';

/**
 * Async handlers of a generated definition such as `typeof AuthServiceService`. Client streams are async iterables,
 * which throw if the client disconnects; an error thrown before their end is the response.
 */
export type UnaryHandlers<Definition> = {
  [Method in keyof Definition]: Definition[Method] extends {
    requestStream: infer Streams;
    responseStream: false;
    requestDeserialize: (bytes: Buffer) => infer Request;
    responseDeserialize: (bytes: Buffer) => infer Response;
  }
    ? (request: Streams extends true ? AsyncIterable<Request> : Request) => Promise<Response>
    : never;
};

export interface GrpcServerOptions {
  host: string;
  port: number;
  logger: Logger;
  metrics: Metrics;
  tracing?: Tracing;
  callers: CallerVerifier;
  maxConnectionAgeMs?: number;
}

type Handler = (request: never) => Promise<unknown>;

const CLOSE_DEADLINE_MS = 5_000;

/** grpc-js would answer an undecodable request with INTERNAL, before authentication. */
const UNREADABLE = Symbol('unreadable');

function orUnreadable(deserialize: (bytes: Buffer) => unknown): (bytes: Buffer) => unknown {
  return (bytes) => {
    try {
      return deserialize(bytes);
    } catch {
      return UNREADABLE;
    }
  };
}

function readable(request: unknown): never {
  if (request === UNREADABLE)
    throw new AppError({ code: 'malformed', message: 'A message of the call is unreadable.' });
  return request as never;
}

async function* readableEach(requests: AsyncIterable<unknown>): AsyncGenerator<never> {
  for await (const request of requests) yield readable(request);
}

const SERVER_FAULTS = new Set([status.INTERNAL, status.UNKNOWN, status.UNAVAILABLE, status.DEADLINE_EXCEEDED]);

/** Clients resolve names only when a connection ends. Calls in progress finish on the old one. */
const MAX_CONNECTION_AGE_MS = 30_000;

export class GrpcServer {
  readonly #options;
  readonly #server;

  constructor({ maxConnectionAgeMs = MAX_CONNECTION_AGE_MS, ...options }: GrpcServerOptions) {
    this.#options = { tracing: NO_TRACING, ...options };
    this.#server = new Server({
      'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
      'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
      'grpc.max_connection_age_ms': maxConnectionAgeMs,
    });
  }

  add<Definition extends ServiceDefinition>(definition: Definition, handlers: UnaryHandlers<Definition>): void {
    const methods: UntypedServiceImplementation = {};
    for (const [name, handler] of Object.entries<Handler>(handlers)) {
      const { path = name, requestStream = false } = definition[name] ?? {};
      methods[name] = requestStream ? this.#adaptClientStream(path, handler) : this.#adaptUnary(path, handler);
    }
    const tolerant = Object.entries<ServiceDefinition[string]>(definition).map(([name, method]) => [
      name,
      { ...method, requestDeserialize: orUnreadable(method.requestDeserialize) },
    ]);
    this.#server.addService(Object.fromEntries(tolerant) as ServiceDefinition, methods);
  }
  /** @returns the port; the system chooses one for port 0 */
  listen(): Promise<number> {
    const { host, port } = this.#options;
    return new Promise((resolve, reject) => {
      this.#server.bindAsync(`${host}:${port}`, ServerCredentials.createInsecure(), (error, bound) => {
        if (error) reject(error);
        else resolve(bound);
      });
    });
  }
  /** Refuses new calls. Cuts off calls in progress after `deadlineMs`. */
  close(deadlineMs = CLOSE_DEADLINE_MS): Promise<void> {
    return new Promise((resolve) => {
      const deadline = setTimeout(() => {
        this.#server.forceShutdown();
        resolve();
      }, deadlineMs);
      this.#server.tryShutdown(() => {
        clearTimeout(deadline);
        resolve();
      });
    });
  }

  #adaptUnary(path: string, handler: Handler): handleUnaryCall<unknown, unknown> {
    return (call, callback) => this.#answer(path, call.metadata, () => handler(readable(call.request)), callback);
  }
  #adaptClientStream(path: string, handler: Handler): handleClientStreamingCall<unknown, unknown> {
    return (call, callback) => {
      const handle = async (): Promise<unknown> => {
        // The client waits for this before it sends the rest.
        call.sendMetadata(new Metadata());
        try {
          return await handler(readableEach(call) as never);
        } catch (error) {
          if (call.cancelled) throw new AppError({ code: 'malformed', message: 'The call ended early.', cause: error });
          throw error;
        }
      };
      this.#answer(path, call.metadata, handle, callback);
    };
  }
  #answer(path: string, sent: Metadata, handle: () => Promise<unknown>, callback: sendUnaryData<unknown>): void {
    const { logger, metrics, tracing } = this.#options;
    const requestId = sent.get(REQUEST_ID_HEADER)[0]?.toString();
    const span = tracing.resume(sent.get(TRACEPARENT_HEADER)[0]?.toString(), path, 'server', { 'rpc.system': 'grpc' });
    const start = performance.now();
    const finish = (code: status): void => {
      metrics.grpcServerDuration.observe(path, status[code], (performance.now() - start) / 1000);
      span?.end({
        attributes: { 'rpc.grpc.status_code': code },
        ...(SERVER_FAULTS.has(code) && { error: status[code] }),
      });
    };
    const run = async (): Promise<void> => {
      const refusal = await this.#refusalOf(path, sent);
      if (refusal !== undefined) {
        finish(refusal);
        // No AppError code: it concerns the calling service, not its user.
        callback({ code: refusal, details: 'This service may not make this call.' });
        return;
      }
      try {
        const response = await handle();
        finish(status.OK);
        callback(null, response);
      } catch (error) {
        const appError = toAppError(error);
        if (appError.httpStatus >= 500) logger.error({ err: error, method: path }, 'call failed');
        finish(appError.grpcStatus);
        callback({ code: appError.grpcStatus, details: appError.message, metadata: metadataOf(appError) });
      }
    };
    void withRequestId(requestId, run, span);
  }
  async #refusalOf(path: string, sent: Metadata): Promise<status | undefined> {
    const { callers, logger } = this.#options;
    try {
      const caller = await callers.verify(sent.get(SERVICE_TOKEN_METADATA)[0]?.toString(), serviceOf(path));
      if (CALLERS_BY_PATH.get(path)?.includes(caller)) return undefined;
      logger.warn({ method: path, caller }, 'call refused: caller not allowed');
      return status.PERMISSION_DENIED;
    } catch (error) {
      logger.warn({ err: error, method: path }, 'call refused: no valid service token');
      // The caller's clock is slow, or the call was delayed: worth a retry.
      return error instanceof errors.JWTExpired ? status.UNAVAILABLE : status.UNAUTHENTICATED;
    }
  }
}

function metadataOf({ code, fields, retryAfter }: AppError): Metadata {
  const metadata = new Metadata();
  metadata.set(CODE_METADATA, code);
  if (fields !== undefined) metadata.set(FIELDS_METADATA, JSON.stringify(fields));
  // No retries: this server has waited for its dependencies. Channels still retry if no server responds.
  metadata.set(RETRY_PUSHBACK_METADATA, '-1');
  if (retryAfter !== undefined) metadata.set(RETRY_AFTER_METADATA, String(retryAfter));
  return metadata;
}
