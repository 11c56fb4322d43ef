import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { GatewayConfig } from '../config.js';
import type { GatewayContext } from '../context.js';
import { createAddressLimit } from './address-limit.js';
import { createBodySize } from './body-size.js';
import { chain } from './chain.js';
import { createCrossSiteCheck } from './cross-site-check.js';
import { createEdgeCache, createEdgeMemory } from './edge-cache.js';
import { createErrorAnswer } from './error-answer.js';
import { createHealthPolicy } from './health.js';
import { createIdentityPolicy } from './identity.js';
import { createObservation } from './observation.js';
import { createPathGuard } from './path-guard.js';
import { createNothingHere, createReadOnly } from './plain-answers.js';
import { createRequestId } from './request-id.js';
import { createApiHeaders, createPageHeaders } from './security-headers.js';
import { createSessionPolicy } from './session.js';
import { createUpstreamPolicy } from './upstream.js';
import { createVisitorPolicy } from './visitor.js';

const UPLOAD_PATHS = ['/api/audio/upload', '/api/audio/preview', '/api/chat/upload'];

/** A person with every page open uses a tenth of it. */
const ADDRESS_LIMIT = { points: 600, seconds: 60 };

export interface Policies {
  /** What every request meets before it is known whose it is. */
  front: RequestHandler;
  /** By the names that gateway.config.yml uses. */
  named: Record<string, RequestHandler>;
  onError: ErrorRequestHandler;
}

export function createPolicies(context: GatewayContext, { rateLimitScale }: GatewayConfig): Policies {
  const apiHeaders = createApiHeaders();
  const addressLimit = createAddressLimit({ ...ADDRESS_LIMIT, scale: rateLimitScale });
  return {
    front: chain([
      createRequestId(context),
      createObservation(context),
      createPathGuard(),
      createHealthPolicy(context),
      createEdgeMemory({ ...context, admission: chain([apiHeaders, addressLimit]) }),
    ]),
    named: {
      'api-headers': apiHeaders,
      'page-headers': createPageHeaders(),
      'address-limit': addressLimit,
      'body-size': createBodySize(),
      'cross-site-check': createCrossSiteCheck({ uploadPaths: UPLOAD_PATHS }),
      session: createSessionPolicy(context),
      visitor: createVisitorPolicy(),
      identity: createIdentityPolicy(context),
      'edge-cache': createEdgeCache(context),
      'read-only': createReadOnly(),
      'nothing-here': createNothingHere(),
      upstream: createUpstreamPolicy(context),
    },
    onError: createErrorAnswer({ logger: context.logger, headers: apiHeaders }),
  };
}
