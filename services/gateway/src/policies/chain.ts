import type { RequestHandler } from 'express';

/** Several handlers as one: each is called when the one before it lets the request pass. */
export function chain(handlers: readonly RequestHandler[]): RequestHandler {
  return handlers.reduceRight<RequestHandler>(
    (rest, handler) => (request, response, next) =>
      handler(request, response, (error?: unknown) => {
        if (error === undefined) rest(request, response, next);
        else next(error);
      }),
    (_request, _response, next) => next(),
  );
}
