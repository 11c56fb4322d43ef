import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { GatewayConfig } from '../config.js';
import type { GatewayContext } from '../context.js';
import { createReadPage } from '../public/pages.js';
import { createReadPublic } from '../public/reads.js';
import { createFastPath, createPublicPage, createPublicRead, type FastPath } from '../public/serve.js';
import { createAdmission, createNetworkLimit } from './admission.js';
import { createApiHeaders, createErrorAnswer, createNotFound, createPageHeaders, createReadOnly } from './answers.js';
import {
  createConcurrencyPolicy,
  createHealthPolicy,
  createHostCheck,
  createObservation,
  createPathGuard,
  createRequestId,
  createSecurityContact,
} from './entry.js';
import { createIdentityPolicy, createSessionPolicy, createVisitorPolicy } from './identity.js';
import { createForms } from './forms.js';
import { createLanguageLink } from './language-link.js';
import { createPicturePolicy } from './pictures.js';
import { createSignInForm } from './sign-in-form.js';
import { createStreamPolicy } from './streams.js';
import { createUploads } from '../domain/uploads.js';
import { createUpstreamPolicy } from './upstream.js';
import { createWayBackPage } from './way-back-page.js';

export interface Policies {
  fastPath: FastPath;
  front: RequestHandler;
  named: Record<string, RequestHandler>;
  onError: ErrorRequestHandler;
}

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

export function createPolicies(context: GatewayContext, config: GatewayConfig): Policies {
  const { limits, tracking, securityContact: contact } = config;
  const apiHeaders = createApiHeaders();
  const readPublic = createReadPublic(context);
  const readPage = createReadPage({ ...context, readPublic });
  const { metrics } = context;
  const { networks } = context.limits.windows;
  const { requests, uploads, drawings } = context.limits.slots;
  const bodies = {
    uploads: createUploads({ slots: uploads, total: limits.uploads }),
    arrival: limits.arrival,
  };
  const forwarding = { ...context, ...bodies, tracking };
  const forms = createForms({ ...forwarding, readPublic });
  const signIn = createSignInForm(forwarding);
  const onRefused = (): void => metrics.limitsRefused.inc({ limit: 'network' });
  return {
    fastPath: createFastPath({ ...context, networks }),
    front: chain([
      createRequestId(context),
      createObservation(context),
      createPathGuard(),
      createHealthPolicy(context),
      createHostCheck(context),
      createSecurityContact({ ...context, contact }),
      createConcurrencyPolicy({ requests }),
    ]),
    named: {
      'api-headers': apiHeaders,
      'page-headers': createPageHeaders(),
      'network-limit': createNetworkLimit({ networks, onRefused }),
      admission: createAdmission({ networks, onRefused }),
      session: createSessionPolicy(context),
      visitor: createVisitorPolicy(),
      identity: createIdentityPolicy(context),
      'public-read': createPublicRead({ ...context, readPublic }),
      pictures: createPicturePolicy({ ...context, drawings, readPublic }),
      streams: createStreamPolicy({ ...context, slots: context.limits.slots }),
      'public-page': createPublicPage({ ...context, networks, readPage, readPublic }),
      'way-back-page': createWayBackPage({ ...context, networks }),
      'form-check': forms.accept,
      form: forms.answer,
      'sign-in-check': signIn.accept,
      'sign-in': signIn.answer,
      'own-page': signIn.ownPage,
      'read-only': createReadOnly(),
      'language-link': createLanguageLink(),
      'not-found': createNotFound(),
      upstream: createUpstreamPolicy(forwarding),
    },
    onError: createErrorAnswer({ logger: context.logger, headers: apiHeaders }),
  };
}
