import type { IncomingMessage } from 'node:http';
import { AppError } from '../errors.js';
import { withMinimumRate } from '../minimum-rate.js';

/** Read of a refused body, so that its client can read the refusal, before the connection is closed. */
const MAX_DISCARDED_BYTES = 16 * 1024 * 1024;

/**
 * Hands on a body as it arrives. When `take` refuses, the answer does not wait for the rest, which is read and discarded.
 * @param take may return a promise, until which nothing more is read
 * @throws {AppError} `request_timeout`, `malformed` for a body that does not arrive whole, and whatever `take` throws
 */
export function readChunks(request: IncomingMessage, take: (chunk: Buffer) => Promise<void> | void): Promise<void> {
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
    // Once it is answered, node no longer tells a request that its connection is gone.
    const { socket } = request;
    const onClosed = () => request.destroy();
    socket.once('close', onClosed);
    read()
      .finally(() => socket.off('close', onClosed))
      .then(resolve, (error: unknown) => {
        reject(
          error instanceof AppError
            ? error
            : new AppError({ code: 'malformed', message: 'The request ended before it was whole.', cause: error }),
        );
      });
  });
}
