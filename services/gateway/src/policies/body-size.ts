import { AppError } from '@najwa/common';
import type { RequestHandler } from 'express';

/** More than the largest thing that any call takes: ten megabytes of sound, in a form. */
export const MAX_BODY_BYTES = 12 * 1024 * 1024;

/** Refuses what no service would take before a byte of it is passed on. Each service has its own, smaller bound. */
export function createBodySize(): RequestHandler {
  return (request, _response, next) => {
    if (Number(request.headers['content-length'] ?? 0) <= MAX_BODY_BYTES) next();
    else next(new AppError({ code: 'payload_too_large', message: 'The request is larger than any call takes.' }));
  };
}
