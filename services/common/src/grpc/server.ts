import {
  Metadata,
  Server,
  ServerCredentials,
  status,
  type handleUnaryCall,
  type ServiceDefinition,
  type ServerUnaryCall,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { toAppError } from '../errors.js';
import type { Logger } from '../logger.js';
import type { Metrics } from '../metrics.js';
import { REQUEST_ID_HEADER, withRequestId } from '../request-context.js';
import { CODE_METADATA, MAX_MESSAGE_BYTES, RETRY_AFTER_METADATA } from './wire.js';

/** The methods of a generated service definition (`typeof AuthServiceService`) as plain async functions of the request. */
export type UnaryHandlers<Definition> = {
  [Method in keyof Definition]: Definition[Method] extends {
    requestStream: false;
    responseStream: false;
    requestDeserialize: (bytes: Buffer) => infer Request;
    responseDeserialize: (bytes: Buffer) => infer Response;
  }
    ? (request: Request) => Promise<Response>
    : never;
};

export interface GrpcServerOptions {
  host: string;
  port: number;
  logger: Logger;
  metrics: Metrics;
}

export interface GrpcServer {
  /** Adds a service; errors become a status with our code in the metadata. */
  add<Definition extends ServiceDefinition>(definition: Definition, handlers: UnaryHandlers<Definition>): void;
  /** @returns the port, which the system chooses when it was 0. */
  listen(): Promise<number>;
  /** Refuses new calls and lets those in flight finish. */
  close(): Promise<void>;
}

const CLOSE_DEADLINE_MS = 5_000;

export function createGrpcServer({ host, port, logger, metrics }: GrpcServerOptions): GrpcServer {
  const server = new Server({ 'grpc.max_receive_message_length': MAX_MESSAGE_BYTES, 'grpc.max_send_message_length': MAX_MESSAGE_BYTES });

  const adapt = (path: string, handler: (request: unknown) => Promise<unknown>): handleUnaryCall<unknown, unknown> => {
    return (call: ServerUnaryCall<unknown, unknown>, callback) => {
      const requestId = call.metadata.get(REQUEST_ID_HEADER)[0]?.toString();
      void withRequestId(requestId, async () => {
        const stopTimer = metrics.grpcDuration.startTimer({ method: path });
        try {
          const response = await handler(call.request);
          stopTimer({ status: status[status.OK] });
          callback(null, response);
        } catch (error) {
          const appError = toAppError(error);
          if (appError.httpStatus >= 500) logger.error({ err: error, method: path }, 'call failed');
          stopTimer({ status: status[appError.grpcStatus] });
          const metadata = new Metadata();
          metadata.set(CODE_METADATA, appError.code);
          if (appError.retryAfter !== undefined) metadata.set(RETRY_AFTER_METADATA, String(appError.retryAfter));
          callback({ code: appError.grpcStatus, details: appError.message, metadata });
        }
      });
    };
  };

  return {
    add(definition, handlers) {
      const methods: UntypedServiceImplementation = {};
      for (const [name, handler] of Object.entries<(request: unknown) => Promise<unknown>>(handlers)) {
        methods[name] = adapt(definition[name]?.path ?? name, handler);
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
