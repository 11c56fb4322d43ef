import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { GatewayConfig } from '../config.js';
import type { GatewayContext } from '../context.js';
import { createConcurrencyLimit } from '../domain/concurrency-limit.js';
import {
  createBodySize,
  createConcurrencyPolicy,
  createCrossSiteCheck,
  createNetworkLimit,
  createOperationPolicy,
  createRoles,
} from './admission.js';
import { createApiHeaders, createErrorAnswer, createNotFound, createPageHeaders, createReadOnly } from './answers.js';
import { createCachedAnswers, createEdgeCache } from './edge-cache.js';
import { createHealthPolicy, createHostCheck, createObservation, createPathGuard, createRequestId } from './entry.js';
import { createIdentityPolicy, createSessionPolicy, createVisitorPolicy } from './identity.js';
import { createUpstreamPolicy } from './upstream.js';

export interface Policies {
  /** Runs for every request, before Express Gateway finds its endpoint. */
  front: RequestHandler;
  /** By the names that gateway.config.yml uses. */
  named: Record<string, RequestHandler>;
  onError: ErrorRequestHandler;
}

/** Several handlers as one: each runs when the one before it lets the request pass. */
function chain(handlers: readonly RequestHandler[]): RequestHandler {
  return handlers.reduceRight<RequestHandler>(
    (rest, handler) => (request, response, next) =>
      handler(request, response, (error?: unknown) => {
        if (error === undefined) rest(request, response, next);
        else next(error);
      }),
    (_request, _response, next) => next(),
  );
}

export function createPolicies(
  context: GatewayContext,
  { rateLimitScale, limits, publicHosts }: GatewayConfig,
): Policies {
  const apiHeaders = createApiHeaders();
  const networkLimit = createNetworkLimit({ ...limits.network, scale: rateLimitScale });
  const concurrencyLimit = (total: number, perNetwork: number) =>
    createConcurrencyLimit({
      total,
      perKey: rateLimitScale === 0 ? Infinity : Math.max(1, perNetwork * rateLimitScale),
    });
  return {
    front: chain([
      createRequestId(context),
      createObservation(context),
      createPathGuard(),
      createHealthPolicy(context),
      createHostCheck(publicHosts),
      createCachedAnswers({ ...context, admission: chain([apiHeaders, networkLimit]) }),
      createConcurrencyPolicy({ requests: concurrencyLimit(limits.requests, limits.requestsPerNetwork) }),
    ]),
    named: {
      'api-headers': apiHeaders,
      'page-headers': createPageHeaders(),
      'network-limit': networkLimit,
      operation: createOperationPolicy(),
      'cross-site-check': createCrossSiteCheck(),
      'body-size': createBodySize(),
      session: createSessionPolicy(context),
      roles: createRoles(context),
      visitor: createVisitorPolicy(),
      identity: createIdentityPolicy(context),
      'edge-cache': createEdgeCache(context),
      'read-only': createReadOnly(),
      'not-found': createNotFound(),
      upstream: createUpstreamPolicy({
        ...context,
        uploads: concurrencyLimit(limits.uploads, limits.uploadsPerNetwork),
        arrival: limits.arrival,
      }),
    },
    onError: createErrorAnswer({ logger: context.logger, headers: apiHeaders }),
  };
}
