import express, { type Express, type RequestHandler, type Router } from 'express';
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
  /** The service's own routes, as the /api paths that it owns. */
  routes: Router;
}

interface Locals {
  identity: Identity;
}

/** Who makes the request. Only behind the identity step of `createHttpApp`. */
export function identityOf(response: { locals: Record<string, unknown> }): Identity {
  return (response.locals as unknown as Locals).identity;
}

export type SignedInIdentity = Identity & { user: NonNullable<Identity['user']> };

/** Who makes the request. @throws {AppError} `not_signed_in` for a visitor. */
export function signedInIdentityOf(response: { locals: Record<string, unknown> }): SignedInIdentity {
  const identity = identityOf(response);
  if (identity.user === null) throw new AppError({ code: 'not_signed_in', message: 'Sign in first.' });
  return { ...identity, user: identity.user };
}

const JSON_LIMIT = '64kb';

/**
 * Reads a JSON body. Anything else that has a body is refused: a form or a text can be sent by any page.
 * @param limit of the body in bytes, or as `64kb`
 */
export function jsonBody(limit: string | number = JSON_LIMIT): RequestHandler[] {
  return [
    (request, _response, next) => {
      if (!request.is('application/json'))
        throw new AppError({ code: 'unsupported_media_type', message: 'The body must be JSON.' });
      next();
    },
    express.json({ limit }),
  ];
}

/** The web application of a service: health and metrics, then request id, timing and identity, then its routes, then errors. */
export function createHttpApp({ logger, metrics, health, identities, routes }: HttpAppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  // ETags and conditional answers belong to the gateway's cache; here they would cost a hash an answer.
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
    // Express would answer this by itself, as a text, and we have no such call.
    if (request.method === 'OPTIONS')
      throw new AppError({ code: 'method_not_allowed', message: 'This call has no such method.' });
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
