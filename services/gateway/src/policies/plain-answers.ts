import { AppError } from '@najwa/common';
import type { RequestHandler } from 'express';

/** For pages: they are only read. */
export function createReadOnly(): RequestHandler {
  return (request, response, next) => {
    if (request.method === 'GET' || request.method === 'HEAD') {
      next();
      return;
    }
    response.setHeader('Allow', 'GET, HEAD');
    next(new AppError({ code: 'method_not_allowed', message: 'A page can only be read.' }));
  };
}

export function createNothingHere(): RequestHandler {
  return (_request, _response, next) =>
    next(new AppError({ code: 'not_found', message: 'There is nothing at this address.' }));
}
