import express, { type Express, type Router } from 'express';
import { IDENTITY_HEADER, type Identity, type IdentityVerifier } from '../identity.js';
import type { Health } from '../health.js';
import type { Logger } from '../logger.js';
import type { Metrics } from '../metrics.js';
import { AppError } from '../errors.js';
import { REQUEST_ID_HEADER, withRequestId } from '../request-context.js';
import { errorHandler, notFoundHandler } from './errors.js';

export interface HttpAppOptions {
  logger: Logger;
  metrics: Metrics;
  health: Health;
  identities: IdentityVerifier;
  /** Routes of this service, with full /api paths. */
  routes: Router;
}

interface Locals {
  identity: Identity;
}

/** Identity of the caller. Only available after the identity step of `createHttpApp`. */
export function identityOf(response: { locals: Record<string, unknown> }): Identity {
  return (response.locals as unknown as Locals).identity;
}

/** Express application of a service. Order: health and metrics, request id, timing, identity, routes, errors. */
export function createHttpApp({ logger, metrics, health, identities, routes }: HttpAppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  // The gateway's cache handles ETags and conditional requests. Hashing each response here would be wasted.
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

  app.use((request, _response, next) => withRequestId(request.get(REQUEST_ID_HEADER), next));
  app.use((request, response, next) => {
    const stopTimer = metrics.httpDuration.startTimer();
    response.on('finish', () => {
      const route = (request.route as { path?: string } | undefined)?.path ?? 'none';
      stopTimer({ method: request.method, route, status: response.statusCode });
    });
    next();
  });
  app.use((request, _response, next) => {
    // Express would answer OPTIONS itself, as plain text.
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
