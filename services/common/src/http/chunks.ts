import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { AppError } from '../errors.js';
import { withMinimumRate } from '../arrival.js';

/** Bytes to read from a refused body before closing the connection, so that the client can read the error. */
const MAX_DISCARDED_BYTES = 16 * 1024 * 1024;

/** A request, or its body alone. */
export type Body = Readable & { readonly socket?: Socket };

/**
 * Passes a body on as it arrives. If `take` throws, the error response is sent without waiting for the rest, which is
 * discarded.
 * @param take may return a promise; reading pauses until it resolves
 * @throws {AppError} `request_timeout`, `malformed` for an incomplete body, and errors thrown by `take`
 */
export function readChunks(request: Body, take: (chunk: Buffer) => Promise<void> | void): Promise<void> {
  return new Promise((resolve, reject) => {
    let isRefused = false;
    let discarded = 0;
    const read = async (): Promise<void> => {
      for await (const chunk of withMinimumRate<Buffer>(request.iterator({ destroyOnReturn: false }))) {
        if (isRefused) {
          discarded += chunk.length;
          if (discarded > MAX_DISCARDED_BYTES) request.destroy();
          continue;
        }
        try {
          await take(chunk);
        } catch (error) {
          isRefused = true;
          reject(error instanceof Error ? error : new Error('The body was refused.', { cause: error }));
        }
      }
    };
    // After the response, Node.js no longer emits connection errors on the request.
    const { socket } = request;
    const onClosed = () => request.destroy();
    socket?.once('close', onClosed);
    read()
      .finally(() => socket?.off('close', onClosed))
      .then(resolve, (error: unknown) => {
        reject(
          error instanceof AppError
            ? error
            : new AppError({ code: 'malformed', message: 'The request body is incomplete.', cause: error }),
        );
      });
  });
}
