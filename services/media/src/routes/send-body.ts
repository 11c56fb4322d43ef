import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Logger } from '@najwa/common';
import type { Response } from 'express';

/** Headers with which a browser shows or plays an upload, and does nothing else with it. */
export const INERT_HEADERS = {
  'Content-Disposition': 'inline',
  'Content-Security-Policy': "default-src 'none'",
  'X-Content-Type-Options': 'nosniff',
};

/** Ends an answer with a body, or without one for HEAD. */
export async function sendBody(body: Readable | undefined, response: Response, logger: Logger): Promise<void> {
  if (body === undefined) {
    response.end();
    return;
  }
  // The status is sent already, and usually the client has closed the connection.
  await pipeline(body, response).catch((error: unknown) => logger.debug({ err: error }, 'file not sent to its end'));
}
