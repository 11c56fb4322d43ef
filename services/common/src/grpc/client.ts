import { credentials, Metadata, status, type CallOptions, type ChannelOptions, type ClientUnaryCall, type ServiceError } from '@grpc/grpc-js';
import { AppError, isErrorCode } from '../errors.js';
import { currentRequestId, REQUEST_ID_HEADER } from '../request-context.js';
import { CODE_METADATA, MAX_MESSAGE_BYTES, RETRY_AFTER_METADATA } from './wire.js';

/** Channel credentials inside the cluster, where the network policy says who may connect. */
export const channelCredentials = credentials.createInsecure();

/**
 * Options of every channel. A call that found its server away is tried again by the channel itself, which is safe
 * since all our methods may be repeated: they read, or store under a key that the caller chose.
 */
export const channelOptions: ChannelOptions = {
  'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
  'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
  'grpc.keepalive_time_ms': 30_000,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 2_000,
  'grpc.service_config': JSON.stringify({
    methodConfig: [
      {
        name: [{}],
        retryPolicy: { maxAttempts: 4, initialBackoff: '0.1s', maxBackoff: '1s', backoffMultiplier: 2, retryableStatusCodes: ['UNAVAILABLE'] },
      },
    ],
  }),
};

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
export function unary<Request, Response>(method: UnaryMethod<Request, Response>, deadlineMs = DEFAULT_DEADLINE_MS): (request: Request) => Promise<Response> {
  return (request) =>
    new Promise((resolve, reject) => {
      const metadata = new Metadata();
      const requestId = currentRequestId();
      if (requestId !== undefined) metadata.set(REQUEST_ID_HEADER, requestId);
      method(request, metadata, { deadline: Date.now() + deadlineMs }, (error, response) => {
        if (error) reject(toUpstreamError(error));
        else resolve(response);
      });
    });
}

function toUpstreamError(error: ServiceError): AppError {
  const code = error.metadata.get(CODE_METADATA)[0]?.toString();
  if (isErrorCode(code) && code !== 'internal') {
    const retryAfter = Number(error.metadata.get(RETRY_AFTER_METADATA)[0]?.toString() ?? Number.NaN);
    return new AppError({ code, message: error.details, cause: error, ...(Number.isFinite(retryAfter) && { retryAfter }) });
  }
  const away = error.code === status.UNAVAILABLE || error.code === status.DEADLINE_EXCEEDED;
  return away
    ? new AppError({ code: 'unavailable', message: 'The service cannot answer just now. Try again shortly.', retryAfter: 2, cause: error })
    : new AppError({ code: 'internal', message: 'Something went wrong on our side.', cause: error });
}
