import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Logger } from '@najwa/common/logging';
import type { Response } from 'express';

/** No body for HEAD. */
export async function sendBody(body: Readable | undefined, response: Response, logger: Logger): Promise<void> {
  if (body === undefined) {
    response.end();
    return;
  }
  // The status is sent; usually the client disconnected.
  await pipeline(body, response).catch((error: unknown) => logger.debug({ err: error }, 'file not sent to its end'));
}
