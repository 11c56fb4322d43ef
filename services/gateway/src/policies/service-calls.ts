import { createHash } from 'node:crypto';
import { AppError, isErrorCode, toErrorBody, type ErrorCode } from '@najwa/common/errors';
import { FORWARDED_HOST_HEADER } from '@najwa/common/http';
import { IDENTITY_HEADER } from '@najwa/common/identity';
import { REQUEST_ID_HEADER } from '@najwa/common/logging';
import type { TrackingMode } from '@najwa/common/retention';
import type { ApiService } from '@najwa/proto/http/client';
import type { Request } from 'express';
import { z } from 'zod';
import { wholeBody, type Upstreams, type WholeAnswer } from '../clients/upstreams.js';
import { headersForService } from '../domain/headers.js';
import { callerOf, type Exchange } from '../exchange.js';
import type { ServiceError } from '../rendering/index.js';

export interface ServiceCall {
  method: string;
  path: string;
  own?: Record<string, string>;
  json?: object;
  identityToken?: string;
}

export interface ServiceCallDeps {
  upstreams: Pick<Upstreams, 'request'>;
  tracking: TrackingMode;
}

/** API calls on behalf of a form, with the caller's identity, address and browser. */
export const createServiceCalls =
  ({ upstreams, tracking }: ServiceCallDeps, service: ApiService) =>
  async (request: Request, exchange: Exchange, { method, path, own, json, ...caller }: ServiceCall) => {
    const { requestId, origin, span } = exchange;
    const { identityToken = exchange.identityToken ?? '' } = caller;
    const headers = headersForService(request.headers, tracking);
    delete headers['content-type'];
    Object.assign(headers, json && { 'content-type': 'application/json' }, own, {
      [REQUEST_ID_HEADER]: requestId,
      [FORWARDED_HOST_HEADER]: origin.host,
      [IDENTITY_HEADER]: identityToken,
    });
    const step = span?.child(service, 'client', { 'http.request.method': method });
    const answer = await upstreams.request(service, {
      method,
      path,
      headers,
      caller: callerOf(exchange),
      step,
      ...(json && { body: Buffer.from(JSON.stringify(json)) }),
    });
    return { ...answer, body: await wholeBody(answer.body) };
  };

/** Length-prefixed, so that different lists never collide. */
export function sha256(...parts: string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:${part}`);
  return hash.digest('base64url');
}

/** Browsers send CRLF in forms. */
export const withPlainBreaks = (text: string): string => text.replace(/\r\n?/g, '\n');

const errorBody = z.object({
  code: z.custom<ErrorCode>((code) => typeof code === 'string' && isErrorCode(code)),
  message: z.string(),
  fields: z.record(z.string(), z.string()).optional(),
  minimumDays: z.number().optional(),
  maxBytes: z.number().optional(),
});

/** Drops the proof of work, which needs scripts. */
export function errorOf({ headers, body }: WholeAnswer): AppError {
  const retryAfter = Number(headers['retry-after'] ?? Number.NaN);
  const { code, message, fields, minimumDays, maxBytes } = errorBody.parse(JSON.parse(body.toString('utf8')));
  return new AppError({
    code,
    message,
    ...(fields && { fields }),
    ...(minimumDays !== undefined && { minimumDays }),
    ...(maxBytes !== undefined && { maxBytes }),
    ...(Number.isFinite(retryAfter) && { retryAfter }),
  });
}

export const toServiceError = (error: AppError): ServiceError => ({
  ...toErrorBody(error),
  status: error.httpStatus,
  retryAfter: error.retryAfter ?? null,
});
