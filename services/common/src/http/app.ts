import type { OperationId } from '@najwa/proto/http';
import express, { type Express, type Router } from 'express';
import { IDENTITY_HEADER, type Identity, type IdentityVerifier } from '../identity/identity.js';
import type { Health } from '../service/health.js';
import type { Metrics } from '../metrics/metrics.js';
import { AppError } from '../errors/errors.js';
import { REQUEST_ID_HEADER, withRequestId, type Logger } from '../logging/logger.js';
import type { Span } from '../tracing/span.js';
import { NO_TRACING, TRACEPARENT_HEADER, type Tracing } from '../tracing/tracing.js';
import { errorHandler, notFoundHandler } from './errors.js';

export interface HttpAppOptions {
  logger: Logger;
  metrics: Metrics;
  tracing?: Tracing;
  health: Health;
  identities: IdentityVerifier;
  routes: Router;
}

/** The client disconnected before its answer, as in nginx. */
export const CLIENT_GONE = 499;

interface Locals {
  identity: Identity;
  operation?: OperationId;
  span?: Span | undefined;
}

const localsOf = (response: { locals: Record<string, unknown> }): Locals => response.locals as unknown as Locals;

/** Only after the identity step of `createHttpApp`. */
export function identityOf(response: { locals: Record<string, unknown> }): Identity {
  return localsOf(response).identity;
}

export function noteOperation(response: { locals: Record<string, unknown> }, operation: OperationId): void {
  localsOf(response).operation = operation;
}

/** Order: health and metrics, request id and trace, timing, identity, routes, errors. */
export function createHttpApp({
  logger,
  metrics,
  tracing = NO_TRACING,
  health,
  identities,
  routes,
}: HttpAppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  // The gateway's cache handles ETags.
  app.disable('etag');
  app.set('query parser', 'simple');

  app.get('/health/live', (_request, response) => void response.json({ live: true }));
  app.get('/health/ready', async (_request, response) => {
    const readiness = await health.readiness();
    response.status(readiness.ready ? 200 : 503).json(readiness);
  });
  app.get('/metrics', async (_request, response) => {
    response.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });

  app.use((request, response, next) => {
    const span = tracing.resume(request.get(TRACEPARENT_HEADER), 'request', 'server', {
      'http.request.method': request.method,
    });
    localsOf(response).span = span;
    withRequestId(request.get(REQUEST_ID_HEADER), next, span);
  });
  app.use((_request, response, next) => {
    const start = performance.now();
    response.on('close', () => {
      const { operation = 'none', span } = localsOf(response);
      const status = response.writableFinished ? response.statusCode : CLIENT_GONE;
      metrics.httpDuration.observe(operation, status, (performance.now() - start) / 1000);
      span?.end({
        name: operation,
        attributes: { 'najwa.operation': operation, 'http.response.status_code': status },
        ...(status >= 500 && { error: String(status) }),
      });
    });
    next();
  });
  app.use((request, _response, next) => {
    // Express would answer OPTIONS as plain text.
    if (request.method === 'OPTIONS')
      throw new AppError({ code: 'method_not_allowed', message: 'This path does not support the method.' });
    next();
  });
  app.use(async (request, response, next) => {
    response.locals['identity'] = await identities.verify(request.get(IDENTITY_HEADER));
    response.set('Cache-Control', 'no-store');
    next();
  });
  app.use(routes);
  app.use(notFoundHandler);
  app.use(errorHandler(logger));
  return app;
}
