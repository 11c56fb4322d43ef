import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Logger } from '@najwa/common/logging';
import type { Response } from 'express';

/** Finishes an answer with a body, or without one for HEAD. */
export async function sendBody(body: Readable | undefined, response: Response, logger: Logger): Promise<void> {
  if (body === undefined) {
    response.end();
    return;
  }
  // The status is already sent. Usually the client has closed the connection.
  await pipeline(body, response).catch((error: unknown) => logger.debug({ err: error }, 'file not sent to its end'));
}
