import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { AppError } from '../errors/errors.js';
import { withMinimumRate } from '../limits/arrival.js';

/** Read from a refused body, so that the client can read the error before the connection closes. */
const MAX_DISCARDED_BYTES = 16 * 1024 * 1024;

export type Body = Readable & { readonly socket?: Socket };

/**
 * Streams a body. If the reader stops early, the response is sent at once and the rest discarded.
 * @throws {AppError} `request_timeout`, `malformed` for an incomplete body
 */
export async function* readChunks(request: Body): AsyncGenerator<Buffer, void, undefined> {
  const chunks = withMinimumRate<Buffer>(request.iterator({ destroyOnReturn: false }));
  let isOver = false;
  try {
    for (;;) {
      const next = await chunks.next().catch((error: unknown) => {
        isOver = true;
        throw error instanceof AppError
          ? error
          : new AppError({ code: 'malformed', message: 'The request body is incomplete.', cause: error });
      });
      isOver = next.done === true;
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    if (!isOver) void discard(request, chunks);
  }
}

async function discard(request: Body, rest: AsyncIterable<Buffer>): Promise<void> {
  // Node.js emits no connection errors on a request after its response.
  const { socket } = request;
  const onClosed = () => request.destroy();
  socket?.once('close', onClosed);
  let discarded = 0;
  try {
    for await (const chunk of rest) {
      discarded += chunk.length;
      if (discarded > MAX_DISCARDED_BYTES) request.destroy();
    }
  } catch {
    // The refusal is already sent.
  } finally {
    socket?.off('close', onClosed);
  }
}
