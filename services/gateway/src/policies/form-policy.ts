import { AppError } from '@najwa/common/errors';
import type { Logger } from '@najwa/common/logging';
import type { Request, RequestHandler, Response } from 'express';
import type { Operation } from '../domain/operations.js';
import { isLargeBody } from '../domain/request-body.js';
import { exchangeOf, isGone, logIdsOf } from '../exchange.js';
import { isOwnOrigin } from './admission.js';
import { askAgain } from './identity.js';
import { isClientGone } from './upstream.js';

/** Takes the steps of an API call. */
export interface PageForm {
  operation: Operation | undefined;
  /** Sent once more if it has no cookie yet. */
  needsVisitor: boolean;
  submit: () => Promise<void>;
  /** Reads what the page of a refusal shows again. */
  keep?: () => Promise<unknown>;
  refuse: (error: AppError) => Promise<void>;
}

/** Sec-Fetch-Site or Origin of current browsers; "null" without a referrer. Others at least send a Referer. */
function isOwnForm({ headers }: Pick<Request, 'headers'>, host: string): boolean {
  const { origin, referer } = headers;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  if (origin !== undefined && origin !== 'null') return isOwnOrigin(origin, host);
  if (site === 'same-origin') return true;
  return origin === undefined && referer !== undefined && isOwnOrigin(referer, host);
}

export function createFormPolicy(
  formOf: (request: Request, response: Response) => PageForm | undefined,
  logger: Logger,
): Record<'accept' | 'answer', RequestHandler> {
  return {
    accept(request, response, next) {
      const { operation, needsVisitor, keep, refuse } = formOf(request, response) ?? {};
      if (operation === undefined || refuse === undefined) {
        next(new AppError({ code: 'not_found', message: 'Not found.' }));
        return;
      }
      const exchange = exchangeOf(response);
      exchange.operation = operation;
      exchange.endpoint = operation.id;
      if (!isOwnForm(request, exchange.origin.host)) {
        next(new AppError({ code: 'cross_site', message: 'This form did not come from our own pages.' }));
        return;
      }
      if (needsVisitor && askAgain(request, response)) return;
      exchange.answerError = async (error) => {
        if (!isLargeBody(request) && !request.readableDidRead) await keep?.().catch(() => undefined);
        await refuse(error);
      };
      next();
    },
    answer(request, response, next) {
      if (isGone(response)) return;
      formOf(request, response)
        ?.submit()
        .catch((error: unknown) => {
          if (isClientGone(error)) return;
          if (!(error instanceof AppError) || error.httpStatus >= 500)
            logger.warn({ err: error, ...logIdsOf(exchangeOf(response)) }, 'form not answered');
          next(error);
        });
    },
  };
}
