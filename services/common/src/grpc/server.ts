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
import { AppError, toAppError } from '../errors.js';
import type { Logger } from '../logger.js';
import type { Metrics } from '../metrics.js';
import { REQUEST_ID_HEADER, withRequestId } from '../request-context.js';
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
 * The methods of a generated service definition (`typeof AuthServiceService`) as plain async functions of the request, or
 * of the requests as they arrive where the client streams. Reading them to the end is up to the function: what it
 * throws before is the answer, and a client that leaves makes the reading throw.
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
  callers: CallerVerifier;
}

export interface GrpcServer {
  /** Adds a service; errors become a status with our code in the metadata. */
  add<Definition extends ServiceDefinition>(definition: Definition, handlers: UnaryHandlers<Definition>): void;
  /** @returns the port, which the system chooses when it was 0. */
  listen(): Promise<number>;
  /** Refuses new calls and lets those in flight finish. */
  close(): Promise<void>;
}

/** Of a request, or of a stream of them, as the definition says. */
type Handler = (request: never) => Promise<unknown>;

const CLOSE_DEADLINE_MS = 5_000;

export function createGrpcServer({ host, port, logger, metrics, callers }: GrpcServerOptions): GrpcServer {
  const server = new Server({
    'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
    'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
  });

  /** @returns the status with which a call is refused, or undefined for a caller that may make it */
  const refusalOf = async (path: string, sent: Metadata): Promise<status | undefined> => {
    try {
      const caller = await callers.verify(sent.get(SERVICE_TOKEN_METADATA)[0]?.toString(), serviceOf(path));
      if (CALLERS_BY_PATH.get(path)?.includes(caller)) return undefined;
      logger.warn({ method: path, caller }, 'call refused: this caller may not make it');
      return status.PERMISSION_DENIED;
    } catch (error) {
      logger.warn({ err: error, method: path }, 'call refused: no valid service token');
      return status.UNAUTHENTICATED;
    }
  };

  const answer = (
    path: string,
    sent: Metadata,
    handle: () => Promise<unknown>,
    callback: sendUnaryData<unknown>,
  ): void => {
    const requestId = sent.get(REQUEST_ID_HEADER)[0]?.toString();
    void withRequestId(requestId, async () => {
      const stopTimer = metrics.grpcDuration.startTimer({ method: path });
      const refusal = await refusalOf(path, sent);
      if (refusal !== undefined) {
        stopTimer({ status: status[refusal] });
        // Without an error code of ours: the refusal is about the calling service, and no answer for its user.
        callback({ code: refusal, details: 'This service may not make this call.' });
        return;
      }
      try {
        const response = await handle();
        stopTimer({ status: status[status.OK] });
        callback(null, response);
      } catch (error) {
        const appError = toAppError(error);
        if (appError.httpStatus >= 500) logger.error({ err: error, method: path }, 'call failed');
        stopTimer({ status: status[appError.grpcStatus] });
        callback({ code: appError.grpcStatus, details: appError.message, metadata: metadataOf(appError) });
      }
    });
  };

  const adaptUnary =
    (path: string, handler: Handler): handleUnaryCall<unknown, unknown> =>
    (call, callback) =>
      answer(path, call.metadata, () => handler(call.request as never), callback);

  const adaptClientStream =
    (path: string, handler: Handler): handleClientStreamingCall<unknown, unknown> =>
    (call, callback) => {
      const handle = async (): Promise<unknown> => {
        try {
          return await handler(call as never);
        } catch (error) {
          // Its own fault or will, and nothing to answer: whoever called is gone.
          if (call.cancelled)
            throw new AppError({ code: 'malformed', message: 'The call ended before it was whole.', cause: error });
          throw error;
        }
      };
      answer(path, call.metadata, handle, callback);
    };

  return {
    add(definition, handlers) {
      const methods: UntypedServiceImplementation = {};
      for (const [name, handler] of Object.entries<Handler>(handlers)) {
        const { path = name, requestStream = false } = definition[name] ?? {};
        methods[name] = requestStream ? adaptClientStream(path, handler) : adaptUnary(path, handler);
      }
      server.addService(definition, methods);
    },
    listen: () =>
      new Promise((resolve, reject) => {
        server.bindAsync(`${host}:${port}`, ServerCredentials.createInsecure(), (error, bound) => {
          if (error) reject(error);
          else resolve(bound);
        });
      }),
    close: () =>
      new Promise((resolve) => {
        const deadline = setTimeout(() => {
          server.forceShutdown();
          resolve();
        }, CLOSE_DEADLINE_MS);
        server.tryShutdown(() => {
          clearTimeout(deadline);
          resolve();
        });
      }),
  };
}

function metadataOf({ code, fields, retryAfter }: AppError): Metadata {
  const metadata = new Metadata();
  metadata.set(CODE_METADATA, code);
  if (fields !== undefined) metadata.set(FIELDS_METADATA, JSON.stringify(fields));
  // A server that answers has waited for what is away already. Its caller's channel tries again only where none answers.
  metadata.set(RETRY_PUSHBACK_METADATA, '-1');
  if (retryAfter !== undefined) metadata.set(RETRY_AFTER_METADATA, String(retryAfter));
  return metadata;
}
